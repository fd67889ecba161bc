"""Listeners: `NAME://host:port` read into endpoints with their security protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tidelog.config.setting import ConfigError

SECURITY_PROTOCOLS = {"PLAINTEXT": 0, "SSL": 1, "SASL_PLAINTEXT": 2, "SASL_SSL": 3}


class Endpoint(NamedTuple):
    listener_name: str
    host: str
    port: int
    security_protocol: str

    @property
    def security_protocol_id(self) -> int:
        return SECURITY_PROTOCOLS[self.security_protocol]

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.listener_name}://{host}:{self.port}"


class QuorumVoter(NamedTuple):
    node_id: int
    host: str
    port: int


def parse_endpoint(setting: str, text: str, protocols: Mapping[str, str]) -> Endpoint:
    name, separator, address = text.partition("://")
    host, colon, port = address.rpartition(":")
    if not (separator and colon and name and port.isdecimal() and int(port) <= 65535):
        raise ConfigError(
            f"Invalid value {text} for configuration {setting}: write NAME://host:port, e.g. PLAINTEXT://localhost:9092"
        )
    protocol = protocols.get(name.upper())
    if protocol is None:
        raise ConfigError(
            f"No security protocol defined for listener {name.upper()}: give it one in listener.security.protocol.map, "
            f"e.g. {name.upper()}:PLAINTEXT"
        )
    return Endpoint(name.upper(), host.strip("[]"), int(port), protocol)


def parse_endpoints(setting: str, texts: Iterable[str], protocols: Mapping[str, str]) -> tuple[Endpoint, ...]:
    """All endpoints of a listener setting; names are unique, and so are ports (0 means any free port)."""
    found = tuple(parse_endpoint(setting, text, protocols) for text in texts)
    names = [endpoint.listener_name for endpoint in found]
    if len(set(names)) != len(names):
        raise ConfigError(f"Each listener must have a different name, {setting}: {','.join(texts)}")
    ports = [(endpoint.host, endpoint.port) for endpoint in found if endpoint.port]
    if setting == "listeners" and len(set(ports)) != len(ports):
        raise ConfigError(f"Each listener must have a different port, {setting}: {','.join(texts)}")
    return found


def parse_protocol_map(text: str) -> dict[str, str]:
    found = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, colon, protocol = pair.partition(":")
        if not colon or protocol.strip().upper() not in SECURITY_PROTOCOLS:
            raise ConfigError(
                f"Invalid value {pair} for configuration listener.security.protocol.map: write NAME:PROTOCOL, one of "
                + ", ".join(SECURITY_PROTOCOLS)
            )
        found[name.strip().upper()] = protocol.strip().upper()
    return found


def parse_voters(texts: Iterable[str]) -> tuple[QuorumVoter, ...]:
    found = []
    for text in texts:
        node_id, at, address = text.partition("@")
        host, colon, port = address.rpartition(":")
        if not (at and colon and node_id.isdecimal() and port.isdecimal()):
            raise ConfigError(
                f"Invalid value {text} for configuration controller.quorum.voters: write id@host:port, "
                "e.g. 1@localhost:9093"
            )
        found.append(QuorumVoter(int(node_id), host.strip("[]"), int(port)))
    return tuple(found)
