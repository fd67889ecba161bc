"""Java's hashes and the order of its hash maps; the expected values were printed by a JVM."""

import pytest

from tidelog.cli.java_order import by_hash, hash_order, partition_hash, string_hash
from tidelog.cli.topic_describe import describe_order


def test_string_hashes() -> None:
    assert string_hash("") == 0
    assert string_hash("a") == 97
    assert string_hash("polygenelubricants") == 0x80000000


@pytest.mark.parametrize("names", [("a1", "a.b_c", "ra"), ("p", "a.b_c", "ra"), ("nosuch2", "cod", "perf1")])
def test_topics_in_the_order_that_describe_prints(names: tuple[str, ...]) -> None:
    """As Apache's kafka-topics --describe printed them."""
    assert describe_order(names) == list(names)


def test_settings_in_the_order_of_the_configs_column() -> None:
    names = [f"x{number}" for number in range(30)] + ["cleanup.policy", "min.insync.replicas", "retention.ms"]
    found = [name for name in hash_order(names) if not name.startswith("x")]
    assert found == ["min.insync.replicas", "cleanup.policy", "retention.ms"]


def test_partitions_in_the_order_of_log_dirs() -> None:
    keys = [("p", 0), ("p", 1)]
    entries = [(partition_hash(*key), f"{key[0]}-{key[1]}") for key in keys]
    assert by_hash(entries) == ["p-1", "p-0"]


def test_a_map_grows_past_three_quarters() -> None:
    """Thirteen keys need 32 buckets: 16 and 0 no longer share one."""
    entries = [(number * 16, str(number)) for number in range(13)]
    assert by_hash(entries)[:2] == ["0", "2"]
