"""The client's settings: one row each, with Kafka's names and defaults.

`ClientSettings.read` turns text (a properties file, `name=value` words) or Python values into typed ones. A name
that no row knows is kept aside in `unused`, as other clients do, so that one file can serve several programs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tidelog.client.errors import SettingError

Parser = Callable[[str, Any], Any]


def _integer(low: int = 0, high: int = 2**63 - 1) -> Parser:
    def parse(name: str, value: Any) -> int:
        try:
            number = int(str(value).strip())
        except ValueError:
            raise SettingError(f"{name} must be a whole number, not '{value}'; correct it and run again") from None
        if not low <= number <= high:
            raise SettingError(f"{name} must be between {low} and {high}, not {number}; correct it and run again")
        return number

    return parse


def _boolean(name: str, value: Any) -> bool:
    text = str(value).strip().lower()
    if text not in {"true", "false"}:
        raise SettingError(f"{name} must be true or false, not '{value}'; correct it and run again")
    return text == "true"


def _text(name: str, value: Any) -> str:
    return str(value).strip()


def _choice(*allowed: str) -> Parser:
    def parse(name: str, value: Any) -> str:
        text = str(value).strip().lower()
        if text not in allowed:
            raise SettingError(f"{name} must be one of {', '.join(allowed)}, not '{value}'; correct it and run again")
        return text

    return parse


def _acks(name: str, value: Any) -> int:
    text = str(value).strip().lower()
    if text not in {"all", "-1", "0", "1"}:
        raise SettingError(f"{name} must be all, -1, 0 or 1, not '{value}'; correct it and run again")
    return -1 if text == "all" else int(text)


COMMON: dict[str, tuple[Parser, Any]] = {
    "bootstrap.servers": (_text, "localhost:9092"),
    "bootstrap.controllers": (_text, ""),
    "client.id": (_text, ""),
    "security.protocol": (_choice("plaintext", "ssl", "sasl_plaintext", "sasl_ssl"), "plaintext"),
    "ssl.ca.location": (_text, ""),
    "ssl.truststore.type": (_choice("pem", "jks", "pkcs12"), "jks"),
    "ssl.truststore.location": (_text, ""),
    "ssl.truststore.certificates": (_text, ""),
    "ssl.keystore.type": (_choice("pem", "jks", "pkcs12"), "jks"),
    "ssl.keystore.location": (_text, ""),
    "ssl.key.password": (_text, ""),
    "ssl.endpoint.identification.algorithm": (_text, "https"),
    "sasl.mechanism": (_text, "GSSAPI"),
    "sasl.jaas.config": (_text, ""),
    "sasl.username": (_text, ""),
    "sasl.password": (_text, ""),
    "request.timeout.ms": (_integer(), 30_000),
    "default.api.timeout.ms": (_integer(), 60_000),
    "socket.connection.setup.timeout.ms": (_integer(), 10_000),
    "metadata.max.age.ms": (_integer(), 300_000),
    "retry.backoff.ms": (_integer(), 100),
    "retry.backoff.max.ms": (_integer(), 1_000),
    "retries": (_integer(0, 2**31 - 1), 2**31 - 1),
}

PRODUCER: dict[str, tuple[Parser, Any]] = {
    **COMMON,
    "acks": (_acks, -1),
    "batch.size": (_integer(), 16_384),
    "linger.ms": (_integer(), 5),
    "compression.type": (_choice("none", "gzip", "snappy", "lz4", "zstd"), "none"),
    "compression.gzip.level": (_integer(-1, 9), -1),
    "compression.lz4.level": (_integer(1, 17), 9),
    "compression.zstd.level": (_integer(-131_072, 22), 3),
    "enable.idempotence": (_boolean, True),
    "max.in.flight.requests.per.connection": (_integer(1), 5),
    "max.request.size": (_integer(), 1_048_576),
    "buffer.memory": (_integer(), 33_554_432),
    "max.block.ms": (_integer(), 60_000),
    "delivery.timeout.ms": (_integer(), 120_000),
    "partitioner.ignore.keys": (_boolean, False),
    "transactional.id": (_text, ""),
    "transaction.timeout.ms": (_integer(), 60_000),
}

CONSUMER: dict[str, tuple[Parser, Any]] = {
    **COMMON,
    "auto.offset.reset": (_text, "latest"),
    "isolation.level": (_choice("read_uncommitted", "read_committed"), "read_uncommitted"),
    "fetch.min.bytes": (_integer(), 1),
    "fetch.max.bytes": (_integer(), 52_428_800),
    "fetch.max.wait.ms": (_integer(), 500),
    "max.partition.fetch.bytes": (_integer(), 1_048_576),
    "max.poll.records": (_integer(1), 500),
    "check.crcs": (_boolean, True),
    "client.rack": (_text, ""),
    "group.id": (_text, ""),
    "group.instance.id": (_text, ""),
    "group.protocol": (_choice("classic", "consumer"), "classic"),
    "group.remote.assignor": (_text, ""),
    "partition.assignment.strategy": (_text, "range,cooperative-sticky"),
    "enable.auto.commit": (_boolean, True),
    "auto.commit.interval.ms": (_integer(), 5_000),
    "session.timeout.ms": (_integer(), 45_000),
    "heartbeat.interval.ms": (_integer(), 3_000),
    "max.poll.interval.ms": (_integer(1), 300_000),
    "allow.auto.create.topics": (_boolean, True),
    "exclude.internal.topics": (_boolean, True),
}


class ClientSettings:
    """Typed values by Kafka's name: `settings["linger.ms"]`."""

    def __init__(self, values: dict[str, Any], given: frozenset[str], unused: frozenset[str]) -> None:
        self._values = values
        self.given = given
        self.unused = unused

    @classmethod
    def read(cls, rows: dict[str, tuple[Parser, Any]], given: Mapping[str, Any]) -> ClientSettings:
        values = {name: default for name, (_, default) in rows.items()}
        for name in rows.keys() & given.keys():
            values[name] = rows[name][0](name, given[name])
        return cls(values, frozenset(given), frozenset(given.keys() - rows.keys()))

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def override(self, name: str, value: Any) -> None:
        self._values[name] = value

    def seconds(self, name: str) -> float:
        return float(self._values[name]) / 1000


def bootstrap_addresses(text: str) -> list[tuple[str, int]]:
    """The (host, port) pairs of a bootstrap list; `[::1]:9092` and `PLAINTEXT://host:9092` are understood."""
    found = []
    for word in text.split(","):
        if not word.strip():
            continue
        address = word.strip().rpartition("://")[2]
        host, colon, port = address.rpartition(":")
        if not colon or not port.isdigit() or not 0 < int(port) < 65_536 or not host:
            raise SettingError(f"'{word.strip()}' is not HOST:PORT; write the server as for example localhost:9092")
        found.append((host.strip("[]"), int(port)))
    if not found:
        raise SettingError("The list of bootstrap servers is empty; name one as HOST:PORT, for example localhost:9092")
    return found
