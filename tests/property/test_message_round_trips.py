"""Any value of any message, at any version, survives its own bytes; strategies come from the schemas."""

from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tools.schema.language import Field, Message, Struct, load_all
from tools.schema.places import python_class
from tools.schema.samples import integer_limits

MESSAGES = {message.class_name: message for message in load_all()}
TEXT = st.text(max_size=5)
BYTES = st.binary(max_size=5)
SIMPLE: dict[str, st.SearchStrategy[Any]] = {
    "bool": st.booleans(),
    "float64": st.floats(allow_nan=False),
    "uuid": st.binary(min_size=16, max_size=16),
    "string": TEXT,
    "bytes": BYTES,
    "records": BYTES,
}


def element(message: Message, field: Field, version: int) -> st.SearchStrategy[Any]:
    if field.is_struct:
        return instances(message, message.structs[field.type], version)
    return SIMPLE[field.type] if field.type in SIMPLE else st.integers(*integer_limits(field.type))


def value(message: Message, field: Field, version: int) -> st.SearchStrategy[Any]:
    found = element(message, field, version)
    if field.array:
        found = st.lists(found, max_size=2)
    if field.nullable and field.nullable[0] <= version <= field.nullable[1]:
        found = st.none() | found
    return found


def instances(message: Message, struct: Struct, version: int) -> st.SearchStrategy[Any]:
    """Fields that the version lacks keep their defaults, as they do after decoding."""
    carried = [field for field in struct.fields if field.versions[0] <= version <= field.versions[1]]
    values = {field.name: value(message, field, version) for field in carried}
    cls = python_class(message, struct.name)
    return st.fixed_dictionaries(values).map(lambda drawn: cls(**drawn))


@cache
def messages(name: str) -> st.SearchStrategy[tuple[int, Any]]:
    message = MESSAGES[name]
    versions = range(message.versions[0], message.versions[1] + 1)
    return st.one_of(
        [instances(message, message.root, version).map(lambda i, v=version: (v, i)) for version in versions]
    )


@pytest.mark.parametrize("name", sorted(MESSAGES))
@settings(max_examples=12, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_round_trip(name: str, data: st.DataObject) -> None:
    version, message = data.draw(messages(name))
    encoded = message.encode(version)
    assert type(message).decode(encoded, version) == message
    assert b"".join(message.encode_parts(version)) == encoded
