"""The transaction coordinator as a story: sessions, fencing, two-step endings, retries, timeouts, reloads."""

from __future__ import annotations

from typing import Any

import pytest

from tidelog.coordinator.contract import CoordinatorRecord, Effects
from tidelog.coordinator.txn.shard import TxnShard
from tidelog.coordinator.txn.state import EPOCH_MAX, Status, Transaction, read_record
from tidelog.coordinator.txn.values import MarkersToWrite, ProducerReply, TxnConfig
from tidelog.protocol.errors import ErrorCode

T0 = 1_700_000_000_000
A0, A1 = ("a", 0), ("a", 1)


class Story:
    """A shard and the log it would have written."""

    def __init__(self, ids_from: int = 1000) -> None:
        self.ids = iter(range(ids_from, ids_from + 100))
        self.log: list[CoordinatorRecord] = []
        self.sent: list[MarkersToWrite] = []
        self.shard = self.make()
        self.now = T0

    def make(self) -> TxnShard:
        return TxnShard(7, TxnConfig(), lambda: next(self.ids, None))

    def do(self, effects: Effects) -> Any:
        for record in effects.records:
            self.shard.replay(len(self.log), -1, -1, record)
            self.log.append(record)
        self.sent += effects.sends
        return effects.replies[0][1] if effects.replies else None

    def reload(self) -> None:
        self.shard = self.make()
        for offset, record in enumerate(self.log):
            self.shard.replay(offset, -1, -1, record)
        self.sent.clear()
        self.do(self.shard.loaded(self.now))

    def init(self, expected: tuple[int, int] | None = None, timeout_ms: int = 60_000) -> ProducerReply:
        reply: ProducerReply = self.do(self.shard.init_producer_id(1, "t", timeout_ms, expected, self.now))
        return reply

    def add(self, producer: tuple[int, int], *partitions: tuple[str, int], version: int = 2) -> ErrorCode:
        code: ErrorCode = self.do(self.shard.add_partitions(1, "t", producer, partitions, version, self.now))
        return code

    def end(self, producer: tuple[int, int], committed: bool = True, version: int = 2) -> ProducerReply:
        reply: ProducerReply = self.do(self.shard.end(1, "t", producer, committed, version, self.now))
        return reply

    def write_markers(self, code: ErrorCode = ErrorCode.NONE) -> None:
        sent, self.sent = self.sent, []
        for markers in sent:
            self.do(self.shard.markers_written(markers, dict.fromkeys(markers.partitions, code), self.now))

    @property
    def state(self) -> Transaction:
        return self.shard.transactions["t"]


def test_a_commit_is_decided_marked_and_complete() -> None:
    story = Story()
    assert story.init() == (ErrorCode.NONE, 1000, 0)
    assert story.add((1000, 0), A0, A1, version=0) is ErrorCode.NONE
    assert story.state.status is Status.ONGOING
    assert story.end((1000, 0), version=0) == (ErrorCode.NONE, 1000, 0)
    assert story.state.status is Status.PREPARE_COMMIT
    assert story.sent == [MarkersToWrite("t", 1000, 0, 7, True, (A0, A1), 0)]
    assert story.end((1000, 0), version=0).error is ErrorCode.CONCURRENT_TRANSACTIONS
    story.write_markers()
    assert (story.state.status, story.state.partitions) == (Status.COMPLETE_COMMIT, frozenset())
    assert story.end((1000, 0), version=0).error is ErrorCode.NONE, "a retry of the same end is fine"
    assert story.end((1000, 0), committed=False, version=0).error is ErrorCode.INVALID_TXN_STATE


def test_a_version_2_end_takes_a_new_epoch_and_knows_its_retry() -> None:
    story = Story()
    story.init()
    story.add((1000, 0), A0)
    assert story.end((1000, 0)) == (ErrorCode.NONE, 1000, 1)
    assert story.sent[0].producer_epoch == 1, "the marker carries the new epoch and so fences the old one"
    assert story.end((1000, 0)).error is ErrorCode.CONCURRENT_TRANSACTIONS
    story.write_markers()
    assert story.end((1000, 0)) == (ErrorCode.NONE, 1000, 1)
    assert story.end((1000, 0), committed=False).error is ErrorCode.INVALID_TXN_STATE
    assert story.add((1000, 0), A0) is ErrorCode.PRODUCER_FENCED, "a request of the last transaction comes too late"
    assert story.add((1000, 1), A1) is ErrorCode.NONE
    assert story.end((1000, 0)).error is ErrorCode.PRODUCER_FENCED
    assert story.end((1000, 1), committed=False) == (ErrorCode.NONE, 1000, 2)


def test_a_version_2_producer_may_abort_without_a_partition_but_not_commit() -> None:
    story = Story()
    story.init()
    assert story.end((1000, 0)).error is ErrorCode.INVALID_TXN_STATE
    assert story.end((1000, 0), committed=False) == (ErrorCode.NONE, 1000, 1)
    assert story.state.status is Status.COMPLETE_ABORT
    assert story.sent == []


