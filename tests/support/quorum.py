"""Nodes of one quorum in this process, over the real loopback network and real directories."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from tidelog.config.broker_config import BrokerConfig
from tidelog.io.disk import RealDisk
from tidelog.io.free_ports import free_ports
from tidelog.model import uuids
from tidelog.node.node import Node
from tidelog.node.storage_format import FormatOptions, InitialController, format_storage

CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qg"
PATIENCE_SECONDS = 60


class Quorum:
    """Settings and directories of some nodes; `start` and `stop` them as the test likes."""

    def __init__(self, folder: Path, voters: int, others: int = 0, dynamic: bool = False, **settings: str) -> None:
        self.folder = folder
        self.ports = dict(zip(range(1, voters + others + 1), free_ports("127.0.0.1", voters + others)))
        self.voters = list(self.ports)[:voters]
        self.dynamic = dynamic
        self.directory_ids = {each: uuids.new(os.urandom) for each in self.ports}
        self.settings = {name.replace("_", "."): value for name, value in settings.items()}
        self.nodes: dict[int, Node] = {}

    def config(self, node_id: int, roles: str = "controller", **settings: str) -> BrokerConfig:
        private = f"CONTROLLER://127.0.0.1:{self.ports[node_id]}"
        public = "PLAINTEXT://127.0.0.1:0"
        named = ",".join(f"{each}@127.0.0.1:{self.ports[each]}" for each in self.voters)
        quorum = {"controller.quorum.bootstrap.servers": ",".join(each.partition("@")[2] for each in named.split(","))}
        if not self.dynamic:
            quorum = {"controller.quorum.voters": named}
        listeners = {"controller": private, "broker": public, "broker,controller": f"{public},{private}"}[roles]
        return BrokerConfig.from_properties(
            {
                "process.roles": roles,
                "node.id": str(node_id),
                "listeners": listeners,
                "controller.listener.names": "CONTROLLER",
                "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
                "log.dirs": str(self.folder / str(node_id)),
                **quorum,
                **self.settings,
                **{name.replace("_", "."): value for name, value in settings.items()},
            }
        )

    def format(self, config: BrokerConfig) -> None:
        initial = [
            InitialController(each, "127.0.0.1", self.ports[each], self.directory_ids[each])
            for each in self.voters
            if self.dynamic and config.node_id in self.voters
        ]
        options = FormatOptions(
            CLUSTER_ID, ignore_formatted=True, initial_controllers=initial, no_initial_controllers=not initial
        )
        format_storage(config, options, RealDisk(), os.urandom, 0)

    async def start(self, *node_ids: int, roles: str = "controller", **settings: str) -> list[Node]:
        """Starts these nodes side by side, formatted if they are new."""
        nodes = []
        for node_id in node_ids:
            config = self.config(node_id, roles, **settings)
            self.format(config)
            nodes.append(Node(config))
            self.nodes[node_id] = nodes[-1]
        async with asyncio.timeout(PATIENCE_SECONDS):
            await asyncio.gather(*(each.start() for each in nodes))
        return nodes

    async def stop(self, *node_ids: int) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await asyncio.gather(*(self.nodes.pop(each).stop() for each in node_ids or list(self.nodes)))

    async def __aenter__(self) -> Quorum:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop(*list(self.nodes))

    def active(self) -> Node | None:
        return next((each for each in self.nodes.values() if each.metadata.is_active), None)

    async def leader(self) -> Node:
        await self.until(lambda: self.active() is not None)
        found = self.active()
        assert found is not None
        return found

    async def agreed(self) -> None:
        """All nodes have applied everything that the active controller has decided."""
        leader = await self.leader()
        end = leader.metadata.quorum.log_end_offset
        nodes = list(self.nodes.values())
        await self.until(lambda: all(each.metadata._applied >= end for each in nodes))

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not condition():
                await asyncio.sleep(0.01)
