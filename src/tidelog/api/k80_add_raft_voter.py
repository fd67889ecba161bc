"""AddRaftVoter (80), versions 0 and 1: a controller that follows the metadata log becomes a voter.

Needs kraft.version 1, a controller that has caught up, and no other change under way. With `ack_when_committed` off
(version 1) the answer does not wait for the commit.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.quorum import check_cluster
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.add_raft_voter import AddRaftVoterRequest, AddRaftVoterResponse
from tidelog.runtime import raft_wire


@api(AddRaftVoterRequest, controller=True)
async def handle(broker: Broker, context: RequestContext, request: AddRaftVoterRequest) -> AddRaftVoterResponse:
    check_cluster(broker, request)
    voter = raft_wire.voter_of(request)
    if not voter.endpoints or voter.key.id < 0:
        return AddRaftVoterResponse(
            error_code=int(ErrorCode.INVALID_REQUEST), error_message="A voter needs an id and at least one listener."
        )
    quorum = broker.metadata.quorum
    code, message = await quorum.change_voters(voter.key, voter, request.timeout_ms, request.ack_when_committed)
    return AddRaftVoterResponse(error_code=int(code), error_message=message or None)
