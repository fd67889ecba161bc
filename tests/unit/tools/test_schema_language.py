"""The message language: what it says, and what it refuses."""

import pytest
from tools.schema.language import SchemaError, parse

SCHEMA = """\
request Sample: key 7, versions 2-9, flexible 5+, unstable 9, on broker controller

name      string?7+   = null
count     int32       4-6  = -1  ignorable
tagged    bytes       5+   @3
parts     []Part?
  at      int64
  inner   Shared      6+
    deep  []int16
left      Other

struct Other
  id  uuid
"""


def test_a_schema_says_what_it_means() -> None:
    message = parse(SCHEMA, "rpc")
    assert (message.key, message.versions, message.flexible_from, message.unstable) == (7, (2, 9), 5, 9)
    assert message.listeners == ("broker", "controller")
    assert list(message.structs) == ["Shared", "Part", "Other", "SampleRequest"]
    name, count, tagged, parts, left = message.root.fields
    assert (name.nullable, name.null_default, name.versions) == ((7, 9), True, (2, 9))
    assert (count.versions, count.default, count.ignorable) == ((4, 6), "-1", True)
    assert (tagged.tag, tagged.versions) == (3, (5, 9))
    assert (parts.array, parts.nullable, parts.is_struct) == (True, (2, 9), True)
    assert message.structs["Shared"].fields[0].versions == (6, 9)
    assert left.type == "Other"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("x int32 soon", "'soon' of x is not understood"),
        ("x int32 12+", "no version of 12"),
        ("x Nowhere", "struct Nowhere is not described"),
        ("x []Part\n  a int8\ny []Part\n  b int8", "described twice"),
        ("x int32\n    y int32", "indented too far"),
        ("struct Unused\n  a int8", "unused structs"),
    ],
)
def test_what_is_not_understood_is_named(line: str, reason: str) -> None:
    with pytest.raises(SchemaError, match=reason):
        parse(f"request Sample: key 7, versions 0-1\n\n{line}\n", "rpc")


def test_an_unknown_fact_in_the_first_line_is_named() -> None:
    with pytest.raises(SchemaError, match="colour"):
        parse("request Sample: key 7, versions 0-1, colour red\n", "rpc")
