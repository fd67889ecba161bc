"""Where the Python of a schema lives."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tools.schema.code import snake
from tools.schema.language import Message
from tools.schema.modules import SIDES

PACKAGES = {
    "rpc": "messages",
    "header": "messages",
    "metadata": "metadata_records",
    "group": "group_records",
    "txn": "txn_records",
    "share": "share_records",
    "tier": "tier_records",
}


def module_name(message: Message) -> str:
    """Both halves of an API, and a record's key and value, share a module."""
    if message.kind == "header":
        return "headers"
    name = message.name
    if message.kind in {"key", "value"}:
        name = name.removesuffix("Key").removesuffix("Value")
    return snake(name)


def python_class(message: Message, name: str = "") -> Any:
    """The generated class of the message, or of its struct `name`."""
    found = import_module(f"tidelog.protocol.{PACKAGES[message.group]}.{module_name(message)}")
    if not name or name == message.class_name:
        return getattr(found, message.class_name)
    return getattr(found, SIDES.get(message.kind, "") + name, None) or getattr(found, name)
