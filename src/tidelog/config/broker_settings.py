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

BROKER_SETTINGS: dict[str, Setting] = {row.name: row for table in TABLES for row in table.ROWS}

# Accepted in a file and on the command line, never reported.
ALIASES = {"rebalance.delay.ms": "group.initial.rebalance.delay.ms"}

# Settings of plug-ins and of single listeners: the part after the prefix is not ours to judge.
PREFIXES = ("listener.name.", "config.providers.", "rsm.config.", "rlmm.config.")

DEFAULTS = {row.attribute: row.default for row in BROKER_SETTINGS.values()}


def broker_setting(name: str) -> Setting | None:
    """The row of a name, also with a listener's prefix: `listener.name.internal.ssl.key.password`."""
    found = BROKER_SETTINGS.get(name)
    if found is None and name.startswith("listener.name."):
        suffix = name.split(".", 3)[-1]
        found = BROKER_SETTINGS.get(suffix)
    return found
