"""Log lines: one line each, `key=value`, nothing a client sent can break out of its quotes."""

from __future__ import annotations

import json
import logging
import sys
import time

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@+")


def quoted(value: object) -> str:
    """The value as it stands if it is plain, else as a JSON string: control characters and quotes are escaped."""
    text = str(value)
    return text if text and _PLAIN.issuperset(text) else json.dumps(text)


class LineFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line = (
            f"time={stamp}.{int(record.msecs):03d}Z level={record.levelname.lower()} "
            f"logger={record.name.removeprefix('tidelog.')} msg={quoted(record.getMessage())}"
        )
        if record.exc_info and record.exc_info[0] is not None:
            line += f" error={quoted(self.formatException(record.exc_info))}"
        return line


def configure(level: str = "INFO") -> None:
    """Lines go to standard error; standard output belongs to the lines that scripts wait for."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LineFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
