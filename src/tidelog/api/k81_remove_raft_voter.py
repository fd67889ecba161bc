"""RemoveRaftVoter (81), version 0: a voter, named by its id and its directory, votes no longer."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.quorum import check_cluster
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.metadata.control import VoterKey
from tidelog.protocol.messages.remove_raft_voter import RemoveRaftVoterRequest, RemoveRaftVoterResponse

TIMEOUT_MS = 30_000


@api(RemoveRaftVoterRequest, controller=True)
async def handle(broker: Broker, context: RequestContext, request: RemoveRaftVoterRequest) -> RemoveRaftVoterResponse:
    check_cluster(broker, request)
    key = VoterKey(request.voter_id, request.voter_directory_id)
    code, message = await broker.metadata.quorum.change_voters(key, None, TIMEOUT_MS)
    return RemoveRaftVoterResponse(error_code=int(code), error_message=message or None)
