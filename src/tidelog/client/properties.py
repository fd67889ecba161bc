"""Java properties files, as the command line and other clients read them."""

from __future__ import annotations

import re
from pathlib import Path

from tidelog.client.errors import SettingError

_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_KEY_END = re.compile(r"(?<!\\)(?:\\\\)*([=:\s])")


def read_properties(path: str) -> dict[str, str]:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SettingError(f"The properties file {path} cannot be read ({reason}); check the path") from None
    return parse_properties(text)


def parse_properties(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _logical_lines(text):
        end = _KEY_END.search(line)
        key, rest = (line[: end.start(1)], line[end.start(1) :]) if end else (line, "")
        value = re.sub(r"^\s*[=:]?\s*", "", rest, count=1)
        found[_unescape(key)] = _unescape(value)
    return found


def _logical_lines(text: str) -> list[str]:
    lines: list[str] = []
    pending = ""
    for raw in text.splitlines():
        line = raw.lstrip(" \t\f")
        if not pending and (not line or line[0] in "#!"):
            continue
        slashes = len(line) - len(line.rstrip("\\"))
        if slashes % 2:
            pending += line[:-1]
            continue
        lines.append(pending + line)
        pending = ""
    if pending:
        lines.append(pending)
    return lines


def _unescape(text: str) -> str:
    def replace(match: re.Match[str]) -> str:
        body = match.group(1)
        return chr(int(body[1:], 16)) if len(body) == 5 else _ESCAPES.get(body, body)

    return _ESCAPE.sub(replace, text)
