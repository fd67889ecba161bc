"""The records of `__share_group_state`.

Generated from schemas/ by `./dev gen`: do not edit. Each class is imported when it is first asked for.
"""

# ruff: noqa
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidelog.protocol.primitives import Message

    from tidelog.protocol.share_records.share_snapshot import ShareSnapshotKey as ShareSnapshotKey
    from tidelog.protocol.share_records.share_snapshot import ShareSnapshotValue as ShareSnapshotValue
    from tidelog.protocol.share_records.share_update import ShareUpdateKey as ShareUpdateKey
    from tidelog.protocol.share_records.share_update import ShareUpdateValue as ShareUpdateValue

_MODULES = {
    "ShareSnapshotKey": "share_snapshot",
    "ShareSnapshotValue": "share_snapshot",
    "ShareUpdateKey": "share_update",
    "ShareUpdateValue": "share_update",
}

# The key type's number, and the class that reads it.
KEYS = {
    0: "ShareSnapshotKey",
    1: "ShareUpdateKey",
}

# The value type's number, and the class that reads it.
VALUES = {
    0: "ShareSnapshotValue",
    1: "ShareUpdateValue",
}


def __getattr__(name: str) -> type[Message]:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: type[Message] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
