"""Rows to text: table, wide, json, yaml, csv. JSON and YAML have stable names; tables are for eyes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

FORMATS = ("table", "json", "yaml", "csv", "wide")

Row = dict[str, Any]


def show(rows: Iterable[Row], output: str, columns: Sequence[str] = (), wide: Sequence[str] = ()) -> None:
    """Prints rows; `columns` are those of a table, `wide` those that `-o wide` adds."""
    found = list(rows)
    if output == "json":
        print(_json(found))
    elif output == "yaml":
        print("\n".join(_yaml(found)) if found else "[]")
    elif output == "csv":
        _print_csv(found)
    else:
        names = [*(columns or (found[0] if found else ())), *(wide if output == "wide" else ())]
        print(table(found, names))


def show_one(row: Row, output: str) -> None:
    """Prints one thing: a line per field unless JSON, YAML or CSV is asked for."""
    if output == "json":
        print(_json(row))
    elif output == "yaml":
        print("\n".join(_yaml(row)))
    elif output == "csv":
        _print_csv([row])
    else:
        width = max(map(len, row), default=0)
        for name, value in row.items():
            print(f"{name + ':':<{width + 1}} {_cell(value)}")


def _json(value: Any) -> str:
    import json

    return json.dumps(value, indent=2, ensure_ascii=False)


def _print_csv(rows: list[Row]) -> None:
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    if rows:
        writer.writerow(rows[0])
    for row in rows:
        writer.writerow([_cell(value) for value in row.values()])


def table(rows: list[Row], names: Sequence[str]) -> str:
    """Columns as wide as their content, numbers to the right."""
    heads = [name.replace("_", "-").upper() for name in names]
    cells = [[_cell(row.get(name)) for name in names] for row in rows]
    widths = [max([len(head), *(len(line[i]) for line in cells)]) for i, head in enumerate(heads)]
    right = [all(isinstance(row.get(name), (int, float)) for row in rows) and bool(rows) for name in names]

    def line(parts: Sequence[str]) -> str:
        padded = [part.rjust(w) if r else part.ljust(w) for part, w, r in zip(parts, widths, right)]
        return "  ".join(padded).rstrip()

    return "\n".join([line(heads), *(line(parts) for parts in cells)])


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    if isinstance(value, dict):
        return ",".join(f"{name}={text}" for name, text in value.items())
    return str(value)


def _yaml(value: Any, indent: str = "") -> list[str]:
    if isinstance(value, dict):
        lines = []
        for name, item in value.items():
            if isinstance(item, (dict, list)) and item:
                lines += [f"{indent}{_scalar(name)}:", *_yaml(item, indent + "  ")]
            else:
                lines.append(f"{indent}{_scalar(name)}: {_scalar(item)}")
        return lines
    if isinstance(value, list):
        lines = []
        for item in value:
            body = _yaml(item, indent + "  ")
            lines.append(f"{indent}- {body[0].lstrip()}")
            lines += body[1:]
        return lines
    return [f"{indent}{_scalar(value)}"]


_PLAIN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/")
_WORDS = {"", "null", "true", "false", "yes", "no", "on", "off", "~"}


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, (list, dict)):
        return "[]" if isinstance(value, list) else "{}"
    text = str(value)
    looks_like_number = text[:1].isdigit() or text[:1] in "-."
    if set(text) <= _PLAIN and text.lower() not in _WORDS and not looks_like_number:
        return text
    import json

    return json.dumps(text, ensure_ascii=False)
