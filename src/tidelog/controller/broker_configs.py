"""Checks of broker settings that are changed while running."""

from __future__ import annotations

from collections.abc import Mapping

from tidelog.config.broker_config import BrokerConfig
from tidelog.config.broker_settings import DYNAMIC_ONLY, broker_setting
from tidelog.config.setting import ConfigError, Scope, Setting
from tidelog.controller.result import Environment
from tidelog.metadata import configs
from tidelog.metadata.image import MetadataImage
from tidelog.protocol.errors import ErrorCode, KafkaError

MIN_INSYNC_REPLICAS = "min.insync.replicas"
# Only with a listener's prefix: a change of a certificate must not cut off the listener that it does not belong to.
LISTENER_ONLY_PREFIXES = ("ssl.", "sasl.")
PREFIX = "listener.name."


def broker_row(name: str) -> Setting | None:
    return broker_setting(name) or DYNAMIC_ONLY.get(name)


def check_broker_configs(
    image: MetadataImage, environment: Environment, broker: str, changed: Mapping[str, str | None]
) -> None:
    """`broker` is an id, or empty for the default of all brokers. Names that nobody knows are kept for plug-ins."""
    wanted = {name: text for name, text in changed.items() if text is not None}
    rows = {name: row for name in wanted if (row := broker_row(name)) is not None}
    _refuse("Cannot update these configs dynamically", [n for n, row in rows.items() if row.scope is Scope.READ_ONLY])
    if broker:
        _refuse(
            "These security configs can be dynamically updated only per-listener using the listener prefix",
            [name for name, row in rows.items() if name.startswith(LISTENER_ONLY_PREFIXES)],
        )
    else:
        _refuse(
            "Cannot update these configs at default cluster level, broker id must be specified",
            [name for name, row in rows.items() if row.scope is Scope.PER_BROKER],
        )
    if broker and MIN_INSYNC_REPLICAS in changed and image.features.elr_enabled:
        raise KafkaError(
            ErrorCode.INVALID_CONFIG, "Broker-level min.insync.replicas cannot be altered while ELR is enabled."
        )
    if not broker and changed.get(MIN_INSYNC_REPLICAS, "") is None and image.features.elr_enabled:
        raise KafkaError(
            ErrorCode.INVALID_CONFIG, "Cluster-level min.insync.replicas cannot be removed while ELR is enabled."
        )
    try:
        for name, row in rows.items():
            row.parse(wanted[name])
        _check_together(image, environment.config, broker, changed)
    except ConfigError as error:
        raise KafkaError(ErrorCode.INVALID_REQUEST, str(error)) from None


def _check_together(image: MetadataImage, config: BrokerConfig, broker: str, changed: Mapping[str, str | None]) -> None:
    """The node must be able to live with the new settings as a whole."""
    if broker and broker != str(config.node_id):
        return
    default = dict(image.configs.get(configs.BROKER, ""))
    own = dict(image.configs.get(configs.BROKER, str(config.node_id)))
    before = config.with_dynamic(dict(default), dict(own))
    target = own if broker else default
    for name, text in changed.items():
        if text is None:
            target.pop(name, None)
        else:
            target[name] = text
    _check_cleaner_threads(before.log_cleaner_threads, config.with_dynamic(default, own).log_cleaner_threads)


def _check_cleaner_threads(current: int, wanted: int) -> None:
    """In small steps only: a slip of the finger must not take all memory or stop compaction."""
    if wanted == current:
        return
    if wanted < 1:
        raise ConfigError("Log cleaner threads should be at least 1")
    if wanted < current // 2:
        raise ConfigError(f"Log cleaner threads cannot be reduced to less than half the current value {current}")
    if wanted > current * 2:
        raise ConfigError(f"Log cleaner threads cannot be increased to more than double the current value {current}")


def _refuse(problem: str, names: list[str]) -> None:
    if names:
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"{problem}: [{', '.join(sorted(names))}]")
