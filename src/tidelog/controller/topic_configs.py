"""Checks of topic settings, each alone and all together."""

from __future__ import annotations

from collections.abc import Mapping

from tidelog.config.effective import TopicConfig, TopicDefaults, check_topic_overrides
from tidelog.config.setting import ConfigError
from tidelog.controller.result import Environment
from tidelog.protocol.errors import ErrorCode, KafkaError


def check_topic_configs(
    environment: Environment,
    defaults: TopicDefaults,
    overrides: Mapping[str, str | None],
    before: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The overrides as they are stored; KafkaError says which is refused and why."""
    try:
        check_topic_overrides(overrides)
        settings = {name: text for name, text in overrides.items() if text is not None}
        config = defaults.topic(settings)
        _check_together(environment, config)
        if before is not None:
            _check_switched_off(defaults.topic(before), config)
    except ConfigError as error:
        raise KafkaError(ErrorCode.INVALID_CONFIG, str(error)) from None
    return settings


def _check_together(environment: Environment, config: TopicConfig) -> None:
    if config.min_compaction_lag_ms > config.max_compaction_lag_ms:
        raise ConfigError(
            f"conflict topic config setting min.compaction.lag.ms ({config.min_compaction_lag_ms}) > "
            f"max.compaction.lag.ms ({config.max_compaction_lag_ms})"
        )
    if config.remote_storage_enable:
        _check_remote(environment, config)


def _check_switched_off(before: TopicConfig, after: TopicConfig) -> None:
    """What lies only in remote storage would be neither readable nor deleted."""
    if before.remote_storage_enable and not after.remote_storage_enable and not after.remote_log_delete_on_disable:
        raise ConfigError(
            "Remote storage cannot be switched off while its data is kept. Also set remote.log.delete.on.disable=true "
            "to delete what is remote; or leave remote.storage.enable=true and set remote.log.copy.disable=true."
        )


def _check_remote(environment: Environment, config: TopicConfig) -> None:
    if not environment.config.remote_log_storage_system_enable:
        raise ConfigError(
            "Tiered Storage functionality is disabled in the broker. "
            "Topic cannot be configured with remote log storage."
        )
    if "compact" in config.cleanup_policy:
        raise ConfigError(
            "Remote log storage only supports topics with cleanup.policy=delete or cleanup.policy being empty."
        )
    for local, total, name in (
        (config.local_retention_ms, config.retention_ms, "ms"),
        (config.local_retention_bytes, config.retention_bytes, "bytes"),
    ):
        if local == -2 or total == -1:
            continue
        if local == -1 or local > total:
            raise ConfigError(
                f"Invalid value {local} for configuration local.retention.{name}: Value must not be more than property "
                f"retention.{name} value: {total}"
            )
