"""UpdateRaftVoter (82), version 0: a voter tells the leader where it listens now."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.quorum import ask, check_cluster
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.messages.update_raft_voter import UpdateRaftVoterRequest, UpdateRaftVoterResponse
from tidelog.runtime import raft_wire


@api(UpdateRaftVoterRequest)
def handle(broker: Broker, context: RequestContext, request: UpdateRaftVoterRequest) -> UpdateRaftVoterResponse:
    check_cluster(broker, request)
    found: UpdateRaftVoterResponse = raft_wire.update_response(ask(broker, raft_wire.update_of(request)))
    return found
