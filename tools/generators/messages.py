"""Generates the messages of the protocol from `schemas/`: a module per API or record, and the tables that find them."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from tools.schema.language import Message, load_all
from tools.schema.modules import write_module
from tools.schema.places import PACKAGES, module_name
from tools.schema.tables import api_table, record_table, support_page

PROTOCOL = "src/tidelog/protocol"
API_MODULES = Path(__file__).resolve().parents[2] / "src" / "tidelog" / "api"


def title(messages: list[Message]) -> str:
    return " and ".join(message.class_name for message in messages) + "."


def outputs() -> dict[str, str]:
    modules: dict[tuple[str, str], list[Message]] = defaultdict(list)
    for message in load_all():
        modules[PACKAGES[message.group], module_name(message)].append(message)
    found = {
        f"{PROTOCOL}/{package}/{name}.py": write_module(part, title(part)) for (package, name), part in modules.items()
    }
    apis = [part for (package, _), part in modules.items() if package == "messages" and part[0].kind == "request"]
    found[f"{PROTOCOL}/messages/__init__.py"] = api_table(apis)
    for package in sorted(set(PACKAGES.values()) - {"messages"}):
        members = {name: part for (holder, name), part in modules.items() if holder == package}
        found[f"{PROTOCOL}/{package}/__init__.py"] = record_table(package, members)
    return formatted(found) | {"docs/protocol_support.md": support_page(apis, served())}


def served() -> set[int]:
    """The APIs that have a module of their own."""
    return {int(path.name[1:3]) for path in API_MODULES.glob("k[0-9][0-9]_*.py")}


def formatted(modules: dict[str, str]) -> dict[str, str]:
    """Passes the Python through ruff, so that the formatter never complains about a generated file."""
    with tempfile.TemporaryDirectory() as folder:
        places = {name: Path(folder) / str(number) / "module.py" for number, name in enumerate(modules)}
        for name, place in places.items():
            place.parent.mkdir()
            place.write_text(modules[name])
        subprocess.run(
            [sys.executable, "-m", "ruff", "format", "-q", "--line-length", "120", "--isolated", folder], check=True
        )
        return {name: place.read_text() for name, place in places.items()}