def test_a_new_session_fences_the_old_one_and_aborts_what_it_left_open() -> None:
    story = Story()
    story.init()
    story.add((1000, 0), A0)
    assert story.init().error is ErrorCode.CONCURRENT_TRANSACTIONS
    assert story.sent == [MarkersToWrite("t", 1000, 1, 7, False, (A0,), 2)]
    assert story.init().error is ErrorCode.CONCURRENT_TRANSACTIONS
    story.write_markers()
    assert story.init() == (ErrorCode.NONE, 1000, 2)
    assert story.add((1000, 0), A0) is ErrorCode.PRODUCER_FENCED
    assert story.end((1000, 0)).error is ErrorCode.PRODUCER_FENCED


def test_a_producer_that_names_its_epoch_is_bumped_once_however_often_it_asks() -> None:
    story = Story()
    story.init()
    assert story.init(expected=(1000, 0)) == (ErrorCode.NONE, 1000, 1)
    assert story.init(expected=(1000, 0)) == (ErrorCode.NONE, 1000, 1)
    assert story.init() == (ErrorCode.NONE, 1000, 2)
    assert story.init(expected=(1000, 0)).error is ErrorCode.PRODUCER_FENCED
    assert story.init(expected=(1000, 1)).error is ErrorCode.PRODUCER_FENCED
    assert story.init(expected=(999, 2)).error is ErrorCode.PRODUCER_FENCED


def test_epochs_that_run_out_give_a_new_producer_id() -> None:
    story = Story()
    story.init()
    worn = story.state._replace(producer_epoch=EPOCH_MAX - 1)
    story.do(Effects([worn.record()]))
    story.add((1000, EPOCH_MAX - 1), A0)
    assert story.end((1000, EPOCH_MAX - 1)) == (ErrorCode.NONE, 1001, 0)
    assert story.sent[0].producer_epoch == EPOCH_MAX
    story.write_markers()
    assert (story.state.producer_id, story.state.producer_epoch) == (1001, 0)
    assert story.end((1000, EPOCH_MAX - 1)) == (ErrorCode.NONE, 1001, 0), "the retry learns its new id"
    assert story.add((1001, 0), A0) is ErrorCode.NONE


def test_a_new_coordinator_sends_the_markers_of_what_was_decided() -> None:
    story = Story()
    story.init()
    story.add((1000, 0), A0, A1)
    story.end((1000, 0))
    story.reload()
    assert story.sent == [MarkersToWrite("t", 1000, 1, 7, True, (A0, A1), 2)]
    story.write_markers(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    assert story.sent != [], "a leader that moved is asked again"
    story.write_markers()
    assert story.state.status is Status.COMPLETE_COMMIT


def test_markers_for_a_deleted_topic_count_as_written() -> None:
    story = Story()
    story.init()
    story.add((1000, 0), A0)
    story.end((1000, 0))
    story.write_markers(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    assert story.state.status is Status.COMPLETE_COMMIT


def test_an_open_transaction_times_out_and_its_producer_is_fenced() -> None:
    story = Story()
    story.reload()
    story.init(timeout_ms=5_000)
    story.add((1000, 0), A0)
    story.now += 10_000
    assert story.shard.next_deadline_ms() == story.now
    story.do(story.shard.tick(story.now))
    assert story.sent == [MarkersToWrite("t", 1000, 1, 7, False, (A0,), 2)]
    story.write_markers()
    assert story.end((1000, 0)).error is not ErrorCode.NONE


def test_an_id_unused_for_a_week_is_forgotten() -> None:
    story = Story()
    story.reload()
    story.init()
    story.now += 604_800_000
    story.do(story.shard.tick(story.now))
    assert story.shard.transactions == {}
    assert story.log[-1].value is None


@pytest.mark.parametrize("timeout_ms", [0, -1, 900_001])
def test_a_timeout_past_the_limit_is_refused(timeout_ms: int) -> None:
    assert Story().init(timeout_ms=timeout_ms).error is ErrorCode.INVALID_TRANSACTION_TIMEOUT


def test_strangers_are_refused() -> None:
    story = Story()
    assert story.add((1000, 0), A0) is ErrorCode.INVALID_PRODUCER_ID_MAPPING
    assert story.end((1000, 0)).error is ErrorCode.INVALID_PRODUCER_ID_MAPPING
    story.init()
    assert story.add((1, 0), A0) is ErrorCode.INVALID_PRODUCER_ID_MAPPING
    assert story.add((1000, 5), A0) is ErrorCode.PRODUCER_FENCED


def test_a_broker_learns_which_partitions_are_in_the_open_transaction() -> None:
    story = Story()
    story.init()
    story.add((1000, 0), A0)
    codes = story.do(story.shard.verify_partitions(1, "t", (1000, 0), [A0, A1]))
    assert codes == {A0: ErrorCode.NONE, A1: ErrorCode.TRANSACTION_ABORTABLE}


def test_the_record_keeps_every_field() -> None:
    full = Transaction("t", 5, 6, 7, Status.PREPARE_ABORT, frozenset({A0, ("b", 9)}), 10, 11, 12, 13, 14, 2)
    assert read_record(full.record()) == ("t", full)
