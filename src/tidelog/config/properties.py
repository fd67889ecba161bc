"""Java properties files: read (comments, continued lines, escapes, all three separators) and written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_BLANK = " \t\f"


def parse_properties(text: str) -> dict[str, str]:
    """The pairs of a properties file; a key given twice keeps its last value, as Java does."""
    found = {}
    for line in _logical_lines(text):
        key, value = _split(line)
        found[_unescape(key)] = _unescape(value)
    return found


def format_properties(values: Mapping[str, str], comment: str = "") -> str:
    lines = [f"#{line}" for line in comment.splitlines()]
    lines += [f"{_escape(key, True)}={_escape(value, False)}" for key, value in values.items()]
    return "\n".join(lines) + "\n"


def _logical_lines(text: str) -> Iterator[str]:
    pending = ""
    for raw in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        line = raw.lstrip(_BLANK)
        if not pending and (not line or line[0] in "#!"):
            continue
        backslashes = len(line) - len(line.rstrip("\\"))
        if backslashes % 2:
            pending += line[:-1]
            continue
        yield pending + line
        pending = ""
    if pending:
        yield pending


def _split(line: str) -> tuple[str, str]:
    position = 0
    while position < len(line) and line[position] not in "=:" + _BLANK:
        position += 2 if line[position] == "\\" else 1
    key, rest = line[:position], line[position:].lstrip(_BLANK)
    if rest[:1] in {"=", ":"}:
        rest = rest[1:].lstrip(_BLANK)
    return key, rest


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    out, position = [], 0
    while position < len(text):
        char = text[position]
        if char != "\\" or position + 1 == len(text):
            out.append(char if char != "\\" else "")
            position += 1
        elif text[position + 1] == "u":
            out.append(_unicode(text[position + 2 : position + 6]))
            position += 6
        else:
            out.append(_ESCAPES.get(text[position + 1], text[position + 1]))
            position += 2
    return "".join(out)


def _unicode(digits: str) -> str:
    if len(digits) == 4 and all(digit in "0123456789abcdefABCDEF" for digit in digits):
        return chr(int(digits, 16))
    raise ValueError(f"a properties file has the escape \\u{digits}; write four hexadecimal digits after \\u")


def _escape(text: str, is_key: bool) -> str:
    out = []
    for index, char in enumerate(text):
        if char in "\\\n\r\t\f":
            out.append({"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f"}[char])
        elif char in "=:#!" or (char == " " and (is_key or index == 0)):
            out.append("\\" + char)
        elif not " " <= char <= "~":
            out.append(f"\\u{ord(char):04X}")
        else:
            out.append(char)
    return "".join(out)
