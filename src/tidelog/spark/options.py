"""The options of `format("tidelog")`: the names of Spark's own Kafka source, checked before anything is done.

A name that is not known is an error, because a misspelt `maxOffsetsPerTrigger` would otherwise do nothing in silence.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping
from typing import Any

from tidelog.client.errors import ClientError, SettingError
from tidelog.client.sasl import Credentials
from tidelog.client.settings import COMMON, CONSUMER, PRODUCER, ClientSettings
from tidelog.client.tls import tls_context

EARLIEST, LATEST = -2, -1
"""Offsets that stand for the start and the end of a partition, as in Spark's JSON."""

SOURCE_OPTIONS = {
    "subscribe", "subscribePattern", "assign", "startingOffsets", "endingOffsets", "startingTimestamp",
    "endingTimestamp", "startingOffsetsByTimestamp", "endingOffsetsByTimestamp", "startingOffsetsByTimestampStrategy",
    "maxOffsetsPerTrigger", "minOffsetsPerTrigger", "maxTriggerDelay", "maxBytesPerTrigger", "maxRecordsPerPartition",
    "minPartitions", "failOnDataLoss", "includeHeaders", "groupIdPrefix", "kafkaConsumer.pollTimeoutMs",
    "fetchOffset.numRetries", "fetchOffset.retryIntervalMs", "rowsPerBatch",
}  # fmt: skip
SINK_OPTIONS = {"topic", "exactlyOnce", "transactionalIdPrefix", "intentsTopic", "includeHeaders"}
SPARKS_OWN = {"path", "checkpointlocation", "queryname", "truncate", "numrows"}
REFUSED = {
    "kafka.auto.offset.reset": "use startingOffsets instead",
    "kafka.key.deserializer": "keys are read as bytes; decode them with DataFrame operations",
    "kafka.value.deserializer": "values are read as bytes; decode them with DataFrame operations",
    "kafka.key.serializer": "keys are written as strings or bytes; encode them with DataFrame operations",
    "kafka.value.serializer": "values are written as strings or bytes; encode them with DataFrame operations",
    "kafka.enable.auto.commit": "the offsets of a query are committed after each batch",
    "kafka.interceptor.classes": "interceptors could break the query",
}
_UNITS_MS = {"ms": 1, "s": 1_000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}


class OptionError(ClientError):
    """An option that cannot be used; the text says what to write instead."""


def advice(name: str, known: set[str]) -> str:
    """What to do about a name that is not known."""
    names = {each.lower(): each for each in known}
    close = difflib.get_close_matches(name.lower(), names, 1)
    return f"did you mean {names[close[0]]}?" if close else "docs/spark.md lists the options"


class Options:
    """Options by their name, whatever its case."""

    def __init__(self, given: Mapping[str, str], known: set[str]) -> None:
        self._given = {name.lower(): str(value) for name, value in given.items()}
        for name in self._given:
            self._check_name(name, known)
        if not self.text("kafka.bootstrap.servers"):
            raise OptionError(
                "The option kafka.bootstrap.servers is missing; name a broker, for example "
                '.option("kafka.bootstrap.servers", "localhost:9092")'
            )

    def _check_name(self, name: str, known: set[str]) -> None:
        if name in REFUSED:
            raise OptionError(f"The option {name} cannot be set: {REFUSED[name]}")
        if name.startswith("kafka.") or name in SPARKS_OWN:
            return
        if name not in {each.lower() for each in known}:
            raise OptionError(f"There is no option '{name}'; {advice(name, known)}")

    def text(self, name: str, default: str = "") -> str:
        return self._given.get(name.lower(), default).strip()

    def has(self, name: str) -> bool:
        return name.lower() in self._given

    def number(self, name: str, low: int = 1) -> int | None:
        if not self.has(name):
            return None
        try:
            value = int(self.text(name))
        except ValueError:
            value = low - 1
        if value < low:
            raise OptionError(f"The option {name} must be a whole number of at least {low}, not '{self.text(name)}'")
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self.text(name, str(default)).lower()
        if value not in ("true", "false"):
            raise OptionError(f"The option {name} must be true or false, not '{self.text(name)}'")
        return value == "true"

    def duration_ms(self, name: str, default: str) -> int:
        found = re.fullmatch(r"(\d+)\s*([a-z]*)", self.text(name, default).lower())
        if found is None or (found[2] or "ms") not in _UNITS_MS:
            raise OptionError(f"The option {name} must be a time such as 15m or 500ms, not '{self.text(name)}'")
        return int(found[1]) * _UNITS_MS[found[2] or "ms"]

    def json(self, name: str) -> dict[str, dict[int, int]]:
        """`{"topic": {"0": 23}}` with partitions as numbers."""
        try:
            found = json.loads(self.text(name))
            return {
                str(topic): {int(part): int(value) for part, value in rows.items()} for topic, rows in found.items()
            }
        except (ValueError, AttributeError, TypeError):
            raise OptionError(
                f'The option {name} must be JSON such as {{"clicks":{{"0":23,"1":-2}}}}, not \'{self.text(name)}\''
            ) from None

    def client(self, kind: str) -> ClientSettings:
        """The kafka.* settings for a client of the kind consumer or producer."""
        given: dict[str, Any] = {
            name.removeprefix("kafka."): value for name, value in self._given.items() if name.startswith("kafka.")
        }
        rows = {**COMMON, **(CONSUMER if kind == "consumer" else PRODUCER)}
        given.setdefault("client.id", "tidelog-spark")
        try:
            found = ClientSettings.read(rows, given)
            tls_context(found)
            if found["security.protocol"].startswith("sasl"):
                Credentials.read(found)
        except SettingError as error:
            raise OptionError(f"kafka.{error}") from None
        return found
