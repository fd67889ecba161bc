"""How partitions are shared out among the members of a classic group."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidelog.client.assignors import ASSIGNORS, Subscriber, assignor_names, by_range, cooperative_sticky, round_robin


def member(name: str, *topics: str, owned: tuple[tuple[str, int], ...] = (), generation: int = -1) -> Subscriber:
    return Subscriber(name, "", frozenset(topics), owned, generation)


def test_range_gives_neighbours_and_the_rest_to_the_first() -> None:
    shares = by_range([member("b", "t", "u"), member("a", "t")], {"t": 3, "u": 2})
    assert shares == {"a": [("t", 0), ("t", 1)], "b": [("t", 2), ("u", 0), ("u", 1)]}


def test_range_puts_fixed_names_before_others() -> None:
    fixed = Subscriber("zz", "instance-1", frozenset({"t"}))
    assert by_range([member("a", "t"), fixed], {"t": 1}) == {"a": [], "zz": [("t", 0)]}


def test_round_robin_goes_on_over_topics() -> None:
    shares = round_robin([member("a", "t", "u"), member("b", "t", "u"), member("c", "u")], {"t": 3, "u": 3})
    assert shares == {"a": [("t", 0), ("t", 2), ("u", 2)], "b": [("t", 1), ("u", 0)], "c": [("u", 1)]}


def test_what_moves_is_withheld_until_its_owner_lets_go() -> None:
    everything = tuple(("t", index) for index in range(4))
    members = [member("a", "t", owned=everything, generation=3), member("b", "t")]
    first = cooperative_sticky(members, {"t": 4})
    assert (len(first["a"]), first["b"]) == (2, [])
    members[0] = member("a", "t", owned=tuple(first["a"]), generation=4)
    second = cooperative_sticky(members, {"t": 4})
    assert second["a"] == first["a"]
    assert sorted(second["a"] + second["b"]) == list(everything)


def test_of_two_claims_the_later_generation_counts() -> None:
    members = [member("a", "t", owned=(("t", 0),), generation=1), member("b", "t", owned=(("t", 0),), generation=2)]
    assert cooperative_sticky(members, {"t": 1}) == {"a": [], "b": [("t", 0)]}


TOPICS = {"t": 5, "u": 3, "v": 0}


@given(
    st.sampled_from(sorted(ASSIGNORS)),
    st.lists(st.frozensets(st.sampled_from(sorted(TOPICS)), min_size=1), min_size=1, max_size=6),
)
def test_every_partition_somebody_wants_has_one_owner_who_wants_it(name: str, wishes: list[frozenset[str]]) -> None:
    members = [Subscriber(f"m{rank}", "", topics) for rank, topics in enumerate(wishes)]
    shares = ASSIGNORS[name](members, TOPICS)
    given_out = [key for keys in shares.values() for key in keys]
    wanted = frozenset().union(*wishes)
    assert sorted(given_out) == sorted((topic, i) for topic in wanted for i in range(TOPICS[topic]))
    assert all(key[0] in each.topics for each in members for key in shares[each.member_id])


@given(st.integers(1, 7), st.integers(0, 20))
def test_sticky_is_balanced(members: int, partitions: int) -> None:
    owned = tuple(("t", index) for index in range(partitions))
    crowd = [member("m0", "t", owned=owned, generation=1), *(member(f"m{i}", "t") for i in range(1, members))]
    kept = cooperative_sticky(crowd, {"t": partitions})["m0"]
    crowd[0] = member("m0", "t", owned=tuple(kept), generation=2)
    sizes = [len(keys) for keys in cooperative_sticky(crowd, {"t": partitions}).values()]
    assert sum(sizes) == partitions
    assert max(sizes) - min(sizes) <= 1


def test_names_as_java_writes_them() -> None:
    text = "org.apache.kafka.clients.consumer.RangeAssignor, cooperative-sticky"
    assert assignor_names(text) == ["range", "cooperative-sticky"]
    with pytest.raises(ValueError, match="nope"):
        assignor_names("nope")
