"""Gives a node its tiered storage, where the settings ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidelog.model import uuids

if TYPE_CHECKING:
    from tidelog.node.node import Node


async def start_tiered_storage(node: Node) -> None:
    """The libraries of object stores are loaded only here."""
    config = node.config
    if not config.remote_log_storage_system_enable or not config.is_broker:
        return
    from tidelog.broker.remote_storage import RemoteStorage

    store = node.ports.objects
    if store is None:
        from tidelog.io.object_store import configured_store

        store = configured_store(config)
    random_bytes = node.ports.random_bytes
    node.broker.remote = RemoteStorage(node.broker, store, node.disk, lambda: uuids.new(random_bytes))
    await node.broker.remote.start()
