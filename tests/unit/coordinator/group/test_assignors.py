"""Assignors: every partition once, equal shares, little moved, and near members first."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidelog.coordinator.group.assignors import ASSIGNORS, Assignments, MemberSpec, assign
from tidelog.coordinator.group.consumer_topics import TopicInfo


def topics(**counts: int) -> dict[bytes, TopicInfo]:
    return {name.encode(): TopicInfo(name, name.encode(), count) for name, count in counts.items()}


def member(subscribed: str, **more: Any) -> MemberSpec:
    return MemberSpec(frozenset(name.encode() for name in subscribed.split()), **more)


def loads(found: Assignments) -> dict[str, int]:
    return {one: sum(map(len, held.values())) for one, held in found.items()}


def moved(before: Assignments, after: Assignments) -> int:
    """Partitions that somebody who stays has lost."""
    kept = 0
    for one, held in before.items():
        for topic_id, indexes in held.items():
            kept += len(set(indexes) & set(after.get(one, {}).get(topic_id, ())))
    return sum(loads(before).values()) - kept


def test_uniform_moves_only_what_the_new_member_needs() -> None:
    there = topics(t=9)
    before = assign("uniform", {"a": member("t"), "b": member("t")}, there)
    specs = {one: member("t", current=held) for one, held in before.items()} | {"c": member("t")}
    after = assign("uniform", specs, there)
    assert loads(after) == {"a": 3, "b": 3, "c": 3}
    assert moved(before, after) == 3


def test_uniform_prefers_members_in_the_rack_of_a_replica() -> None:
    racks = tuple(frozenset({"r1"} if index % 2 else {"r2"}) for index in range(8))
    there = {b"t": TopicInfo("t", b"t", 8, racks)}
    found = assign("uniform", {"a": member("t", rack_id="r1"), "b": member("t", rack_id="r2")}, there)
    assert found == {"a": {b"t": (1, 3, 5, 7)}, "b": {b"t": (0, 2, 4, 6)}}
    found = assign("uniform", {one: member("t", rack_id="r1") for one in "ab"}, there)
    assert loads(found) == {"a": 4, "b": 4}, "shares are equal whatever the racks"


def test_mixed_subscriptions_are_as_equal_as_they_can_be() -> None:
    found = assign("uniform", {"a": member("t"), "b": member("t u"), "c": member("u")}, topics(t=4, u=2))
    assert loads(found) == {"a": 2, "b": 2, "c": 2}
    found = assign("uniform", {"a": member("t"), "b": member("u")}, topics(t=9, u=1))
    assert loads(found) == {"a": 9, "b": 1}


def test_range_gives_the_same_indexes_of_every_topic() -> None:
    specs = {"c": member("t u"), "b": member("t u"), "a": member("t u", instance_id="z")}
    found = assign("range", specs, topics(t=4, u=4))
    assert found["a"] == {b"t": (0, 1), b"u": (0, 1)}, "static members come first"
    assert (found["b"], found["c"]) == ({b"t": (2,), b"u": (2,)}, {b"t": (3,), b"u": (3,)})


def test_members_without_topics_get_nothing() -> None:
    for name in ASSIGNORS:
        assert assign(name, {"a": member(""), "b": member("")}, {}) == {"a": {}, "b": {}}
        assert assign(name, {}, {}) == {}


NAMES = "abcd"
SPECS = st.dictionaries(
    st.sampled_from([f"m{index}" for index in range(8)]), st.sets(st.sampled_from(NAMES)), min_size=1
)


@given(
    SPECS, SPECS, st.dictionaries(st.sampled_from(NAMES), st.integers(1, 12), min_size=4), st.sampled_from([*ASSIGNORS])
)
@pytest.mark.parametrize("racks", [False, True])
def test_every_partition_goes_to_one_subscriber(
    racks: bool, first: dict[str, set[str]], second: dict[str, set[str]], counts: dict[str, int], name: str
) -> None:
    there = topics(**counts)
    if racks:
        there = {
            one: topic._replace(racks=tuple(frozenset({f"r{index % 3}"}) for index in range(topic.partitions)))
            for one, topic in there.items()
        }
    before: Assignments = {}
    for subscriptions in (first, second):
        specs = {
            one: member(" ".join(names), current=before.get(one, {}), rack_id=f"r{ord(one[1]) % 3}" if racks else None)
            for one, names in subscriptions.items()
        }
        before = assign(name, specs, there)
        given_out = [(topic, index) for held in before.values() for topic, indexes in held.items() for index in indexes]
        wanted = {one for spec in specs.values() for one in spec.topics}
        assert sorted(given_out) == sorted((one, index) for one in wanted for index in range(there[one].partitions))
        assert all(set(held) <= specs[one].topics for one, held in before.items())
        assert assign(name, {o: s._replace(current=before[o]) for o, s in specs.items()}, there) == before
        if name == "uniform":
            _check_balance(specs, before)


def _check_balance(specs: dict[str, MemberSpec], found: Assignments) -> None:
    """Nobody holds a partition that another, who has two fewer, could have."""
    load = loads(found)
    for one, held in found.items():
        for other, spec in specs.items():
            if set(held) & spec.topics:
                assert load[one] - load[other] <= 1
