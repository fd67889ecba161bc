"""Our bytes against Apache Kafka's own codec, for every message and version: it reads what we write, whole, and writes
the same bytes again. The error table is compared by the same program."""

import subprocess
from functools import cache
from pathlib import Path
from random import Random

import pytest
from tools.schema.language import Message, load_all
from tools.schema.places import python_class
from tools.schema.samples import Sampler

from peer.programs import java_program
from tidelog.protocol.errors import ErrorCode

SAMPLES = 6
MESSAGES = {message.class_name: message for message in load_all()}

Case = tuple[str, int, bytes]


def ask(*args: str, lines: list[str]) -> list[str]:
    command = java_program(Path(__file__).parent / "messages_oracle", "MessagesOracle")
    done = subprocess.run([*command, *args], input="\n".join(lines), capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


def samples(message: Message) -> list[Case]:
    """Some instances per version."""
    sampler = Sampler(Random(message.class_name), message)
    every = range(message.versions[0], message.versions[1] + 1)
    return [
        (message.class_name, version, sampler.instance(version).encode(version))
        for version in every
        for _ in range(SAMPLES)
    ]


def fresh(message: Message) -> list[Case]:
    """An instance of defaults per version. Apache's has null records, which not every version can carry."""
    if any(field.type == "records" for struct in message.structs.values() for field in struct.fields):
        return []
    every = range(message.versions[0], message.versions[1] + 1)
    return [(message.class_name, version, python_class(message)().encode(version)) for version in every]


@cache
def answers() -> dict[Case, str]:
    """One JVM answers for all."""
    questions = {case: case[2].hex() for message in MESSAGES.values() for case in samples(message)}
    defaults = {(*case[:2], b"default"): "default" for message in MESSAGES.values() for case in fresh(message)}
    questions |= defaults
    given = ask(lines=[f"{name} {version} {data}" for (name, version, _), data in questions.items()])
    assert len(given) == len(questions)
    return dict(zip(questions, given, strict=True))


@pytest.mark.parametrize("name", sorted(MESSAGES))
def test_apache_reads_and_writes_the_same_bytes(name: str) -> None:
    for case in samples(MESSAGES[name]):
        _, version, data = case
        assert answers()[case] == data.hex(), f"version {version}"


@pytest.mark.parametrize("name", sorted(MESSAGES))
def test_defaults_are_apaches(name: str) -> None:
    for _, version, data in fresh(MESSAGES[name]):
        assert answers()[name, version, b"default"] == data.hex(), f"version {version}"


def test_the_oracle_refuses_what_is_not_the_message() -> None:
    good = python_class(MESSAGES["FetchRequest"])().encode(12)
    for bad in (good[:-1], good + b"\0"):
        (answer,) = ask(lines=[f"FetchRequest 12 {bad.hex()}"])
        assert answer.startswith("refused")


def test_the_error_table_is_apaches() -> None:
    rows = [line.split() for line in ask("errors", lines=[])]
    theirs = {(int(code), name, again == "true", stale == "true") for code, name, again, stale in rows}
    assert theirs == {(code.value, code.name, code.retriable, code.refreshes_metadata) for code in ErrorCode}
