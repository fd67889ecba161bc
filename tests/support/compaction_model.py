"""A random log and a model of it: what a compaction must leave, said in a few lines and without any file.

One seed makes one story: batches of several producers, plain, compressed and in transactions that overlap and end
either way over segment boundaries; tombstones; keys that look like markers; time that passes; compactions with room for
all keys or for a few; restarts. `play(seed)` raises if log and model ever differ.
"""

from __future__ import annotations

from random import Random

from support.compaction import batches, committed, compact, records
from support.logs import ManualClock, marker, open_log
from tidelog.log.clean_job import CleanSettings
from tidelog.log.config import LogConfig
from tidelog.log.log import Origin
from tidelog.protocol.compression import Codec
from tidelog.protocol.record_batch import Record, build_batch
from tidelog.sim.disk import SimDisk

KEYS = [b"", b"\0\0\0\0", b"\0\0\0\1", *(f"key-{number}".encode() for number in range(12))]
RETENTION_MS = 50
DIRECTORY = "/data/clicks-0"


class ModelRecord:
    __slots__ = ("batch", "key", "offset", "transaction", "value")

    def __init__(self, offset: int, key: bytes, value: bytes | None, batch: int, transaction: int | None) -> None:
        self.offset, self.key, self.value, self.batch, self.transaction = offset, key, value, batch, transaction


class Story:
    def __init__(self, seed: int) -> None:
        random = self.random = Random(seed)
        self.clock = ManualClock()
        self.config = LogConfig(
            compact=True,
            delete=False,
            segment_bytes=random.choice([400, 900, 3000]),
            index_interval_bytes=random.choice([0, 100, 500]),
            segment_index_bytes=240,
            delete_retention_ms=RETENTION_MS,
            log_append_time=random.random() < 0.2,
        )
        self.disk = SimDisk()
        self.log = open_log(self.disk, DIRECTORY, self.config, self.clock)
        self.model: list[ModelRecord] = []
        self.horizons: dict[int, int] = {}  # by the base offset of a batch
        self.decided: dict[int, bool] = {}  # transactions by number: committed or aborted
        self.open: dict[int, int] = {}  # producer -> number of its transaction
        self.sequences: dict[int, int] = {}
        self.checkpoint: int | None = None

    # writing

    def append(self) -> None:
        random = self.random
        producer = random.choice([None, 1, 2, 3, 4])
        size = random.choice([1, 1, 2, 5])
        made = [
            Record(
                0,
                self.clock.ms - random.randrange(100),
                random.choice(KEYS),
                None if random.random() < 0.2 else random.randbytes(random.randrange(30)),
                (("h", b"x"),) if random.random() < 0.2 else (),
            )
            for _ in range(size)
        ]
        options: dict[str, object] = {"codec": random.choice([Codec.NONE, Codec.NONE, *Codec])}
        number = None
        if producer is not None:
            sequence = self.sequences.get(producer, 0)
            self.sequences[producer] = sequence + size
            transactional = producer in self.open or random.random() < 0.5
            if transactional:
                number = self.open.setdefault(producer, len(self.decided) + len(self.open))
            options |= {"producer_id": producer, "producer_epoch": 0, "base_sequence": sequence}
            options["transactional"] = transactional
        data = memoryview(bytearray(build_batch(made, **options)))  # type: ignore[arg-type]
        base = self.log.append_as_leader(data, 0, self.clock.ms, Origin.CLIENT, number is not None).base_offset
        for at, each in enumerate(made):
            assert each.key is not None
            self.model.append(ModelRecord(base + at, each.key, each.value, base, number))

    def end(self, producer: int) -> None:
        commit = self.random.random() < 0.5
        self.decided[self.open.pop(producer)] = commit
        self.log.append_as_leader(marker(producer, 0, commit), 0, self.clock.ms, Origin.COORDINATOR)

    # compacting

    def compact(self) -> None:
        random, log = self.random, self.log
        slots = random.choice([6, 12, 1000])
        settings = CleanSettings(24 * slots, 0.9, random.choice([100, 700, 100_000]), random.randbytes(16))
        start = log.log_start_offset if self.checkpoint is None else self.checkpoint
        bases = [*log.segments.bases, log.log_end_offset]
        job = compact(log, self.clock.ms, self.checkpoint, settings)
        if job.end_offset <= start:
            return
        assert job.part.first_uncleanable <= log.last_stable_offset(log.log_end_offset)
        limit = next(base for base in bases if base >= job.end_offset)
        self._compact_model(start, job.end_offset, limit)
        self.checkpoint = job.end_offset

    def is_aborted(self, each: ModelRecord) -> bool:
        return each.transaction is not None and self.decided.get(each.transaction) is False

    def _compact_model(self, start: int, end: int, limit: int) -> None:
        newest = {
            each.key: each.offset for each in self.model if start <= each.offset < end and not self.is_aborted(each)
        }
        now_ms = self.clock.ms

        def stays(each: ModelRecord) -> bool:
            if each.offset >= limit:
                return True
            if self.is_aborted(each):
                return False
            if each.offset >= end:
                return True
            is_past = each.value is None and self.horizons.get(each.batch, now_ms + 1) <= now_ms
            return each.offset >= newest.get(each.key, -1) and not is_past

        self.model = [each for each in self.model if stays(each)]
        for each in self.model:
            if each.value is None and each.offset < limit:
                self.horizons.setdefault(each.batch, now_ms + RETENTION_MS)

    # judging

    def restart(self) -> None:
        before = {each.producer_id: each.last_sequence for each in self.log.producers.entries.values()}
        self.log.flush()
        self.log.close()
        if self.random.random() < 0.5:
            self.log.snapshots.remove(lambda offset: True)
        clean = self.random.random() < 0.5
        self.log = open_log(
            self.disk, DIRECTORY, self.config, self.clock, recovery_point=self.log.recovery_point, is_clean=clean
        )
        after = {each.producer_id: each.last_sequence for each in self.log.producers.entries.values()}
        assert {key: found for key, found in after.items() if key in before} == before, "a producer's sequence is lost"

    def check(self) -> None:
        log = self.log
        log.check_invariants()
        found = [(each.offset, each.key, each.value) for each in records(log)]
        assert found == [(each.offset, each.key, each.value) for each in self.model]
        stable = log.last_stable_offset(log.log_end_offset)
        seen = [each.offset for each in committed(log, self.random.choice([1, 300, 100_000]))]
        wanted = [each.offset for each in self.model if each.offset < stable and not self.is_aborted(each)]
        assert seen == wanted, "a reader of committed records sees something else"
        ends = [header.next_offset for header, _ in batches(log)]
        assert ends == sorted(ends)

    def step(self) -> None:
        kind = self.random.random()
        if kind < 0.6:
            self.append()
        elif kind < 0.75 and self.open:
            self.end(self.random.choice(sorted(self.open)))
        elif kind < 0.83:
            self.log.roll(self.clock.ms)
        elif kind < 0.88:
            self.clock.ms += self.random.choice([1, 20, 60])
        elif kind < 0.96:
            self.compact()
            self.check()
        else:
            self.restart()
            self.check()


def play(seed: int, steps: int = 60) -> None:
    story = Story(seed)
    try:
        for _ in range(steps):
            story.step()
        story.log.roll(story.clock.ms)
        story.compact()
        story.check()
    except BaseException as error:
        error.add_note(f"seed {seed}")
        raise
