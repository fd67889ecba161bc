"""How long a record takes through a streaming query, from its send to a reader of committed records behind it."""

import threading
import time
from collections.abc import Callable
from typing import Any

from confluent_kafka import Consumer, Producer

RATE = 50


class Probe:
    """Sends to one topic at a steady rate, and reads another until everything has come."""

    def __init__(self, servers: str, source: str, out: str) -> None:
        self._producer = Producer({"bootstrap.servers": servers, "linger.ms": 0, "acks": "all"})
        self._consumer = Consumer(
            {
                "bootstrap.servers": servers,
                "group.id": f"probe-{out}",
                "auto.offset.reset": "earliest",
                "isolation.level": "read_committed",
                "fetch.wait.max.ms": 50,
            }
        )
        self._consumer.subscribe([out])
        self._source = source
        self._late: dict[int, float] = {}
        self._done = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while not self._done.is_set():
            message = self._consumer.poll(0.1)
            if message is not None and not message.error():
                number, _, sent = message.value().decode().partition(" ")
                self._late.setdefault(int(number), time.time() - float(sent))

    def run(self, seconds: float) -> list[float]:
        """The times of all records but those of the first quarter, in which the query starts."""
        count = int(RATE * seconds)
        began = time.monotonic()
        for number in range(count):
            time.sleep(max(0.0, began + number / RATE - time.monotonic()))
            self._producer.produce(self._source, f"{number} {time.time()}".encode(), str(number).encode())
            self._producer.poll(0)
        self._producer.flush(30)
        deadline = time.monotonic() + 60
        while len(self._late) < count and time.monotonic() < deadline:
            time.sleep(0.05)
        self._done.set()
        self._reader.join()
        self._consumer.close()
        assert len(self._late) == count, f"{len(self._late)} of {count} records came through"
        return sorted(late for number, late in self._late.items() if number >= count // 4)


def measure(servers: str, source: str, out: str, seconds: float, start: Callable[[], Any]) -> dict[str, float]:
    """p50 and p99 in milliseconds through the query that `start` begins."""
    query = start()
    try:
        times = Probe(servers, source, out).run(seconds)
    except AssertionError as error:
        raise RuntimeError(f"{error}: {query.exception()}") from None
    finally:
        query.stop()
    return {"p50": 1000 * times[len(times) // 2], "p99": 1000 * times[int(len(times) * 0.99)]}
