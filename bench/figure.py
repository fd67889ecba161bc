"""What a benchmark is: rows with a bar each, and a way to measure them. One file in `figures/` is one figure."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from bench.lab import Lab

OURS, APACHE = "ours", "apache"


@dataclass(frozen=True)
class Row:
    """One line of the table. `bar` is the most that ours may be, over Apache's or (`absolute`) by itself; with
    `at_least` it is the least."""

    key: str
    label: str
    unit: str
    bar: float | None = None
    absolute: bool = False
    at_least: bool = False
    digits: int = 2


@dataclass
class Samples:
    """What was measured: row key → node → one value per repetition. A skipped row keeps the sentence that says why."""

    values: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, side: str, measured: dict[str, float]) -> None:
        for key, value in measured.items():
            self.values.setdefault(key, {}).setdefault(side, []).append(value)

    def median(self, key: str, side: str) -> float | None:
        found = self.values.get(key, {}).get(side)
        return median(found) if found else None


class Figure(ABC):
    """A benchmark: `measure` puts samples under the keys of `rows`."""

    name: ClassVar[str]
    title: ClassVar[str]
    rows: ClassVar[tuple[Row, ...]]
    expected_s: ClassVar[float]
    bounded_by: ClassVar[str]

    @abstractmethod
    def measure(self, lab: "Lab", samples: Samples) -> None: ...
