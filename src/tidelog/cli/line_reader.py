"""Lines to records, as the console producer reads them: optional headers, optional key, value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from tidelog.cli.tool import Failure


class LineRecord(NamedTuple):
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...]


class LineReader:
    """The reader's properties have Apache's names: parse.key, key.separator, parse.headers, null.marker, ..."""

    def __init__(self, properties: Mapping[str, str]) -> None:
        self._parse_key = _is_true(properties, "parse.key")
        self._parse_headers = _is_true(properties, "parse.headers")
        self._ignore_error = _is_true(properties, "ignore.error")
        self._key_separator = properties.get("key.separator", "\t").encode()
        self._headers_delimiter = properties.get("headers.delimiter", "\t").encode()
        self._headers_separator = properties.get("headers.separator", ",").encode()
        self._headers_key_separator = properties.get("headers.key.separator", ":").encode()
        marker = properties.get("null.marker")
        self._null_marker = None if marker is None else marker.encode()
        self._line_number = 0
        self._check()

    def _check(self) -> None:
        named = {
            "headers.delimiter": self._headers_delimiter,
            "headers.separator": self._headers_separator,
            "headers.key.separator": self._headers_key_separator,
        }
        names = list(named)
        for i, first in enumerate(names):
            for second in names[i + 1 :]:
                if named[first] == named[second]:
                    raise Failure(f"{first} and {second} may not be equal")
        for name, value in {"key.separator": self._key_separator, **named}.items():
            if value == self._null_marker:
                raise Failure(f"null.marker and {name} may not be equal")

    def parse(self, line: bytes) -> LineRecord:
        self._line_number += 1
        headers, start = self._cut(self._parse_headers, line, 0, self._headers_delimiter, "headers delimiter")
        key, start = self._cut(self._parse_key, line, start, self._key_separator, "key separator")
        found = () if headers is None or headers == self._null_marker else self._split_headers(headers)
        return LineRecord(self._or_null(key), self._or_null(line[start:]), found)

    def _or_null(self, part: bytes | None) -> bytes | None:
        return None if part == self._null_marker else part

    def _cut(self, enabled: bool, line: bytes, start: int, mark: bytes, name: str) -> tuple[bytes | None, int]:
        if not enabled:
            return None, start
        end = line.find(mark, start)
        if end >= 0:
            return line[start:end], end + len(mark)
        if self._ignore_error:
            return None, start
        text = line.decode(errors="replace")
        raise Failure(f"No {name} found on line number {self._line_number}: '{text}'")

    def _split_headers(self, text: bytes) -> tuple[tuple[str, bytes | None], ...]:
        found: list[tuple[str, bytes | None]] = []
        for pair in re.split(self._headers_separator, text):
            name, mark, value = pair.partition(self._headers_key_separator)
            if not mark and not self._ignore_error:
                shown = pair.decode(errors="replace")
                raise Failure(f"No header key separator found in pair '{shown}' on line number {self._line_number}")
            if mark and name == self._null_marker:
                raise Failure(
                    f"Header keys should not be equal to the null marker '{name.decode(errors='replace')}' "
                    "as they can't be null"
                )
            found.append((name.decode(errors="replace"), self._or_null(value) if mark else None))
        return tuple(found)


def _is_true(properties: Mapping[str, str], name: str) -> bool:
    return properties.get(name, "").strip().lower() == "true"


class LineSplitter:
    """Chunks of bytes to lines; \\n, \\r and \\r\\n all end one."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that are complete; an empty chunk is the end of the input and completes the last."""
        data = self._rest + chunk
        self._rest = b""
        if not chunk:
            return data.splitlines()
        if data.endswith(b"\r"):  # perhaps half of \r\n
            cut = data.rfind(b"\n", 0, -1) + 1
            data, self._rest = data[:cut], data[cut:]
        lines = data.splitlines(keepends=True)
        if lines and not lines[-1].endswith((b"\n", b"\r")):
            self._rest = lines.pop()
        return [line.rstrip(b"\r\n") if line.endswith(b"\r\n") else line[:-1] for line in lines]
