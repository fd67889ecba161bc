"""A log behaves like a list, whatever is done to it in whatever order."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from support.logs import NOW_MS, ManualClock, batch, open_log, read_records
from tidelog.log.config import LogConfig
from tidelog.log.log import Log
from tidelog.sim.disk import SimDisk

DIRECTORY = "/data/clicks-0"


def written_epochs(log: Log) -> list[tuple[int, int]]:
    return [each for each in log.epochs.entries() if each[1] < log.log_end_offset]


class LogMachine(RuleBasedStateMachine):
    """`model` holds (offset, value) of every record; nothing is ever lost but what is taken away on purpose."""

    @initialize(segment_bytes=st.integers(300, 2000), interval=st.integers(0, 500))
    def begin(self, segment_bytes: int, interval: int) -> None:
        self.config = LogConfig(
            segment_bytes=segment_bytes, index_interval_bytes=interval, segment_index_bytes=240, retention_ms=-1
        )
        self.clock = ManualClock()
        self.disk = SimDisk()
        self.log: Log = open_log(self.disk, DIRECTORY, self.config, self.clock)
        self.model: list[tuple[int, bytes]] = []
        self.epoch = 0
        self.high_watermark = 0

    @rule(values=st.lists(st.binary(max_size=60), min_size=1, max_size=4), timestamp=st.integers(0, 1000))
    def append(self, values: list[bytes], timestamp: int) -> None:
        sent = batch(*values, timestamp=NOW_MS - timestamp)
        info = self.log.append_as_leader(sent, self.epoch, NOW_MS)
        assert info.last_offset - info.base_offset + 1 == len(values)
        self.model += [(info.base_offset + number, value) for number, value in enumerate(values)]

    @rule()
    def new_epoch(self) -> None:
        self.epoch += 1

    @rule()
    def roll(self) -> None:
        self.log.roll(NOW_MS)

    @rule()
    def flush(self) -> None:
        self.log.flush()
        assert self.log.recovery_point == self.log.log_end_offset

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def truncate(self, data: st.DataObject) -> None:
        offset = data.draw(st.integers(self.log.log_start_offset, self.log.log_end_offset))
        before = self.log.log_end_offset
        self.log.truncate_to(offset)
        assert self.log.log_end_offset <= offset or offset >= before
        self.model = [entry for entry in self.model if entry[0] < self.log.log_end_offset]

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def delete_records(self, data: st.DataObject) -> None:
        offset = data.draw(st.integers(self.log.log_start_offset, self.log.log_end_offset))
        self.log.increment_log_start_offset(offset, self.log.log_end_offset)
        self.log.delete_old_segments(NOW_MS, self.log.log_end_offset)
        self.model = [entry for entry in self.model if entry[0] >= offset]

    @rule(offset=st.integers(0, 50))
    def start_over(self, offset: int) -> None:
        self.log.truncate_fully_and_start_at(offset)
        self.model = []

    @rule()
    def restart(self) -> None:
        self.log.close()
        self._reopen(is_clean=True)

    @rule()
    def kill(self) -> None:
        self.disk.kill()
        self._reopen(is_clean=False)

    def _reopen(self, is_clean: bool) -> None:
        before = self.log
        self.log = open_log(
            self.disk,
            DIRECTORY,
            self.config,
            self.clock,
            is_clean=is_clean,
            recovery_point=before.recovery_point,
            log_start_offset=before.log_start_offset,
        )
        assert self.log.log_end_offset == before.log_end_offset
        assert self.log.log_start_offset == before.log_start_offset
        assert written_epochs(self.log) == written_epochs(before)
        if is_clean:
            assert self.log.epochs.entries() == before.epochs.entries()

    @rule(data=st.data(), max_bytes=st.integers(1, 3000))
    def read_from_anywhere(self, data: st.DataObject, max_bytes: int) -> None:
        start = data.draw(st.integers(self.log.log_start_offset, self.log.log_end_offset))
        upper = data.draw(st.integers(start, self.log.log_end_offset))
        found = [(record.offset, record.value) for record in read_records(self.log, start, upper, max_bytes)]
        expected = [entry for entry in self.model if entry[0] >= start]
        assert found == expected[: len(found)]
        assert not found or found[-1][0] < self.log.log_end_offset
        assert len(found) >= len([entry for entry in expected if entry[0] < upper]) - 4  # the bound may cut a batch

    @invariant()
    def holds_what_the_model_holds(self) -> None:
        if hasattr(self, "log"):
            self.log.check_invariants()
            assert [(record.offset, record.value) for record in read_records(self.log)] == self.model


LogMachine.TestCase.settings = settings(
    max_examples=60, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestLogModel = LogMachine.TestCase
