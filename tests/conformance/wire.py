"""A connection that sends exactly what a test says, byte for byte, and reads what comes back."""

import socket
import struct

from tidelog.protocol.header import decode_response_header, encode_request_header
from tidelog.protocol.messages import response_class
from tidelog.protocol.primitives import Message

CLOSED = "closed"
"""What `exchange` gives when the broker ends the connection instead of answering."""


class ClosedByBroker(Exception):
    """The broker ended the connection instead of answering."""


class Wire:
    def __init__(self, address: str, timeout_s: float = 20) -> None:
        host, _, port = address.rpartition(":")
        self.socket = socket.create_connection((host, int(port)), timeout_s)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.correlation_id = 0

    def __enter__(self) -> "Wire":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def send(self, request: Message, version: int, client_id: str | None = "conformance") -> None:
        self.correlation_id += 1
        header = encode_request_header(request.API_KEY, version, self.correlation_id, client_id)
        self.send_frame(header + request.encode(version))

    def receive(self, api_key: int, version: int) -> Message:
        frame = self.receive_frame()
        correlation_id, at = decode_response_header(frame, api_key, version)
        assert correlation_id == self.correlation_id, f"answer to {correlation_id}, asked {self.correlation_id}"
        return response_class(api_key).decode(frame[at:], version)

    def call(self, request: Message, version: int) -> Message:
        """Send a request and decode its answer. ClosedByBroker when there is none."""
        self.send(request, version)
        return self.receive(request.API_KEY, version)

    def together(self, asked: list[tuple[Message, int]]) -> list[Message]:
        """Sends all requests in one write, and then decodes their answers, which come in order."""
        frames = []
        for number, (request, version) in enumerate(asked):
            payload = encode_request_header(request.API_KEY, version, number, "conformance") + request.encode(version)
            frames.append(struct.pack(">i", len(payload)) + payload)
        self.send_bytes(b"".join(frames))
        answers = []
        for number, (request, version) in enumerate(asked):
            frame = self.receive_frame()
            correlation_id, at = decode_response_header(frame, request.API_KEY, version)
            assert correlation_id == number, f"answer to {correlation_id}, {number} comes first"
            answers.append(response_class(request.API_KEY).decode(frame[at:], version))
        return answers

    def send_frame(self, payload: bytes) -> None:
        self.send_bytes(struct.pack(">i", len(payload)) + payload)

    def send_bytes(self, data: bytes) -> None:
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            raise ClosedByBroker from None

    def receive_frame(self) -> bytes:
        (size,) = struct.unpack(">i", self._exactly(4))
        return self._exactly(size)

    def exchange(self, payload: bytes) -> bytes | str:
        """Send a raw frame (header and body) and give the raw answer, or CLOSED."""
        try:
            self.send_frame(payload)
            return self.receive_frame()
        except ClosedByBroker:
            return CLOSED

    def is_closed(self) -> bool:
        """Whether the broker ends the connection; waits for it as long as any answer."""
        try:
            return self.socket.recv(1) == b""
        except ConnectionResetError:
            return True

    def _exactly(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            try:
                piece = self.socket.recv(size - len(data))
            except ConnectionResetError:
                piece = b""
            if not piece:
                raise ClosedByBroker
            data += piece
        return bytes(data)
