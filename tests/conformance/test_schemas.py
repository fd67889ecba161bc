"""Every field of every schema against the message definitions that Apache Kafka's jars carry.

Both sides are spelled out per version: what is on the wire, in which order, and with which default. A definition that
Apache has and the schemas lack fails too, so that an upgrade of the jars shows what is new.
"""

import json
import re
import zipfile
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from tools.schema.code import snake
from tools.schema.language import Field, Message, Struct, load_all

from peer.jars import jar
from peer.toolchain import needs

ARTIFACTS = (
    "kafka-clients",
    "kafka-metadata",
    "kafka-raft",
    "kafka-group-coordinator",
    "kafka-share-coordinator",
    "kafka-transaction-coordinator",
    "kafka-storage",
)
KINDS = {"metadata": "record", "coordinator-key": "key", "coordinator-value": "value"}
NATURAL = {"bool": "false", "string": "", "bytes": "", "records": "", "uuid": "zero"}

OURS = {message.class_name: message for message in load_all()}

Versions = tuple[int, int] | None


def definition(text: str) -> dict[str, Any]:
    """JSON with comment lines."""
    plain = re.sub(r"(?m)^\s*//.*$", "", text)
    found: dict[str, Any] = json.loads(re.sub(r'(?m)([,\[{\]}"])\s*//[^"\n]*$', r"\1", plain))
    return found


@cache
def theirs() -> dict[str, dict[str, Any]]:
    needs("java", "mvn")
    found = {}
    for artifact in ARTIFACTS:
        with zipfile.ZipFile(jar(artifact)) as archive:
            for name in archive.namelist():
                if name.endswith(".json") and re.match(r"(common/)?(message|metadata)/", name):
                    message = definition(archive.read(name).decode())
                    if message["validVersions"] != "none":
                        found[message["name"]] = message
    return found


def versions(text: str | None, outer: Versions = (0, 1 << 15)) -> Versions:
    if text in {None, "none"} or outer is None:
        return None
    assert text is not None
    first, plus, last = re.fullmatch(r"(\d+)(\+)?(?:-(\d+))?", text).groups()  # type: ignore[union-attr]
    end = outer[1] if plus else int(last or first)
    start, end = max(int(first), outer[0]), min(end, outer[1])
    return (start, end) if start <= end else None


def holds(outer: Versions, version: int) -> bool:
    return outer is not None and outer[0] <= version <= outer[1]


def their_lines(message: dict[str, Any], version: int) -> list[tuple[Any, ...]]:
    shared = {struct["name"]: struct["fields"] for struct in message.get("commonStructs", [])}
    flexible = holds(versions(message.get("flexibleVersions")), version)

    def walk(fields: list[dict[str, Any]], path: str) -> Iterator[tuple[Any, ...]]:
        for field in fields:
            if not holds(versions(field.get("versions") or field["taggedVersions"]), version):
                continue
            name, kind = path + snake(field["name"]), field["type"]
            nullable = holds(versions(field.get("nullableVersions")), version)
            tag = field["tag"] if holds(versions(field.get("taggedVersions")), version) else None
            compact = flexible and field.get("flexibleVersions") != "none"
            ignorable = field.get("ignorable", False) in {True, "true"}
            yield name, kind, nullable, tag, their_default(field), compact, ignorable
            inner = field.get("fields") or shared.get(kind.removeprefix("[]"), [])
            yield from walk(inner, f"{name}.")

    return list(walk(message["fields"], ""))


def their_default(field: dict[str, Any]) -> str:
    written = field.get("default")
    # A JSON null is no default at all to Apache's generator; the string "null" is.
    if written is None:
        return natural(field["type"])
    if written == "null":
        return "null"
    if re.fullmatch(r"u?int\d+", field["type"]):
        return str(int(str(written), 0))
    return str(written).lower() if field["type"] == "bool" else str(written)


def natural(kind: str) -> str:
    if kind.startswith("[]"):
        return "empty"
    return NATURAL.get(kind, "0" if kind[0].islower() else "struct")


def our_lines(message: Message, version: int) -> list[tuple[Any, ...]]:
    flexible = message.flexible_from is not None and version >= message.flexible_from

    def walk(struct: Struct, path: str) -> Iterator[tuple[Any, ...]]:
        for field in struct.fields:
            if not holds(field.versions, version):
                continue
            name, kind = path + field.name, ("[]" if field.array else "") + field.type
            default = natural(kind) if field.default is None else field.default
            compact = flexible and not field.plain
            yield name, kind, holds(field.nullable, version), field.tag, default, compact, field.ignorable
            yield from walk(message.structs[field.type], f"{name}.") if field.is_struct else ()

    return list(walk(message.root, ""))


def test_every_definition_has_a_schema() -> None:
    assert set(theirs()) == set(OURS)


@pytest.mark.parametrize("name", sorted(OURS))
def test_schema_is_apaches(name: str) -> None:
    theirs_now, ours = theirs()[name], OURS[name]
    valid = versions(theirs_now["validVersions"])
    assert valid == ours.versions
    assert (versions(theirs_now.get("flexibleVersions"), valid) or (None, None))[0] == ours.flexible_from
    assert KINDS.get(theirs_now["type"], theirs_now["type"]) == ours.kind
    if ours.kind != "data":
        assert theirs_now.get("apiKey") == ours.key
    assert tuple(sorted(theirs_now.get("listeners", ()))) == ours.listeners
    assert (ours.versions[1] if theirs_now.get("latestVersionUnstable") is True else None) == ours.unstable
    for version in range(ours.versions[0], ours.versions[1] + 1):
        assert our_lines(ours, version) == their_lines(theirs_now, version), f"version {version}"


def test_the_comparison_sees_a_difference() -> None:
    """One changed fact of one field must not pass."""
    message = OURS["ProduceRequest"]
    seen = our_lines(message, 9)
    field: Field = message.structs["PartitionProduceData"].fields[0]
    field.type = "int64"
    try:
        assert our_lines(message, 9) != seen
    finally:
        field.type = "int32"
