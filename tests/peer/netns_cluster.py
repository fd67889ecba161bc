"""A cluster whose nodes are hosts of their own, each in a network namespace. Clients have a host too; who drops whose
packets is up to the test."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from peer.namespaces import Namespaces
from peer.server_cluster import BROKER_PORT, CONTROLLER_PORT, ServerCluster

CLIENTS = 200
PORTS = f"{BROKER_PORT}, {CONTROLLER_PORT}"


class NetnsCluster(ServerCluster):
    """Brokers listen at 9092, controllers at 9093, each at the address of its host."""

    def __init__(self, folder: Path, roles: Mapping[int, str], properties: Mapping[str, str] | None = None) -> None:
        self.network = Namespaces([*roles, CLIENTS])
        super().__init__(folder, roles, properties)

    def broker_address(self, node_id: int) -> str:
        return f"{self.network.address(node_id)}:{BROKER_PORT}"

    def controller_address(self, node_id: int) -> str:
        return f"{self.network.address(node_id)}:{CONTROLLER_PORT}"

    def prefix(self, node_id: int) -> list[str]:
        return self.network.command(node_id)

    def cut(self, ones: Iterable[int], others: Iterable[int]) -> None:
        """Neither side hears the other."""
        others = list(others)
        for one in ones:
            for other in others:
                self.network.drop(one, other)
                self.network.drop(other, one)

    def mute(self, ones: Iterable[int], others: Iterable[int]) -> None:
        """The others do not hear the first ones, which hear them."""
        others = list(others)
        for one in ones:
            for other in others:
                self.network.drop(one, other)

    def keep_from_asking(self, ones: Iterable[int], others: Iterable[int]) -> None:
        """The first ones cannot connect to the others, which can connect to them."""
        others = list(others)
        for one in ones:
            for other in others:
                self.network.drop_connections(one, other, PORTS)

    def heal(self) -> None:
        self.network.heal()

    def restore(self) -> None:
        self.heal()
        super().restore()

    def close(self) -> None:
        super().close()
        self.network.close()


@contextlib.contextmanager
def netns_cluster(folder: Path, roles: Mapping[int, str], **properties: str) -> Iterator[NetnsCluster]:
    """Started; the thread that asked for it is on the clients' host until it is left."""
    named = {name.replace("_", "."): value for name, value in properties.items()}
    cluster = NetnsCluster(folder, roles, named)
    try:
        with cluster.network.inside(CLIENTS):
            cluster.start()
            yield cluster
    finally:
        cluster.close()
