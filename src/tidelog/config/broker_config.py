"""BrokerConfig: every broker setting of one node as a typed attribute, checked, with where each value came from.

Immutable: a dynamic change makes a new one (`with_dynamic`). `config.log_segment_bytes` is a plain attribute.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from tidelog.config.broker_settings import ALIASES, BROKER_SETTINGS, DEFAULTS, PREFIXES, broker_setting
from tidelog.config.broker_values import BrokerValues
from tidelog.config.endpoints import (
    Endpoint,
    QuorumVoter,
    parse_endpoints,
    parse_protocol_map,
    parse_voters,
)
from tidelog.config.setting import ConfigError

logger = logging.getLogger("tidelog.config")


class BrokerConfig(BrokerValues):
    """The settings in force on one node."""

    static: Mapping[str, str]  # as given in the file, aliases resolved
    dynamic_default: Mapping[str, str]  # set while running for all brokers
    dynamic: Mapping[str, str]  # set while running for this broker
    endpoints: tuple[Endpoint, ...]
    advertised_endpoints: tuple[Endpoint, ...]
    voters: tuple[QuorumVoter, ...]

    def __init__(
        self,
        static: Mapping[str, str],
        dynamic_default: Mapping[str, str] | None = None,
        dynamic: Mapping[str, str] | None = None,
    ) -> None:
        self.static = static
        self.dynamic_default = dynamic_default or {}
        self.dynamic = dynamic or {}
        values = vars(self)
        values.update(DEFAULTS)
        for name, text in {**static, **self.dynamic_default, **self.dynamic}.items():
            row = BROKER_SETTINGS.get(name)
            if row is not None:
                values[row.attribute] = row.parse(text)
        self._derive()

    @classmethod
    def from_properties(cls, properties: Mapping[str, str]) -> BrokerConfig:
        """Reads and checks all settings; an unknown name is warned of, a bad value raises ConfigError."""
        static = {ALIASES.get(name, name): value for name, value in properties.items()}
        if "node.id" not in static and "broker.id" in static:
            static["node.id"] = static["broker.id"]
        static.setdefault("broker.id", static.get("node.id", "-1"))
        config = cls(static)
        config._check()
        for name in config.unknown_names():
            logger.warning("unknown setting %s is ignored; docs/configs.md lists the known ones", name)
        return config

    def with_dynamic(self, dynamic_default: Mapping[str, str], dynamic: Mapping[str, str]) -> BrokerConfig:
        """The same node after settings were changed while running."""
        return BrokerConfig(self.static, dynamic_default, dynamic)

    def unknown_names(self) -> list[str]:
        return [name for name in self.static if broker_setting(name) is None and not name.startswith(PREFIXES)]

    @property
    def is_broker(self) -> bool:
        return "broker" in self.process_roles

    @property
    def is_controller(self) -> bool:
        return "controller" in self.process_roles

    @property
    def log_directories(self) -> tuple[str, ...]:
        return self.log_dirs or self.log_dir

    @property
    def metadata_directory(self) -> str:
        return self.metadata_log_dir or self.log_directories[0]

    def endpoint(self, listener_name: str) -> Endpoint | None:
        return next((each for each in self.endpoints if each.listener_name == listener_name), None)

    def listener_value(self, listener_name: str, name: str) -> str | None:
        """The text of a setting that one listener overrides, or None."""
        return self.static.get(f"listener.name.{listener_name.lower()}.{name}")

    def __repr__(self) -> str:
        return f"BrokerConfig(node_id={self.node_id}, {len(self.static)} settings given)"

    def _derive(self) -> None:
        protocols = parse_protocol_map(self.listener_security_protocol_map)
        if "listener.security.protocol.map" not in self.static:
            # With the default map a controller listener of any name speaks PLAINTEXT, as in Apache Kafka.
            protocols |= {name: "PLAINTEXT" for name in self.controller_listener_names or () if name not in protocols}
        self.endpoints = parse_endpoints("listeners", self.listeners, protocols)
        self.voters = parse_voters(self.controller_quorum_voters)
        advertised = parse_endpoints("advertised.listeners", self.advertised_listeners or (), protocols)
        private = set(self.controller_listener_names or ())
        self.advertised_endpoints = advertised or tuple(
            each for each in self.endpoints if each.listener_name not in private
        )

    def _check(self) -> None:
        for row in BROKER_SETTINGS.values():
            if row.required and row.name not in self.static:
                raise ConfigError(f'Missing required configuration "{row.name}" which has no default value.')
        if not self.process_roles:
            raise ConfigError("process.roles is not set: write process.roles=broker,controller for a single node")
        self._check_controllers()
        if self.is_broker and not self.advertised_endpoints:
            raise ConfigError("advertised.listeners must name at least one listener that clients can reach")
        for endpoint in self.advertised_endpoints:
            if endpoint.host == "0.0.0.0":
                raise ConfigError(
                    "advertised.listeners cannot use the nonroutable meta-address 0.0.0.0. Use a routable IP address."
                )

    def _check_controllers(self) -> None:
        """Where the controllers are, and whether this node is one of them."""
        names = set(self.controller_listener_names or ())
        listening = {each.listener_name for each in self.endpoints}
        voters = {each.node_id for each in self.voters}
        if self.is_controller and not names & listening:
            raise ConfigError("controller.listener.names must name at least one of the listeners, e.g. CONTROLLER")
        if not self.is_controller and names & listening:
            raise ConfigError(
                f"A node without the role controller has no listener {min(names & listening)}: take it out of listeners"
            )
        if not voters and not self.controller_quorum_bootstrap_servers:
            raise ConfigError(
                "Nobody says where the controllers are: set controller.quorum.bootstrap.servers=host:port,... or "
                "controller.quorum.voters=id@host:port,..."
            )
        if voters and self.is_controller and self.node_id not in voters:
            raise ConfigError(
                f"node.id {self.node_id} has the role controller: add it to controller.quorum.voters, or name "
                "controller.quorum.bootstrap.servers instead"
            )
        if not self.is_controller and self.node_id in voters:
            raise ConfigError(
                f"node.id {self.node_id} is one of controller.quorum.voters: add controller to its process.roles, or "
                "choose another id"
            )


def single_node_properties(
    data_directory: str, port: int, *, node_id: int = 1, host: str = "localhost", controller_port: int = 0
) -> dict[str, str]:
    """What a node that is a cluster of its own needs: both roles, and internal topics with one replica."""
    return {
        "process.roles": "broker,controller",
        "node.id": str(node_id),
        "controller.quorum.voters": f"{node_id}@{host}:{controller_port}",
        "listeners": f"PLAINTEXT://{host}:{port},CONTROLLER://{host}:{controller_port}",
        "controller.listener.names": "CONTROLLER",
        "inter.broker.listener.name": "PLAINTEXT",
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
        "log.dirs": data_directory,
        "offsets.topic.replication.factor": "1",
        "transaction.state.log.replication.factor": "1",
        "transaction.state.log.min.isr": "1",
        "share.coordinator.state.topic.replication.factor": "1",
        "share.coordinator.state.topic.min.isr": "1",
        "group.initial.rebalance.delay.ms": "0",
    }
