"""Log levels of this process as a resource: loggers are the keys, levels by Apache Kafka's names the values.

Nothing of it is kept: a restart brings back the levels of the start.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from tidelog.controller.configs import APPEND, DELETE, SET, SUBTRACT, Change
from tidelog.protocol.errors import ErrorCode, KafkaError

ROOT = "root"
LEVELS = {
    "TRACE": 5,
    "DEBUG": logging.DEBUG,
    "INFO": logging.INFO,
    "WARN": logging.WARNING,
    "ERROR": logging.ERROR,
    "FATAL": logging.CRITICAL,
}


def levels() -> dict[str, str]:
    """The level in force for each logger there is."""
    found = {ROOT: _name(logging.getLogger().getEffectiveLevel())}
    for name, logger in sorted(logging.root.manager.loggerDict.items()):
        if isinstance(logger, logging.Logger):
            found[name] = _name(logger.getEffectiveLevel())
    return found


def change_levels(changes: Sequence[Change], validate_only: bool) -> None:
    """All of them or none; KafkaError says what is wrong."""
    known = levels()
    for name, operation, value in changes:
        if operation in (APPEND, SUBTRACT):
            word = "APPEND" if operation == APPEND else "SUBTRACT"
            raise KafkaError(
                ErrorCode.INVALID_REQUEST, f"{word} operation is not allowed for the BROKER_LOGGER resource"
            )
        if operation == DELETE and name == ROOT:
            raise KafkaError(ErrorCode.INVALID_REQUEST, "Removing the log level of the root logger is not allowed")
        if name not in known:
            raise KafkaError(ErrorCode.INVALID_CONFIG, f"Logger {name} does not exist!")
        if operation == SET and value not in LEVELS:
            raise KafkaError(
                ErrorCode.INVALID_CONFIG,
                f"Cannot set the log level of {name} to {value} as it is not a supported log level. Valid log levels "
                f"are {', '.join(sorted(LEVELS))}",
            )
    if not validate_only:
        for name, operation, value in changes:
            level = LEVELS[value or ""] if operation == SET else logging.NOTSET
            logging.getLogger(None if name == ROOT else name).setLevel(level)


def _name(level: int) -> str:
    return next((name for name, number in reversed(LEVELS.items()) if level >= number), "TRACE")
