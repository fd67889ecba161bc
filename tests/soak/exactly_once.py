"""Exactly once, end to end: workers and the node are killed while they copy one topic into another in transactions.

Afterwards an independent judge compares what the workers were told with what a read_committed reader finds: no input
lost, none twice, nothing aborted, no transaction in parts, and no position of the group that ever went back.
`./dev soak exactly_once --records 300000` runs it long.
"""

import argparse
import random
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from confluent_kafka import Consumer, ConsumerGroupTopicPartitions, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from peer.ours import OurNode
from soak.folder import soak_folder
from tidelog.sim.checker import check
from tidelog.sim.history import Anomaly, History, Outcome, Read, Send

SOURCE, SINK, GROUP = "orders", "enriched-orders", "enrichers"
PARTITIONS = 4
# A machine that is busy with other things delays the verdict; it does not replace it.
NODE_PATIENCE_S = 900.0
STALL_S = 900.0
LINE_EVERY_S = 60.0


class Progress:
    """One line that is written over on a terminal, and a line a minute elsewhere."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._live = sys.stdout.isatty()
        self._next = 0.0

    def show(self, text: str) -> None:
        now = time.monotonic()
        if self._quiet or (not self._live and now < self._next):
            return
        self._next = now + LINE_EVERY_S
        print(f"\r{text}" if self._live else text, end="" if self._live else "\n", flush=True)

    def end(self) -> None:
        if self._live and not self._quiet:
            print()


class Soak:
    def __init__(self, folder: Path, records: int, workers: int, seed: int, abort: float, batch: int) -> None:
        self.folder = folder
        self.records = records
        self.workers = workers
        self.random = random.Random(seed)
        self.abort = abort
        self.batch = batch
        self.node = OurNode(folder / "node", {"group.initial.rebalance.delay.ms": "0"})
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.kills = {"worker": 0, "node": 0}
        self.commits: list[tuple[str, tuple[str, int], int]] = []

    # the run

    def run(self, kill_every_s: float, quiet: bool, rounds: int = 1) -> list[Anomaly]:
        """The input comes in rounds; a kill stands between two of them, so that no run is over before its kills."""
        progress = Progress(quiet)
        self.node.start(NODE_PATIENCE_S)
        try:
            self._create_topics()
            self._fill(0, self.records // rounds)
            for number in range(self.workers):
                self._start_worker(f"worker-{number}")
            for number in range(1, rounds):
                self._until_done((number - 1) * self.records // rounds + 1, kill_every_s, progress)
                self._kill()
                self._fill(number * self.records // rounds, (number + 1) * self.records // rounds)
            self._until_done(self.records, kill_every_s, progress)
            self._stop_workers()
            return check(self._history())
        finally:
            for process in self.running.values():
                process.kill()
            self.node.stop(NODE_PATIENCE_S)

    def _create_topics(self) -> None:
        admin = AdminClient({"bootstrap.servers": self.node.address})
        for future in admin.create_topics([NewTopic(each, PARTITIONS, 1) for each in (SOURCE, SINK)]).values():
            future.result(30)
        starts = [TopicPartition(SOURCE, each, 0) for each in range(PARTITIONS)]
        request = ConsumerGroupTopicPartitions(GROUP, starts)
        admin.alter_consumer_group_offsets([request])[GROUP].result(30)

    def _fill(self, first: int, end: int) -> None:
        producer = Producer({"bootstrap.servers": self.node.address, "enable.idempotence": True})
        for number in range(first, end):
            producer.produce(SOURCE, str(number).encode(), partition=number % PARTITIONS)
            if number % 10_000 == 0:
                producer.flush(60)
        assert producer.flush(120) == 0

    def _start_worker(self, name: str) -> None:
        command = [sys.executable, str(Path(__file__).with_name("eos_worker.py"))]
        command += ["--bootstrap", self.node.address, "--name", name, "--group", GROUP]
        command += ["--source", SOURCE, "--sink", SINK, "--journal", str(self.folder / f"{name}.journal")]
        command += ["--seed", str(self.random.getrandbits(31)), "--abort", str(self.abort), "--batch", str(self.batch)]
        with (self.folder / f"{name}.errors").open("ab") as errors:
            self.running[name] = subprocess.Popen(command, stderr=errors)

    def _until_done(self, wanted: int, kill_every_s: float, progress: Progress) -> None:
        next_kill = time.monotonic() + kill_every_s
        most, since = -1, time.monotonic()
        while (done := self._committed()) < wanted:
            progress.show(f"{max(most, done):>9,} of {self.records:,}  kills {self.kills}")
            if done > most:
                most, since = done, time.monotonic()
            assert time.monotonic() < since + STALL_S, f"{most:,} inputs are committed, and none more in {STALL_S} s"
            for name, process in list(self.running.items()):
                if process.poll() is not None:
                    self._start_worker(name)
            if time.monotonic() > next_kill:
                self._kill()
                next_kill = time.monotonic() + kill_every_s * self.random.uniform(0.5, 1.5)
            time.sleep(0.2)
        progress.end()

    def _kill(self) -> None:
        if self.random.random() < 0.4:
            self.kills["node"] += 1
            self.node.kill()
            self.node.start(NODE_PATIENCE_S)
        else:
            self.kills["worker"] += 1
            self.running[self.random.choice(sorted(self.running))].kill()

    def _committed(self) -> int:
        """How many input records the group has committed; asked anew each time, because the node comes and goes."""
        with suppress(Exception):
            settings = {"group.id": GROUP, "socket.timeout.ms": 5000, "isolation.level": "read_uncommitted"}
            reader = Consumer({"bootstrap.servers": self.node.address, **settings})
            try:
                wanted = [TopicPartition(SOURCE, each) for each in range(PARTITIONS)]
                found = [each for each in reader.committed(wanted, 5) if each.error is None]
                self.commits += [(GROUP, (SOURCE, each.partition), max(-1, each.offset)) for each in found]
                return sum(max(0, each.offset) for each in found)
            finally:
                reader.close()
        return 0

    def _stop_workers(self) -> None:
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(30)

    # the proof

    def _history(self) -> History:
        journals = (line for each in sorted(self.folder.glob("*.journal")) for line in each.read_text().splitlines())
        history = history_of(journals, list(self._drain()), self.records)
        history.commits = self.commits
        return history

    def _drain(self) -> Iterator[Read]:
        reader = Consumer(
            {
                "bootstrap.servers": self.node.address,
                "group.id": "judge",
                "isolation.level": "read_committed",
                "auto.offset.reset": "earliest",
                "enable.partition.eof": True,
            }
        )
        reader.assign([TopicPartition(SINK, each, 0) for each in range(PARTITIONS)])
        at_end: set[int] = set()
        while len(at_end) < PARTITIONS:
            for message in reader.consume(1000, 10):
                error = message.error()
                if error is None:
                    value = (message.value() or b"").decode()
                    yield Read("final", (SINK, message.partition()), message.offset(), value)
                elif error.name() == "_PARTITION_EOF":
                    at_end.add(message.partition())
                else:
                    raise AssertionError(error)
        reader.close()


def history_of(journals: Iterable[str], reads: list[Read], inputs: int) -> History:
    """What the workers were told, and what was read in the end; every input must come out, whoever carried it."""
    history = History(final_readers={"final"}, reads=reads)
    for line in journals:
        kind, name, *values = line.split(" ")
        if kind == "begin":
            history.transactions[name] = Outcome.UNKNOWN
            history.sends += [Send(name, (SINK, -1), each, Outcome.UNKNOWN, transaction=name) for each in values]
        else:
            history.transactions[name] = Outcome.OK if kind == "ok" else Outcome.FAILED
    history.sends += [Send("input", (SINK, -1), f"input {number}", Outcome.OK) for number in range(inputs)]
    seen = [each.value.partition("@")[0] for each in reads]
    history.reads = reads + [Read("inputs", ("inputs", 0), place, f"input {each}") for place, each in enumerate(seen)]
    return history


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=300_000)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--batch", type=int, default=3, help="records of one transaction, at most")
    parser.add_argument("--abort", type=float, default=0.1)
    parser.add_argument("--kill-every", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with soak_folder("eos") as folder:
        soak = Soak(folder, args.records, args.workers, args.seed, args.abort, args.batch)
        began = time.monotonic()
        anomalies = soak.run(args.kill_every, quiet=False)
        report(soak, time.monotonic() - began, anomalies)
        if anomalies:
            raise SystemExit(1)
    return 0


def report(soak: Soak, seconds: float, anomalies: list[Anomaly]) -> None:
    journals = [each.read_text().splitlines() for each in soak.folder.glob("*.journal")]
    counts = {
        kind: sum(line.startswith(kind) for lines in journals for line in lines) for kind in ("begin", "ok", "aborted")
    }
    print(f"{counts['begin']:,} transactions begun, {counts['ok']:,} committed, {counts['aborted']:,} aborted")
    print(f"killed {soak.kills['worker']} workers and {soak.kills['node']} nodes in {seconds:.0f} s")
    for anomaly in anomalies[:20]:
        print(f"{anomaly.kind}: {anomaly.detail}")
    print("no anomaly" if not anomalies else f"{len(anomalies)} anomalies")


if __name__ == "__main__":
    sys.exit(main())
