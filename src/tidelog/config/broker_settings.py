"""All broker settings by name, and the names that are another spelling of one of them."""

from __future__ import annotations

from tidelog.config import (
    broker_cluster,
    broker_group,
    broker_log,
    broker_network,
    broker_remote,
    broker_replication,
    broker_security,
    broker_share,
    broker_tidelog,
    broker_transaction,
)
from tidelog.config.checks import Range
from tidelog.config.rows import LONG, MAX_LONG, MEDIUM, PER_BROKER, row
from tidelog.config.setting import Setting

TABLES = (
    broker_cluster,
    broker_network,
    broker_log,
    broker_replication,
    broker_group,
    broker_share,
    broker_transaction,
    broker_security,
    broker_remote,
    broker_tidelog,
)

BROKER_SETTINGS: dict[str, Setting] = {each.name: each for table in TABLES for each in table.ROWS}

# Accepted in a file and on the command line, never reported.
ALIASES = {"rebalance.delay.ms": "group.initial.rebalance.delay.ms"}

# Settings of plug-ins and of single listeners: the part after the prefix is not ours to judge.
PREFIXES = ("listener.name.", "config.providers.", "rsm.config.", "rlmm.config.")

# Set only while running, never in a file: how fast replicas may be copied.
DYNAMIC_ONLY: dict[str, Setting] = {
    name: row(name, LONG, MAX_LONG, Range(0), PER_BROKER, MEDIUM, doc)
    for name, doc in (
        (
            "leader.replication.throttled.rate",
            "Bytes per second that this broker sends to followers of throttled replicas.",
        ),
        (
            "follower.replication.throttled.rate",
            "Bytes per second that this broker fetches for throttled replicas.",
        ),
        (
            "replica.alter.log.dirs.io.max.bytes.per.second",
            "Bytes per second that are copied when replicas move between log directories of this broker.",
        ),
    )
}

DEFAULTS = {each.attribute: each.default for each in BROKER_SETTINGS.values()}


def broker_setting(name: str) -> Setting | None:
    """The row of a name, also with a listener's prefix: `listener.name.internal.ssl.key.password`."""
    found = BROKER_SETTINGS.get(name)
    if found is None and name.startswith("listener.name."):
        suffix = name.split(".", 3)[-1]
        found = BROKER_SETTINGS.get(suffix)
    return found
