"""The small files: what is written, and what is made of garbage."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidelog.log import checkpoints
from tidelog.log.checkpoints import BadCheckpoint
from tidelog.log.meta_properties import MetaProperties, decode_meta_properties, encode_meta_properties
from tidelog.log.names import marked_name, marked_suffix, offset_name, offset_of, parse_directory
from tidelog.log.producer_snapshot import decode_snapshot, encode_snapshot
from tidelog.model.topic_partition import TopicPartition
from tidelog.replication.producer_state import ProducerState

TOPIC_ID = bytes(range(16))


def test_offsets_as_apache_writes_them() -> None:
    offsets = {TopicPartition("t1", 1): 10137, TopicPartition("a.b-c_d", 0): 9913}
    data = checkpoints.encode_offsets(offsets)
    assert data == b"0\n2\nt1 1 10137\na.b-c_d 0 9913\n"
    assert checkpoints.decode_offsets(data) == offsets
    assert checkpoints.decode_offsets(b"") == {}


def test_epochs_as_apache_writes_them() -> None:
    assert checkpoints.encode_epochs([(0, 0), (5, 17)]) == b"0\n2\n0 0\n5 17\n"
    assert checkpoints.decode_epochs(b"0\n2\n0 0\n5 17\n") == [(0, 0), (5, 17)]


def test_the_other_small_files() -> None:
    data = checkpoints.encode_partition_metadata(TOPIC_ID)
    assert data == b"version: 0\ntopic_id: AAECAwQFBgcICQoLDA0ODw"
    assert checkpoints.decode_partition_metadata(data) == TOPIC_ID
    assert checkpoints.encode_clean_shutdown(14) == b'{"version":0,"brokerEpoch":14}'
    assert checkpoints.decode_clean_shutdown(b'{"version":0,"brokerEpoch":14}') == 14
    assert checkpoints.decode_clean_shutdown(b"") == -1
    meta = MetaProperties("4L6g3nShT-eMCtK--X86sw", 1, TOPIC_ID)
    data = encode_meta_properties(meta, "Sun Nov 15 21:44:19 UTC 2026")
    assert decode_meta_properties(data) == meta
    assert b"node.id=1\ndirectory.id=AAECAwQFBgcICQoLDA0ODw\nversion=1\ncluster.id=4L6g3nShT-eMCtK--X86sw\n" in data
    assert decode_meta_properties(b"version=0\nbroker.id=3\ncluster.id=x\n") == MetaProperties("x", 3, None, 0)


BAD = [
    b"\xff\xfe",
    b"1\n0\n",
    b"0\n",
    b"0\nx\n",
    b"0\n2\na 0 1\n",
    b"0\n1\na b c\n",
    b"0\n1\na 0\n",
    b"0\n1\na 0 1 2\n",
]


@pytest.mark.parametrize("data", BAD)
def test_garbage_is_told_apart(data: bytes) -> None:
    with pytest.raises(BadCheckpoint):
        checkpoints.decode_offsets(data)


@pytest.mark.parametrize("data", [b"", b"0\n2\n5 5\n3 9\n", b"0\n1\n-1 5\n", b"0\n2\n1 1\n1 2\n", *BAD])
def test_epochs_must_make_sense(data: bytes) -> None:
    with pytest.raises(BadCheckpoint):
        checkpoints.decode_epochs(data)


@given(st.binary(max_size=80))
def test_no_bytes_break_a_decoder(data: bytes) -> None:
    for decode in (
        checkpoints.decode_offsets,
        checkpoints.decode_epochs,
        checkpoints.decode_partition_metadata,
        checkpoints.decode_clean_shutdown,
        decode_meta_properties,
        decode_snapshot,
    ):
        with contextlib.suppress(BadCheckpoint):
            decode(data)  # type: ignore[operator]


def test_a_snapshot_keeps_the_last_batch_of_every_producer() -> None:
    state = ProducerState()
    state.append(7, 2, 5, 7, 100, 102, 12345, False)
    state.append(8, 0, 2**31 - 2, 1, 103, 106, 12346, True)
    state.end_txn(9, 4, 11, True, 107, 12347)
    data = encode_snapshot(state)
    assert len(data) == 10 + 3 * 46
    again = ProducerState()
    for entry in decode_snapshot(data):
        again.load(entry)
    assert again.entries[7].batches == state.entries[7].batches
    assert again.entries[8].batches == state.entries[8].batches
    assert again.open_txns == {103: 8}
    assert (again.entries[9].epoch, again.entries[9].coordinator_epoch, again.entries[9].batches) == (4, 11, [])
    assert encode_snapshot(again) == data


def test_every_flipped_bit_of_a_snapshot_is_seen() -> None:
    state = ProducerState()
    state.append(7, 2, 5, 7, 100, 102, 12345, False)
    data = encode_snapshot(state)
    for bit in range(len(data) * 8):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(BadCheckpoint):
            decode_snapshot(bytes(changed))


def test_names() -> None:
    assert offset_name(4926, ".log") == "00000000000000004926.log"
    assert offset_of("00000000000000004926.timeindex") == 4926
    assert offset_of("leader-epoch-checkpoint") is None
    assert parse_directory("a-b-12") == TopicPartition("a-b", 12)
    assert parse_directory("__cluster_metadata") is None
    deleted = marked_name(TopicPartition("a-b", 12), "0" * 32, "-delete")
    assert deleted == "a-b-12." + "0" * 32 + "-delete"
    assert marked_suffix(deleted) == "-delete"
    assert marked_suffix("a-b-12") is None
    assert len(marked_name(TopicPartition("x" * 249, 7), "0" * 32, "-stray")) == 255
