"""EndQuorumEpoch (54), versions 0 and 1: the leader stops, and names who should follow it, in order."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.quorum import ask, check_cluster
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages import end_quorum_epoch
from tidelog.protocol.messages.end_quorum_epoch import EndQuorumEpochRequest, EndQuorumEpochResponse
from tidelog.runtime import raft_wire


@api(EndQuorumEpochRequest)
def handle(broker: Broker, context: RequestContext, request: EndQuorumEpochRequest) -> EndQuorumEpochResponse:
    check_cluster(broker, request)
    try:
        end = raft_wire.end_of(request)
    except raft_wire.NotForUs as error:
        raise KafkaError(error.code) from None
    found: EndQuorumEpochResponse = raft_wire.epoch_response(end_quorum_epoch, ask(broker, end))
    return found
