"""BeginQuorumEpoch (53), versions 0 and 1: a controller that was elected says so to voters that do not fetch yet."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.quorum import ask, check_cluster
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages import begin_quorum_epoch
from tidelog.protocol.messages.begin_quorum_epoch import BeginQuorumEpochRequest, BeginQuorumEpochResponse
from tidelog.runtime import raft_wire


@api(BeginQuorumEpochRequest)
def handle(broker: Broker, context: RequestContext, request: BeginQuorumEpochRequest) -> BeginQuorumEpochResponse:
    check_cluster(broker, request)
    try:
        begin = raft_wire.begin_of(request)
    except raft_wire.NotForUs as error:
        raise KafkaError(error.code) from None
    found: BeginQuorumEpochResponse = raft_wire.epoch_response(begin_quorum_epoch, ask(broker, begin))
    return found
