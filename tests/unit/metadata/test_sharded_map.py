"""A persistent map: versions share what did not change."""

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from tidelog.metadata.sharded_map import SHARDS, ShardedMap

CHANGES = st.lists(st.dictionaries(st.text(max_size=3), st.one_of(st.none(), st.integers()), max_size=8))


@given(CHANGES)
def test_it_behaves_like_a_dict_and_old_versions_stay(steps: list[dict[str, int | None]]) -> None:
    model: dict[str, int] = {}
    current: ShardedMap[str, int] = ShardedMap()
    history = []
    for step in steps:
        history.append((current, dict(model)))
        current = current.updated(step)
        model |= {key: value for key, value in step.items() if value is not None}
        for key in [key for key, value in step.items() if value is None]:
            model.pop(key, None)
    for version, expected in [*history, (current, model)]:
        assert dict(version.items()) == expected
        assert len(version) == len(expected)
        assert sorted(version) == sorted(expected)
        assert sorted(version.values()) == sorted(expected.values())


def test_a_change_copies_one_shard() -> None:
    big: ShardedMap[str, int] = ShardedMap().updated({f"topic-{index}": index for index in range(5000)})
    after = big.updated({"topic-7": 8})
    shared = sum(ours is theirs for ours, theirs in zip(big._shards, after._shards))
    assert shared == SHARDS - 1
    assert big["topic-7"] == 7
    assert after["topic-7"] == 8


def test_the_order_does_not_depend_on_the_process() -> None:
    program = (
        "from tidelog.metadata.sharded_map import ShardedMap\n"
        "print(list(ShardedMap().updated({str(n): n for n in range(50)})))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
