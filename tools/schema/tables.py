"""Writes what finds a message by its number: the API table, the record tables, and the page of supported versions."""

from __future__ import annotations

from tools.schema.code import Lines, snake
from tools.schema.language import Message

# Apache Kafka advertises Produce from version 0, because clients of the librdkafka family look at that bound, but
# serves it from version 3.
ADVERTISED_FROM = {"Produce": 0}

API_HEAD = '''"""The table of APIs, by key. Generated from schemas/ by `./dev gen`: do not edit.

Importing it loads no message; `request_class` and `response_class` load a module when it is first asked for.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tidelog.protocol.primitives import Message


class Api(NamedTuple):
    key: int
    name: str
    module: str
    min_version: int
    max_version: int
    flexible_from: int | None
    on_broker: bool
    on_controller: bool
    advertised_from: int


def request_class(key: int) -> type[Message]:
    return _load(key, "Request")


def response_class(key: int) -> type[Message]:
    return _load(key, "Response")


@cache
def _load(key: int, side: str) -> type[Message]:
    api = APIS[key]
    found: type[Message] = getattr(import_module(f"{__name__}.{api.module}"), api.name + side)
    return found


'''

RECORD_HEAD = '''"""{title}

Generated from schemas/ by `./dev gen`: do not edit. Each class is imported when it is first asked for.
"""

# ruff: noqa
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

'''

RECORD_TAIL = """

def __getattr__(name: str) -> type[Message]:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: type[Message] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
"""

TITLES = {
    "metadata_records": "The records of the cluster's metadata log, its control records, and the quorum's state.",
    "group_records": "The records of `__consumer_offsets`, and what consumers tell each other through the group.",
    "txn_records": "The records of `__transaction_state`, transaction markers, and the producer snapshot.",
    "share_records": "The records of `__share_group_state`.",
    "tier_records": "The records of `__remote_log_metadata`.",
}


def stable_max(message: Message) -> int:
    return message.versions[1] if message.unstable is None else message.unstable - 1


def api_table(apis: list[list[Message]]) -> str:
    lines = Lines()
    with lines.block("APIS: dict[int, Api] = {"):
        for request, _ in sorted(apis, key=lambda pair: pair[0].key or 0):
            first = request.versions[0]
            row = [request.key, request.name, snake(request.name), first, stable_max(request), request.flexible_from]
            row += ["broker" in request.listeners, "controller" in request.listeners]
            row.append(ADVERTISED_FROM.get(request.name, first))
            lines(f"{request.key}: Api({', '.join(map(repr, row))}),")
    lines("}")
    return API_HEAD + lines.text()


def record_table(package: str, modules: dict[str, list[Message]]) -> str:
    lines = Lines()
    members = sorted((message.class_name, name, message) for name, part in modules.items() for message in part)
    with lines.block("if TYPE_CHECKING:"):
        lines("from tidelog.protocol.primitives import Message")
        lines()
        for class_name, name, _ in sorted(members, key=lambda member: member[1]):
            lines(f"from tidelog.protocol.{package}.{name} import {class_name} as {class_name}")
    lines()
    with lines.block("_MODULES = {"):
        for class_name, name, _ in members:
            lines(f'"{class_name}": "{name}",')
    lines("}")
    for kind, variable in (("record", "RECORDS"), ("key", "KEYS"), ("value", "VALUES")):
        rows = sorted((message.key, class_name) for class_name, _, message in members if message.kind == kind)
        if rows:
            lines()
            lines(f"# The {kind} type's number, and the class that reads it.")
            with lines.block(f"{variable} = {{"):
                for key, class_name in rows:
                    lines(f'{key}: "{class_name}",')
            lines("}")
    return RECORD_HEAD.replace("{title}", TITLES[package]) + lines.text() + RECORD_TAIL


def support_page(apis: list[list[Message]], served: set[int]) -> str:
    """`served`: the keys of those that a node answers; the others are known to our clients and tools only."""
    rows = [
        "# Protocol support",
        "",
        "Generated from `schemas/` and `src/tidelog/api` by `./dev gen`: do not edit.",
        "",
    ]
    rows += ["Where it says `no`, messages are read and written, but no node of ours answers or advertises them.", ""]
    rows += ["| key | API | versions | flexible from | at brokers | at controllers |", "|---|---|---|---|---|---|"]
    for request, _ in sorted(apis, key=lambda pair: pair[0].key or 0):
        flexible = "-" if request.flexible_from is None else str(request.flexible_from)
        answer = "yes" if request.key in served else "no"
        broker, controller = (answer if side in request.listeners else "-" for side in ("broker", "controller"))
        versions = f"{request.versions[0]}-{stable_max(request)}"
        rows.append(f"| {request.key} | {request.name} | {versions} | {flexible} | {broker} | {controller} |")
    return "\n".join(rows) + "\n"
