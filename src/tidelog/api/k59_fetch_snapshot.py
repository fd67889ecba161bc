"""FetchSnapshot (59), versions 0 and 1: a piece of a snapshot of the metadata log, for a node too far behind it."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.quorum import ask, check_cluster
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages.fetch_snapshot import FetchSnapshotRequest, FetchSnapshotResponse
from tidelog.runtime import raft_wire


@api(FetchSnapshotRequest)
def handle(broker: Broker, context: RequestContext, request: FetchSnapshotRequest) -> FetchSnapshotResponse:
    check_cluster(broker, request)
    try:
        chunk = raft_wire.chunk_of(request)
    except raft_wire.NotForUs as error:
        raise KafkaError(error.code) from None
    found: FetchSnapshotResponse = raft_wire.chunk_response(ask(broker, chunk, request.max_bytes))
    return found
