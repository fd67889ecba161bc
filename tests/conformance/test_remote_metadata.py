"""The records of `__remote_log_metadata` as Apache's dump tool reads them, and as ours does."""

import subprocess
import sys
from pathlib import Path

from peer.apache import run_class
from peer.toolchain import needs
from tidelog.protocol.record_batch import Record, build_batch
from tidelog.tier import records
from tidelog.tier.segments import (
    Checks,
    PartitionState,
    RemoteSegment,
    SegmentState,
    TopicIdPartition,
)
from tidelog.tier.updates import PartitionDeletion, SegmentUpdate

PLACE = TopicIdPartition(bytes(range(1, 17)), 3, "orders")
SEGMENT = RemoteSegment(
    bytes(range(33, 49)), PLACE, 10, 99, 1, 1_700_000_000_123, 1_700_000_000_456, ((2, 10), (3, 50)), 4567,
    SegmentState.COPY_STARTED, None, True,
)  # fmt: skip
EVENTS: list[records.Event] = [
    SEGMENT,
    SEGMENT._replace(custom=b"abc", txn_index_empty=False),
    *(
        SegmentUpdate(SEGMENT.id, PLACE, 1, 1_700_000_000_999, state, Checks(1, 2, 3).encode(4))
        for state in list(SegmentState)[1:]
    ),
    *(PartitionDeletion(PLACE, 2, 1_700_000_001_000, state) for state in PartitionState),
]


def test_apaches_dump_tool_reads_our_records(tmp_path: Path) -> None:
    needs("java", "mvn")
    file = tmp_path / "00000000000000000000.log"
    values = [records.encode(event) for event in EVENTS]
    file.write_bytes(
        build_batch([Record(number, 1_700_000_000_000, None, value, ()) for number, value in enumerate(values)])
    )
    words = ("--files", str(file), "--remote-log-metadata-decoder")
    theirs = run_class("org.apache.kafka.tools.DumpLogSegments", *words).stdout
    assert "Error" not in theirs
    ours = subprocess.run(
        [sys.executable, "-m", "tidelog.cli.kafka_dump_log", *words], capture_output=True, text=True, check=True
    )
    assert ours.stdout == theirs


def test_events_come_back_as_they_were_told() -> None:
    assert [records.decode(records.encode(event)) for event in EVENTS] == EVENTS
