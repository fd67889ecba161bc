"""What the settings say about the metadata log and the quorum."""

from __future__ import annotations

from tidelog.config.broker_config import BrokerConfig
from tidelog.config.setting import ConfigError
from tidelog.log.config import LogConfig
from tidelog.metadata.control import VoterKey
from tidelog.raft.quorum import RaftConfig
from tidelog.raft.voters import Address, Voters, static_voters
from tidelog.runtime.raft import RaftSettings
from tidelog.runtime.raft_wire import Limits


def log_config(config: BrokerConfig) -> LogConfig:
    segment_bytes = config.internal_metadata_log_segment_bytes or config.metadata_log_segment_bytes
    return LogConfig(
        segment_bytes=segment_bytes,
        # Room for an entry of 12 bytes every 4 KiB, which is all that a segment can need.
        segment_index_bytes=max(segment_bytes // 4096 * 12, 4096),
        segment_ms=config.metadata_log_segment_ms,
        retention_ms=-1,
        retention_bytes=-1,
    )


def named_voters(config: BrokerConfig) -> Voters:
    """Those of `controller.quorum.voters`; they count until the log itself names others."""
    listener = config.controller_listener_names[0] if config.controller_listener_names else "CONTROLLER"
    return static_voters(config.voters, listener)


def raft_settings(config: BrokerConfig, cluster_id: str, directory_id: bytes) -> RaftSettings:
    return RaftSettings(
        VoterKey(config.node_id, directory_id),
        cluster_id,
        [_address(each) for each in config.controller_quorum_bootstrap_servers],
        RaftConfig(
            election_timeout_ms=config.controller_quorum_election_timeout_ms,
            election_backoff_max_ms=config.controller_quorum_election_backoff_max_ms,
            fetch_timeout_ms=config.controller_quorum_fetch_timeout_ms,
            retry_backoff_ms=config.controller_quorum_retry_backoff_ms,
        ),
        config.controller_quorum_request_timeout_ms,
        Limits(config.controller_quorum_fetch_max_bytes, config.controller_quorum_fetch_snapshot_max_bytes),
    )


def _address(text: str) -> Address:
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal():
        raise ConfigError(
            f"Invalid value {text} for configuration controller.quorum.bootstrap.servers: write host:port, "
            "e.g. localhost:9093"
        )
    return host.strip("[]"), int(port)
