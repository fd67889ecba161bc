"""What the shipped client takes from the outside beside the loop: the time of day and chance, both of the seed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from uuid import UUID

from tidelog.client import cluster, producer
from tidelog.sim.clock import SimClock


class _Time:
    def __init__(self, clock: SimClock) -> None:
        self._clock = clock

    def time_ns(self) -> int:
        return self._clock.now_ms() * 1_000_000


@contextmanager
def simulated_clients(clock: SimClock, seed: str) -> Iterator[None]:
    import uuid

    random: Any = Random(f"clients {seed}")
    places: list[tuple[Any, str, Any]] = [
        (cluster, "random", random),
        (producer, "random", random),
        (producer, "time", _Time(clock)),
        (uuid, "uuid4", lambda: UUID(bytes=random.randbytes(16), version=4)),
    ]
    before = [(module, name, getattr(module, name)) for module, name, _ in places]
    try:
        for module, name, value in places:
            setattr(module, name, value)
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)
