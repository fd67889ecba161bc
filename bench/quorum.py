"""Who leads a cluster's quorum of controllers, asked over a plain socket, and how soon another one does."""

import socket
import struct
import time
from collections.abc import Iterable
from typing import NamedTuple

from bench.talk import answer, frame
from tidelog.protocol.messages.describe_quorum import DescribeQuorumRequest, RequestPartitionData, RequestTopicData

VERSION = 2
REQUEST = DescribeQuorumRequest(
    topics=[RequestTopicData(topic_name="__cluster_metadata", partitions=[RequestPartitionData()])]
)


class Quorum(NamedTuple):
    leader: int
    controllers: dict[int, int]  # the port of each controller


def describe(port: int, timeout_s: float = 10) -> Quorum | None:
    """As the node at `port` says; None when it does not lead and knows of nobody who does."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout_s) as connection:
        connection.sendall(frame(REQUEST, VERSION))
        (size,) = struct.unpack(">i", _receive(connection, 4))
        found = answer(REQUEST, VERSION, _receive(connection, size))
    if found.error_code or not found.topics or found.topics[0].partitions[0].error_code:
        return None
    ports = {node.node_id: node.listeners[0].port for node in found.nodes if node.listeners}
    return Quorum(found.topics[0].partitions[0].leader_id, ports)


def _receive(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise ConnectionError("the node closed the connection")
        data += more
    return data


def wait_for_leader(ports: Iterable[int], dead: int, timeout_s: float = 60) -> float:
    """When one of the controllers at `ports` says that it leads, on the clock of `time.monotonic`."""
    places, deadline = list(ports), time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        for port in places:
            try:
                found = describe(port, timeout_s=5)
            except OSError:
                continue
            if found is not None and found.leader not in (-1, dead):
                return time.monotonic()
        time.sleep(0.005)
    raise TimeoutError(f"no controller was elected within {timeout_s:.0f} s")
