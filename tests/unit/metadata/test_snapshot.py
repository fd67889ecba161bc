"""Checkpoint files: named by offset and epoch, whole or refused."""

import pytest

from tidelog.metadata import records as r
from tidelog.metadata.control import VoterKey, control_value, leader_change, read_control
from tidelog.metadata.features import levels_of_release, metadata_version_of
from tidelog.metadata.quorum_state import QuorumState, format_quorum_state, parse_quorum_state
from tidelog.metadata.records import UnreadableRecord, decode_record, encode_record
from tidelog.metadata.snapshot import SnapshotId, read_snapshot, write_snapshot
from tidelog.metadata.voters import VoterSet
from tidelog.protocol.metadata_records.voters_record import Voter, VotersRecord
from tidelog.protocol.record_batch import CONTROL_KEY, BatchError, Record

RECORDS = [r.FeatureLevelRecord(name="metadata.version", feature_level=30), r.NoOpRecord()]


def test_names_carry_offset_and_epoch() -> None:
    snapshot_id = SnapshotId(83, 2)
    assert snapshot_id.file_name == "00000000000000000083-0000000002.checkpoint"
    assert SnapshotId.from_file_name(snapshot_id.file_name) == snapshot_id
    assert SnapshotId.from_file_name("bootstrap.checkpoint") is None
    assert SnapshotId.from_file_name(snapshot_id.file_name + ".part") is None


def test_what_is_written_is_read_back_with_its_controls() -> None:
    voters = VotersRecord(voters=[Voter(voter_id=1, voter_directory_id=bytes(range(16)))])
    controls = VoterSet(1, voters).controls()
    data = b"".join(write_snapshot(RECORDS * 700, 3, 30, 55, 66, [control_value(each) for each in controls]))
    snapshot = read_snapshot(data)
    assert [type(each) for each in snapshot.records] == [type(each) for each in RECORDS * 700]
    assert snapshot.last_contained_timestamp_ms == 55
    replayed = VoterSet().replay(snapshot.controls)
    assert replayed.kraft_version == 1
    assert replayed.voter_keys() == [VoterKey(1, bytes(range(16)))]


def test_an_unfinished_or_damaged_file_is_refused() -> None:
    batches = list(write_snapshot(RECORDS, 0, 30, 0, 0))
    with pytest.raises(UnreadableRecord):
        read_snapshot(b"".join(batches[:-1]))
    damaged = bytearray(b"".join(batches))
    damaged[len(batches[0]) + 70] ^= 1
    with pytest.raises((UnreadableRecord, BatchError)):
        read_snapshot(bytes(damaged))


@pytest.mark.parametrize("value", [None, b"", b"\x01\x02", b"\x02\x0c\x00", b"\x01\x7f\x00", b"\x01\x0c\x09"])
def test_an_unknown_record_names_what_to_do(value: bytes | None) -> None:
    with pytest.raises(UnreadableRecord):
        decode_record(value)


def test_the_frame_is_version_type_and_record_version() -> None:
    data = encode_record(r.RegisterBrokerRecord(broker_id=1, incarnation_id=bytes(16)), 30)
    assert data[:3] == bytes((1, 0, 4))
    assert decode_record(data).broker_id == 1
    assert encode_record(r.PartitionRecord(topic_id=bytes(16), replicas=[1], isr=[1], directories=[]), 16)[2] == 0


def test_an_epoch_opens_with_its_leader() -> None:
    voters = [VoterKey(1, bytes(range(16))), VoterKey(2, bytes(range(16)))]
    kind, value = leader_change(1, voters, voters[:1])
    message = read_control(Record(0, 0, CONTROL_KEY.pack(0, kind), value))
    assert message.leader_id == 1
    assert [each.voter_id for each in message.voters] == [1, 2]
    assert [each.voter_id for each in message.granting_voters] == [1]


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (
            QuorumState(1, 3, voters=(1,)),
            b'{"clusterId":"","leaderId":1,"leaderEpoch":3,"votedId":-1,"appliedOffset":0,'
            b'"currentVoters":[{"voterId":1}],"data_version":0}',
        ),
        (
            QuorumState(1, 1, data_version=1),
            b'{"leaderId":1,"leaderEpoch":1,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}',
        ),
    ],
)
def test_quorum_state_is_apache_kafkas_file(state: QuorumState, text: bytes) -> None:
    assert format_quorum_state(state) == text
    assert parse_quorum_state(text) == state


@pytest.mark.parametrize(
    "text", [b"", b"{}", b"[]", b"null", b'{"leaderId":1,"leaderEpoch":1,"votedId":1,"data_version":9}']
)
def test_a_broken_quorum_state_is_a_sentence(text: bytes) -> None:
    with pytest.raises(ValueError, match="quorum-state"):
        parse_quorum_state(text)


def test_features_follow_the_release() -> None:
    assert levels_of_release()["metadata.version"] == 30
    assert metadata_version_of("4.0") == 25
    assert metadata_version_of("4.1-IV0") == 26
    assert levels_of_release(25) == {"metadata.version": 25, "group.version": 1, "transaction.version": 2}
    with pytest.raises(ValueError, match=r"Unknown metadata.version '9.9'. Supported metadata.version are: 3.3-IV3"):
        metadata_version_of("9.9")
