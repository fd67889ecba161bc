"""The record of a classic group, compiled and plain, against the generated codec."""

from __future__ import annotations

import contextlib
from importlib import import_module
from types import ModuleType

import pytest

from tidelog.kernels import groups
from tidelog.protocol.group_records.group_metadata import GroupMetadataValue, MemberMetadata

FORMS = [pytest.param(groups, id="plain")]
with contextlib.suppress(ImportError):
    FORMS.append(pytest.param(import_module("tidelog._compiled.groups"), id="compiled"))
pytestmark = pytest.mark.parametrize("kernel", FORMS)

MEMBERS = [
    ("m", None, "client", "/127.0.0.1", 60_000, 45_000, b"", b"x" * 200),
    ("ü" * 100, "instance", "", "", -1, 2**31 - 1, b"s" * 127, b""),
    ("", "", "c" * 126, "h" * 127, 0, -1, b"s" * 20_000, b"a"),
]

FIELDS = MemberMetadata.__slots__


@pytest.mark.parametrize("count", [0, 1, 3, 300])
@pytest.mark.parametrize("names", [("consumer", "range", "m"), ("", None, None), ("connect", "", "ü" * 200)])
def test_groups_are_written_as_the_schema_has_them(
    kernel: ModuleType, names: tuple[str, str | None, str | None], count: int
) -> None:
    members = (MEMBERS * 100)[:count]
    expected = GroupMetadataValue(
        protocol_type=names[0],
        generation=7,
        protocol=names[1],
        leader=names[2],
        current_state_timestamp=1_700_000_000_000,
        members=[MemberMetadata(**dict(zip(FIELDS, member, strict=True))) for member in members],
    )
    written = kernel.encode_group(names[0], 7, names[1], names[2], 1_700_000_000_000, members)
    assert written == b"\0\4" + expected.encode(4)


def test_a_name_that_no_record_can_hold_is_refused(kernel: ModuleType) -> None:
    member = ("m" * 32_768, *MEMBERS[0][1:])
    with pytest.raises(ValueError, match="too long"):
        kernel.encode_group("consumer", 1, "range", "m", 0, [member])
