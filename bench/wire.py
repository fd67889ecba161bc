"""Just enough of the protocol, by hand, to see a node come up and to hold idle connections to it."""

import resource
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager

import crc32c

API_VERSIONS, METADATA, LIST_OFFSETS, PRODUCE = 18, 3, 2, 0


def _text(value: str) -> bytes:
    return struct.pack(">h", len(value)) + value.encode()


def _ask(connection: socket.socket, api_key: int, version: int, body: bytes) -> bytes:
    frame = struct.pack(">hhi", api_key, version, 1) + _text("bench") + body
    connection.sendall(struct.pack(">i", len(frame)) + frame)
    (size,) = struct.unpack(">i", _receive(connection, 4))
    return _receive(connection, size)[4:]


def _receive(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise ConnectionError("the node closed the connection")
        data += more
    return data


def _one_record() -> bytes:
    now_ms = time.time_ns() // 1_000_000
    record = bytes([2 * 6, 0, 0, 0, 1, 0, 0])  # varints: length 6, attributes, two deltas, key -1, value 0, headers 0
    body = struct.pack(">hiqqqhii", 0, 0, now_ms, now_ms, -1, -1, -1, 1) + record
    after_length = struct.pack(">ibI", -1, 2, crc32c.crc32c(body)) + body
    return struct.pack(">qi", 0, len(after_length)) + after_length


def _try_produce(port: int, topic: str) -> bool:
    """One attempt from nothing: connect, have the topic made by asking for it, produce. False when it is too early."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        _ask(connection, METADATA, 4, struct.pack(">i", 1) + _text(topic) + b"\x01")
        batch = _one_record()
        body = struct.pack(">hhi", -1, -1, 10_000) + struct.pack(">i", 1) + _text(topic)
        body += struct.pack(">iii", 1, 0, len(batch)) + batch
        answer = _ask(connection, PRODUCE, 7, body)
    (error_code,) = struct.unpack_from(">h", answer, 4 + len(_text(topic)) + 4 + 4)
    return bool(error_code == 0)


def first_ack(port: int, topic: str, timeout_s: float = 60) -> None:
    """Try until a record is acknowledged, the way a client that was started too early does."""
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        try:
            if _try_produce(port, topic):
                return
        except OSError:
            pass  # nobody listens yet
        time.sleep(0.005)
    raise TimeoutError(f"no record was acknowledged on port {port} within {timeout_s:.0f} s")


def _leads(port: int, topic: str, partitions: int) -> bool:
    """Whether the node answers a question about the end of each partition, which only its leader does."""
    body = struct.pack(">ii", -1, 1) + _text(topic) + struct.pack(">i", partitions)
    body += b"".join(struct.pack(">iq", index, -1) for index in range(partitions))
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        answer = _ask(connection, LIST_OFFSETS, 1, body)
    rows = struct.iter_unpack(">ihqq", answer[4 + len(_text(topic)) + 4 :])
    return all(error_code == 0 for _, error_code, _, _ in rows)


def wait_for_leaders(port: int, topic: str, partitions: int, timeout_s: float = 30) -> None:
    """A new topic is in the metadata a little before the node leads its partitions."""
    deadline = time.monotonic() + timeout_s
    while not _leads(port, topic, partitions):
        if time.monotonic() > deadline:
            raise TimeoutError(
                f"the topic {topic} was made and has partitions without a leader {timeout_s:.0f} s later"
            )
        time.sleep(0.02)


def raise_file_limit() -> None:
    """As many files as the system lets us have; nodes that are started afterwards inherit it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextmanager
def idle_connections(port: int, count: int) -> Iterator[None]:
    """`count` connections that have each said hello and now say nothing."""
    held: list[socket.socket] = []
    try:
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", port), timeout=30)
            held.append(connection)
            _ask(connection, API_VERSIONS, 0, b"")
        yield
    finally:
        for connection in held:
            connection.close()
