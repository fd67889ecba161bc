"""Plans of kafka-reassign-partitions: the JSON files it reads and writes, throttles, and where replicas should go."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tidelog.cli.tool import Failure

TopicPartition = tuple[str, int]
ANY = "any"


class Target(NamedTuple):
    replicas: tuple[int, ...]
    log_dirs: tuple[str, ...]


class Replica(NamedTuple):
    topic: str
    partition: int
    broker: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}-{self.broker}"


def read_json(path: str) -> Any:
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError:
        raise Failure(f"Unable to read file {path}") from None
    except ValueError as error:
        raise Failure(f"{path} is not JSON: {error}") from None


def read_plan(path: str) -> dict[TopicPartition, Target]:
    content = read_json(path)
    _check_kind(content)
    rows: list[tuple[TopicPartition, Target]] = []
    try:
        for each in content.get("partitions", ()):
            replicas = tuple(map(int, each["replicas"]))
            dirs = tuple(map(str, each.get("log_dirs") or [ANY] * len(replicas)))
            rows.append(((str(each["topic"]), int(each["partition"])), Target(replicas, dirs)))
    except (KeyError, TypeError, ValueError):
        raise Failure(f"Each partition in {path} needs a topic, a partition and replicas") from None
    _check(rows)
    return dict(rows)


def _check_kind(content: Any) -> None:
    if not isinstance(content, dict):
        raise Failure(f"Expected JSON object, received {json.dumps(content, separators=(',', ':'))}")
    if content.get("version", 1) != 1:
        raise Failure(f"Not supported version field value {content['version']}")


def _list(found: Iterable[object]) -> str:
    return f"[{', '.join(map(str, found))}]"


def _check(rows: Sequence[tuple[TopicPartition, Target]]) -> None:
    if any(not target.replicas for _, target in rows):
        raise Failure("Partition replica list cannot be empty")
    keys = [key for key, _ in rows]
    doubled = dict.fromkeys(each for each in keys if keys.count(each) > 1)
    if doubled:
        raise Failure(f"Partition reassignment contains duplicate topic partitions: {names_of(doubled)}")
    lists = [
        f"{name_of(key)} contains multiple entries for "
        f"{','.join(map(str, dict.fromkeys(each for each in target.replicas if target.replicas.count(each) > 1)))}"
        for key, target in rows
        if len(set(target.replicas)) != len(target.replicas)
    ]
    if lists:
        raise Failure(f"Partition replica lists may not contain duplicate entries: {'. '.join(lists)}")
    for key, target in rows:
        if len(target.replicas) != len(target.log_dirs):
            raise Failure(
                f"Size of replicas list {_list(target.replicas)} is different from size of log dirs list "
                f"{_list(target.log_dirs)} for partition {name_of(key)}"
            )


def write_plan(plan: Mapping[TopicPartition, Target]) -> str:
    """One line, in the order of names."""
    rows = [
        {
            "topic": topic,
            "partition": partition,
            "replicas": list(plan[topic, partition].replicas),
            "log_dirs": list(plan[topic, partition].log_dirs),
        }
        for topic, partition in sorted(plan)
    ]
    return json.dumps({"version": 1, "partitions": rows}, separators=(",", ":"), ensure_ascii=False)


def read_topics(path: str) -> list[str]:
    content = read_json(path)
    _check_kind(content)
    try:
        found = [str(each["topic"]) for each in content.get("topics", ())]
    except (KeyError, TypeError):
        raise Failure(f'{path} must be as {{"topics": [{{"topic": "t"}}], "version": 1}}') from None
    doubled = dict.fromkeys(each for each in found if found.count(each) > 1)
    if doubled:
        raise Failure(f"List of topics to reassign contains duplicate entries: {_list(doubled)}")
    return found


def read_brokers(text: str) -> list[int]:
    try:
        found = [int(each) for each in text.split(",")]
    except ValueError:
        raise Failure(f"Broker list contains a word that is no broker id: {text}") from None
    doubled = dict.fromkeys(each for each in found if found.count(each) > 1)
    if doubled:
        raise Failure(f"Broker list contains duplicate entries: {_list(doubled)}")
    return found


class Throttles(NamedTuple):
    """For each topic: which replicas are slowed down when they send, and which when they receive."""

    leaders: dict[str, str]
    followers: dict[str, str]


class Move(NamedTuple):
    """Who has a partition, and who is to get it."""

    sources: tuple[int, ...]
    destinations: tuple[int, ...]


def throttles(moves: Mapping[TopicPartition, Move]) -> Throttles:
    """Everybody who has a partition of the plan is slowed down in sending it, moves or not."""
    leaders: dict[str, list[tuple[int, int]]] = {}
    followers: dict[str, list[tuple[int, int]]] = {}
    for (topic, partition), move in sorted(moves.items()):
        leaders.setdefault(topic, []).extend((partition, each) for each in move.sources)
        followers.setdefault(topic, []).extend((partition, each) for each in move.destinations)
    return Throttles(
        {topic: _pairs(each) for topic, each in leaders.items()},
        {topic: _pairs(each) for topic, each in followers.items()},
    )


def _pairs(found: Iterable[tuple[int, int]]) -> str:
    return ",".join(f"{partition}:{broker}" for partition, broker in sorted(found))


def name_of(key: TopicPartition) -> str:
    return f"{key[0]}-{key[1]}"


def names_of(keys: Iterable[TopicPartition]) -> str:
    return ",".join(map(name_of, keys))
