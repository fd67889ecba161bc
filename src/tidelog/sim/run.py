"""`./dev sim`: replays one seed with its story, or runs many and says which ones failed.

./dev sim 8412                          the story of one seed, exactly as it was
./dev sim 8412 --packets                with every packet
./dev sim --count 500 --jobs 2          seeds 0 to 499 of the profile `cluster`
./dev sim --count 90 --profile all      the profiles in turn
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from tidelog.sim.profile import PROFILES
from tidelog.sim.simulation import Verdict, simulate

DEFAULT_PROFILE = "cluster"
# Drawn in turn by `--profile all`.
MIXTURE = (
    "single", "cluster", "partitions", "power", "rolling", "split", "moves", "five", "single", "cluster", "power",
    "chase", "stale", "seesaw", "usurp", "sick", "rot", "broken", "shelves", "voters", "upgrade",
)  # fmt: skip


@dataclass(slots=True)
class Totals:
    seeds: int = 0
    simulated_s: float = 0.0
    cpu_s: float = 0.0
    faults: int = 0
    acknowledged: int = 0
    transactions: int = 0
    failed: list[Verdict] = field(default_factory=list)

    def add(self, verdict: Verdict) -> None:
        self.seeds += 1
        self.simulated_s += verdict.simulated_s
        self.cpu_s += verdict.cpu_s
        self.faults += verdict.faults
        self.acknowledged += verdict.acknowledged
        self.transactions += verdict.transactions
        if not verdict.is_clean:
            self.failed.append(verdict)

    def summary(self) -> str:
        hours = self.simulated_s / 3600
        rate = hours / (self.cpu_s / 60) if self.cpu_s else 0.0
        return (
            f"{self.seeds} seeds, {hours:.2f} simulated hours, {self.faults} faults, {self.acknowledged} acknowledged "
            f"records, {self.transactions} transactions, {len(self.failed)} failed; "
            f"{self.cpu_s:.0f} s of CPU, {rate:.1f} simulated hours in a minute of it"
        )


def run_one(task: tuple[int, str]) -> Verdict:
    seed, profile = task
    began = time.process_time()
    verdict = simulate(seed, PROFILES[profile])
    verdict.cpu_s = time.process_time() - began
    verdict.lines = []
    return verdict


def run_many(tasks: Sequence[tuple[int, str]], jobs: int) -> Iterator[Verdict]:
    if jobs <= 1:
        yield from map(run_one, tasks)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(run_one, tasks, chunksize=1)


def tasks_of(first: int, count: int, profile: str) -> list[tuple[int, str]]:
    seeds: Iterable[int] = range(first, first + count)
    if profile == "all":
        return [(seed, MIXTURE[seed % len(MIXTURE)]) for seed in seeds]
    return [(seed, profile) for seed in seeds]


def show_progress(totals: Totals, count: int) -> None:
    if sys.stderr.isatty():
        width = 30 * totals.seeds // max(1, count)
        bar = "#" * width + "." * (30 - width)
        end = "\n" if totals.seeds == count else ""
        print(f"\r[{bar}] {totals.seeds}/{count}, {len(totals.failed)} failed", end=end, file=sys.stderr, flush=True)


def many(arguments: argparse.Namespace) -> int:
    tasks = tasks_of(arguments.first, arguments.count, arguments.profile)
    totals = Totals()
    began = time.monotonic()
    for verdict in run_many(tasks, arguments.jobs):
        totals.add(verdict)
        show_progress(totals, len(tasks))
        if not verdict.is_clean:
            kinds = ", ".join(f"{kind} x{count}" for kind, count in Counter(a.kind for a in verdict.anomalies).items())
            print(
                f"\nseed {verdict.seed} of {verdict.profile}: {kinds}: {verdict.anomalies[0].detail[:300]}", flush=True
            )
            print(f"  ./dev sim {verdict.seed} --profile {verdict.profile}", flush=True)
        if arguments.minutes and time.monotonic() - began > arguments.minutes * 60:
            print(f"time is up after seed {verdict.seed}")
            break
    print(totals.summary())
    return 1 if totals.failed else 0


def one(arguments: argparse.Namespace) -> int:
    verdict = simulate(arguments.seed, PROFILES[arguments.profile], trace=True)
    for line in verdict.lines:
        if arguments.packets or " -> " not in line:
            print(line)
    outcome = "clean" if verdict.is_clean else f"{len(verdict.anomalies)} anomalies"
    print(
        f"seed {verdict.seed} of {verdict.profile}: {outcome}; {verdict.simulated_s:.1f} simulated seconds, "
        f"{verdict.faults} faults, {verdict.acknowledged} acknowledged records, digest {verdict.digest[:16]}"
    )
    return 0 if verdict.is_clean else 1


def catch_planted(arguments: argparse.Namespace) -> int:
    from tidelog.sim.planted import PLANTED, catch

    missed = 0
    for name, bug in PLANTED.items():
        if arguments.only and name not in arguments.only.split(","):
            continue
        count, verdict = catch(name, arguments.planted, arguments.first)
        missed += verdict is None
        kinds = ", ".join(Counter(each.kind for each in verdict.anomalies)) if verdict else "-"
        told = f"seed {verdict.seed}, after {count}" if verdict else f"not in {count}"
        print(f"| {name} | {bug.what} | {bug.profile} | {told} | {kinds} |", flush=True)
    return 1 if missed else 0


def parse(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./dev sim", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("seed", type=int, nargs="?", help="replay this one and tell its story")
    parser.add_argument("--count", type=int, default=0, help="run so many seeds")
    parser.add_argument("--minutes", type=float, default=0, help="end after so many minutes")
    parser.add_argument("--first", type=int, default=0, help="beginning with this one")
    parser.add_argument("--jobs", type=int, default=1, help="in so many processes")
    parser.add_argument("--profile", default=DEFAULT_PROFILE, choices=[*PROFILES, "all"], help="what kind of story")
    parser.add_argument("--planted", type=int, default=0, help="plant bugs, and look for each in so many seeds")
    parser.add_argument("--only", default="", help="with --planted: these bugs, separated by commas")
    parser.add_argument("--packets", action="store_true", help="show every packet too")
    arguments = parser.parse_args(given)
    if (arguments.seed is None) == (arguments.count <= 0 and arguments.planted <= 0):
        parser.error("name a seed to replay it, or --count N to run many")
    if arguments.seed is not None and arguments.profile == "all":
        arguments.profile = MIXTURE[arguments.seed % len(MIXTURE)]
    return arguments


def main(given: Sequence[str] | None = None) -> int:
    arguments = parse(given)
    if arguments.planted:
        return catch_planted(arguments)
    return many(arguments) if arguments.seed is None else one(arguments)


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":
        # Sets of strings have another order in every process unless this is fixed.
        os.execve(
            sys.executable, [sys.executable, "-m", __spec__.name, *sys.argv[1:]], os.environ | {"PYTHONHASHSEED": "0"}
        )
    sys.exit(main())
