"""Server-side assignors: who gets which partitions, from subscriptions, topics and what everyone had before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from tidelog.coordinator.group.assignors_mixed import assign_mixed
from tidelog.coordinator.group.assignors_range import assign_range
from tidelog.coordinator.group.assignors_spec import Assignments, MemberSpec
from tidelog.coordinator.group.assignors_uniform import assign_uniform
from tidelog.coordinator.group.consumer_topics import TopicInfo

__all__ = ["ASSIGNORS", "Assignments", "Assignor", "MemberSpec", "assign"]

Members = Mapping[str, MemberSpec]
Topics = Mapping[bytes, TopicInfo]


class Assignor(NamedTuple):
    name: str
    assign: Callable[[Members, Topics], Assignments]


def _uniform(members: Members, topics: Topics) -> Assignments:
    """The common case, in which all subscribe to the same, needs no search."""
    subscriptions = {spec.topics for spec in members.values()}
    return assign_uniform(members, topics) if len(subscriptions) == 1 else assign_mixed(members, topics)


ASSIGNORS = {each.name: each for each in (Assignor("uniform", _uniform), Assignor("range", assign_range))}


def assign(name: str, members: Members, topics: Topics) -> Assignments:
    if not members:
        return {}
    return ASSIGNORS[name].assign(members, topics)
