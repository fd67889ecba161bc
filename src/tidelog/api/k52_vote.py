"""Vote (52), versions 0 to 2: a controller asks for a vote, or (pre-vote, from version 2) whether it would get it.

The vote is on disk before it is answered. Version 1 names the voter with its directory: a disk that replaced a lost one
does not answer for it.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.quorum import ask, check_cluster
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages.vote import VoteRequest, VoteResponse
from tidelog.runtime import raft_wire


@api(VoteRequest)
def handle(broker: Broker, context: RequestContext, request: VoteRequest) -> VoteResponse:
    check_cluster(broker, request)
    try:
        vote = raft_wire.vote_of(request)
    except raft_wire.NotForUs as error:
        raise KafkaError(error.code) from None
    found: VoteResponse = raft_wire.vote_response(ask(broker, vote))
    return found
