"""The Python client: connections, cluster view, admin, producer, consumer. Names are imported when first used.

Settings carry Kafka's names (`bootstrap.servers`, `linger.ms`, ...), so that a properties file written for another
client works here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tidelog.client.admin import Admin as Admin
    from tidelog.client.cluster import Cluster as Cluster
    from tidelog.client.consumer import Consumer as Consumer
    from tidelog.client.producer import Producer as Producer

_HOMES = {"Admin": "admin", "Cluster": "cluster", "Consumer": "consumer", "Producer": "producer"}
__all__ = ["Admin", "Cluster", "Consumer", "Producer"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tidelog.client' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"tidelog.client.{_HOMES[name]}"), name)
