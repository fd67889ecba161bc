"""Keys go where every Kafka client sends them; records without one fill a batch before they move on."""

from tidelog.client.partitioner import KeyPartitioner, StickyPartitioner
from tidelog.protocol.murmur2 import partition_for_key


def test_keys_agree_with_murmur2_also_when_remembered() -> None:
    partitioner = KeyPartitioner()
    keys = [str(number).encode() for number in range(100)]
    for _ in range(2):
        assert [partitioner.partition(key, 7) for key in keys] == [partition_for_key(key, 7) for key in keys]


def test_the_memory_of_keys_is_bounded() -> None:
    partitioner = KeyPartitioner()
    for number in range(40_000):
        partitioner.partition(str(number).encode(), 3)
    assert len(partitioner._hashes) <= 16_384


def test_runs_are_a_batch_long_and_change_partition() -> None:
    sticky = StickyPartitioner(100, lambda count: count - 1)
    found = [sticky.partition(50, 3, (0, 1, 2)) for _ in range(6)]
    assert found == [2, 2, 1, 1, 2, 2]


def test_partitions_without_a_leader_are_avoided() -> None:
    sticky = StickyPartitioner(1, lambda count: 0)
    assert {sticky.partition(1, 5, (3,)) for _ in range(5)} == {3}


def test_without_any_leader_something_is_still_chosen() -> None:
    assert StickyPartitioner(1, lambda count: 0).partition(1, 5, ()) == 0
