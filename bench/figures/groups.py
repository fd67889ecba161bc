"""Ten thousand members in one group, on a simulated clock: what the coordinator itself takes for a rebalance."""

from collections.abc import Callable, Iterator

from bench.figure import OURS, Figure, Row, Samples
from bench.groups_scale import Phase, classic, consumer
from bench.lab import Lab

MEMBERS = 10_000
PHASES = {  # the coordinator's phases by the keys of their rows
    "consumer: all join": "consumer_join",
    "consumer: until everyone has its share": "consumer_settle",
    "consumer: heartbeats at rest": "consumer_rest",
    "consumer: one more joins, until at rest": "consumer_more",
    "consumer: a crash in the middle of that": "consumer_crash",
    "classic: all join, until at rest": "classic_join",
    "classic: heartbeats at rest": "classic_rest",
    "classic: one more joins, until at rest": "classic_more",
    "classic: a crash in the middle of that": "classic_crash",
}


def _rows(name: str, key: str) -> tuple[Row, ...]:
    return (
        Row(f"groups_{key}_cpu", name, "CPU-s"),
        Row(f"groups_{key}_requests", name, "requests", digits=0),
        Row(f"groups_{key}_records", name, "records", digits=0),
        Row(f"groups_{key}_rebalances", name, "rebalances", digits=0),
    )


class Groups(Figure):
    name = "groups"
    title = f"A group of {MEMBERS:,} members (the coordinator alone, simulated clock; without Apache Kafka)"
    rows = tuple(row for name, key in PHASES.items() for row in _rows(name, key))
    expected_s = 60
    bounded_by = (
        "consumer protocol: three records for each member that comes, and one for each member whose share changes; "
        "classic: one answer to each member, and one record with all of them. A member that crashes in the middle of "
        "a rebalance costs one rebalance more in the consumer protocol, and none in the classic one"
    )

    def measure(self, lab: Lab, samples: Samples) -> None:
        runs: tuple[Callable[[int, int], list[Phase]], ...] = (consumer, classic)
        for run in runs:
            lab.progress.step(f"a group of {MEMBERS:,} members, {run.__name__} protocol", self.expected_s / len(runs))
            for phase in run(MEMBERS, 2 * MEMBERS):
                samples.add(OURS, dict(_measured(phase)))


def _measured(phase: Phase) -> Iterator[tuple[str, float]]:
    key = f"groups_{PHASES[phase.name]}"
    yield f"{key}_cpu", phase.cpu_s
    yield f"{key}_requests", phase.requests
    yield f"{key}_records", phase.records
    yield f"{key}_rebalances", phase.rebalances


FIGURE = Groups()
