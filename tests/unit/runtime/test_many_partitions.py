"""200,000 partitions: how long a node takes to load them from a snapshot, and how much memory they need."""

import time
from pathlib import Path

from tidelog.metadata import records as r
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import EMPTY, MetadataImage, Provenance
from tidelog.metadata.snapshot import SnapshotId, image_of, read_snapshot, snapshot_of
from tidelog.runtime.metadata_loading import without_collection

TOPICS = 20_000
PARTITIONS = 10
DIRECTORY = bytes(15) + b"\x65"


def large_image() -> MetadataImage:
    delta = MetadataDelta(EMPTY)
    delta.replay(r.FeatureLevelRecord(name="metadata.version", feature_level=30))
    for number in range(TOPICS):
        topic_id = (number + 1000).to_bytes(16, "big")
        delta.replay(r.TopicRecord(name=f"topic-{number}", topic_id=topic_id))
        for index in range(PARTITIONS):
            delta.replay(
                r.PartitionRecord(
                    topic_id=topic_id,
                    partition_id=index,
                    replicas=[1, 2, 3],
                    isr=[1, 2, 3],
                    leader=1,
                    leader_epoch=0,
                    partition_epoch=0,
                    directories=[DIRECTORY] * 3,
                )
            )
    return delta.apply(Provenance(TOPICS * PARTITIONS, 1, 1))


def resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def test_two_hundred_thousand_partitions_fit() -> None:
    with without_collection():
        image = large_image()
        data = b"".join(snapshot_of(image, 0))
        before_mb, begin = resident_mb(), time.process_time()
        loaded = image_of(read_snapshot(data), SnapshotId(TOPICS * PARTITIONS + 1, 1))
        taken_s, taken_mb = time.process_time() - begin, resident_mb() - before_mb
    assert loaded.topics.partition_count == TOPICS * PARTITIONS
    assert loaded.same_state(image)
    print(f"{TOPICS * PARTITIONS} partitions: {len(data) / 1e6:.1f} MB, loaded in {taken_s:.1f} s, {taken_mb:.0f} MB")
    assert taken_s < 30
    assert taken_mb < 800
