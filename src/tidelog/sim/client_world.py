"""What the shipped client takes from the outside beside the loop: the time of day and chance, both of the seed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from tidelog.client import cluster, producer
from tidelog.sim.clock import SimClock


class _Time:
    def __init__(self, clock: SimClock) -> None:
        self._clock = clock

    def time_ns(self) -> int:
        return self._clock.now_ms() * 1_000_000


@contextmanager
def simulated_clients(clock: SimClock, seed: str) -> Iterator[None]:
    random: Any = Random(f"clients {seed}")
    modules: list[Any] = [cluster, producer]
    before = [
        (module, name, getattr(module, name))
        for module in modules
        for name in ("time", "random")
        if hasattr(module, name)
    ]
    try:
        for module, name, _ in before:
            setattr(module, name, _Time(clock) if name == "time" else random)
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)
