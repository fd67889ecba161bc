"""What a metric is: name, kind, meaning, labels, and where its value is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, NamedTuple

Sample = tuple[tuple[str, ...], float]


class Kind(Enum):
    COUNTER = "counter"
    GAUGE = "gauge"


class Row(NamedTuple):
    """`read` takes the node and gives one number, or label values with a number each."""

    name: str
    kind: Kind
    help: str
    read: Callable[[Any], float | Iterable[Sample]]
    labels: tuple[str, ...] = ()
