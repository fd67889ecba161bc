"""The short words that the tables of settings are written in."""

from __future__ import annotations

from tidelog.config.checks import Check
from tidelog.config.setting import Scope, Setting
from tidelog.config.values import Kind, Value

BOOLEAN, STRING, INT, SHORT, LONG = Kind.BOOLEAN, Kind.STRING, Kind.INT, Kind.SHORT, Kind.LONG
DOUBLE, LIST, CLASS, PASSWORD = Kind.DOUBLE, Kind.LIST, Kind.CLASS, Kind.PASSWORD
READ_ONLY, PER_BROKER, CLUSTER_WIDE = Scope.READ_ONLY, Scope.PER_BROKER, Scope.CLUSTER_WIDE
HIGH, MEDIUM, LOW = "HIGH", "MEDIUM", "LOW"
MAX_INT, MAX_LONG, MAX_DOUBLE = (1 << 31) - 1, (1 << 63) - 1, 1.7976931348623157e308


def row(
    name: str,
    kind: Kind,
    default: Value,
    check: Check | None,
    scope: Scope,
    importance: str,
    doc: str,
    *,
    hidden: bool = False,
    required: bool = False,
    apache_default: Value = None,
) -> Setting:
    """One broker setting."""
    return Setting(name, kind, default, check, scope, importance, doc, hidden, required, apache_default)
