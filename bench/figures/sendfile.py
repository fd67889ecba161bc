"""From a file in the page cache to a socket: sendfile beside a read and a write, by how much is sent at a time.

This measures the two ways alone, in this process, without a node: it is why the node chooses as it does.
"""

import os
import socket
import tempfile
import time
from collections.abc import Callable
from multiprocessing import get_context

from bench.figure import OURS, Figure, Row, Samples
from bench.lab import Lab

FILE_BYTES = 64 << 20
SIZES = (4 << 10, 64 << 10, 1 << 20)


def _key(way: str, size: int) -> str:
    return f"{way}_{size >> 10}k"


class Sendfile(Figure):
    name = "sendfile"
    title = "File to socket: sendfile, or read and write through one buffer (no node involved)"
    rows = tuple(
        Row(_key(way, size), f"{size >> 10} KB at a time, {way}", "CPU-s/GB", digits=3)
        for size in SIZES
        for way in ("sendfile", "copy")
    )
    expected_s = 12
    bounded_by = (
        "sendfile spares one copy through user space and costs a little more per call, so it wins on larger pieces"
    )

    def measure(self, lab: Lab, samples: Samples) -> None:
        total = lab.amount(1 << 30)
        with tempfile.TemporaryFile() as file:
            file.write(os.urandom(1 << 20) * (FILE_BYTES >> 20))
            file.flush()
            for size in SIZES:
                for way, send in (("sendfile", _send_by_sendfile), ("copy", _send_by_copy)):
                    lab.progress.step(f"{way}, {size >> 10} KB", self.expected_s / 2 / len(SIZES))
                    samples.add(OURS, {_key(way, size): _cost(send, file.fileno(), size, total)})


def _send_by_sendfile(sink: socket.socket, file: int, size: int, total: int) -> None:
    for position in range(0, total, size):
        done = 0
        while done < size:
            done += os.sendfile(sink.fileno(), file, position % FILE_BYTES + done, size - done)


def _send_by_copy(sink: socket.socket, file: int, size: int, total: int) -> None:
    buffer = memoryview(bytearray(size))
    for position in range(0, total, size):
        got = os.preadv(file, [buffer], position % FILE_BYTES)
        sink.sendall(buffer[:got])


def _drain(port: int) -> None:
    buffer = bytearray(1 << 20)
    with socket.create_connection(("127.0.0.1", port)) as source:
        while source.recv_into(buffer):
            pass


def _cost(send: Callable[[socket.socket, int, int, int], None], file: int, size: int, total: int) -> float:
    """CPU seconds of this process per gigabyte sent."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        receiver = get_context("fork").Process(target=_drain, args=(server.getsockname()[1],))
        receiver.start()
        sink, _ = server.accept()
        with sink:
            began = time.process_time()
            send(sink, file, size, total)
            used = time.process_time() - began
        receiver.join()
    return used / total * 1e9


FIGURE = Sendfile()
