"""The bench itself: both nodes up and warm, loads run on one and then on the other, again and again."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from bench.figure import Samples
from bench.progress import Progress
from bench.side import NO_SETTINGS, OURS, Side

WARM_RUNS_MIN, WARM_RUNS_MAX = 3, 6
WARM_ENOUGH = 0.9  # a run that costs no less than this share of the one before it found the node warm

Step = Callable[[Side], dict[str, float]]


class Lab:
    """Owns the nodes of a run. A node is started when a figure first asks for it and stays up for the others."""

    def __init__(self, kinds: tuple[str, ...], quick: bool, repeats: int, progress: Progress) -> None:
        self.kinds = kinds
        self.quick = quick
        self.repeats = repeats
        self.progress = progress
        self._sides: list[Side] = []

    def sides(self) -> list[Side]:
        if not self._sides:
            for kind in self.kinds:
                self.progress.step(f"starting {kind}")
                side = Side(kind)
                self._sides.append(side)
                side.start()
        return self._sides

    def ours(self) -> Side | None:
        return next((side for side in self.sides() if side.kind == OURS), None)

    def amount(self, full: int) -> int:
        """How much of a load to run: a third of it in a quick run."""
        return full // 3 if self.quick else full

    @contextmanager
    def fresh(self, kind: str, label: str) -> Iterator[Side]:
        """A node of its own for figures about a fresh process."""
        side = Side(kind, label)
        try:
            side.start()
            yield side
        finally:
            side.close()

    @contextmanager
    def topics(self, *names: str, partitions: int = 1, settings: Mapping[str, str] = NO_SETTINGS) -> Iterator[None]:
        """Topics of one shape on both nodes, gone afterwards so that no figure pays for another's data."""
        for side in self.sides():
            for name in names:
                side.create_topic(name, partitions, settings)
        try:
            yield
        finally:
            for side in self.sides():
                if side.alive():
                    side.delete_topics(*names)

    def compare(self, label: str, step: Step, samples: Samples, expected_s: float, warm_by: str = "") -> None:
        """Run `step` on each node in turn, `repeats` times, after a warm-up: one run, or as many as the value
        named `warm_by` still falls."""
        runs = (self.repeats + 1) * len(self.sides())
        for side in self.sides():
            self.progress.step(f"{label}: warming up {side.kind}")
            self._warm_up(side, step, warm_by)
            self.progress.step(f"{label}: {side.kind} is warm", expected_s / runs)
        for repeat in range(self.repeats):
            # The order flips each time: neither node always runs right after the other.
            for side in self.sides()[:: 1 if repeat % 2 else -1]:
                side.settle(0.3)
                self.progress.step(f"{label}: {side.kind}, {repeat + 1} of {self.repeats}", expected_s / runs)
                samples.add(side.kind, step(side))

    def _warm_up(self, side: Side, step: Step, warm_by: str) -> None:
        before = step(side).get(warm_by)
        if before is None:
            return
        for run in range(2, WARM_RUNS_MAX + 1):
            cost = step(side)[warm_by]
            if run >= WARM_RUNS_MIN and cost >= before * WARM_ENOUGH:
                return
            before = cost

    def close(self) -> None:
        for side in self._sides:
            side.close()
        self._sides = []
