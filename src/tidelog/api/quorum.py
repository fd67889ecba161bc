"""What the APIs of the quorum share: asking the machine, and refusing who belongs to another cluster."""

from __future__ import annotations

from typing import Any

from tidelog.broker.broker import Broker
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.raft import messages as m
from tidelog.runtime import raft_wire


def check_cluster(broker: Broker, request: Any) -> None:
    if raft_wire.is_other_cluster(request, broker.metadata.cluster_id):
        raise KafkaError(
            ErrorCode.INCONSISTENT_CLUSTER_ID,
            f"This node belongs to cluster {broker.metadata.cluster_id}, and the request to {request.cluster_id}.",
        )


def ask(broker: Broker, request: m.Request, max_bytes: int = 0) -> Any:
    """The machine's reply; these come at once."""
    replies: list[Any] = []
    broker.metadata.quorum.handle(request, replies.append, max_bytes)
    if not replies or replies[0] is None:
        raise KafkaError(ErrorCode.BROKER_NOT_AVAILABLE, "The node stops, or its metadata log has failed.")
    return replies[0]
