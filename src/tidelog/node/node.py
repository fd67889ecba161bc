"""One node, composed: real ports, metadata, logs, broker, listeners; started, announced and stopped in order.

`run` is what the commands call. A test starts a `Node` inside its own loop.
"""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import signal
import sys
from collections.abc import Callable, Sequence

from tidelog.api import registry
from tidelog.api.k18_api_versions import unsupported_version
from tidelog.broker.broker import Broker
from tidelog.config.broker_config import BrokerConfig
from tidelog.config.endpoints import Endpoint
from tidelog.io.blocking import ThreadBlocking
from tidelog.io.clock import RealClock
from tidelog.io.disk import RealDisk
from tidelog.io.network import SocketOptions, TcpNetwork
from tidelog.log.config import LogConfig
from tidelog.log.manager import LogManager
from tidelog.node import logs as log_lines
from tidelog.node.directories import open_directories
from tidelog.node.registration import register
from tidelog.runtime.metadata import MetadataRuntime
from tidelog.runtime.metadata_files import MetadataFiles
from tidelog.server.limits import CONNECTIONS_MAX, CREATIONS_PER_SECOND_MAX, UNLIMITED, Limits
from tidelog.server.server import RequestServer

LOG = logging.getLogger(__name__)
# Descriptors that segments and their like may need beside the connections.
DESCRIPTORS_RESERVED = 4096


class Node:
    def __init__(self, config: BrokerConfig) -> None:
        self.config = config
        self.clock = RealClock()
        self.disk = RealDisk()
        self.blocking = ThreadBlocking()
        self.network = TcpNetwork(self.blocking, _socket_options(config))
        self.endpoints: list[Endpoint] = []
        self._started: list[Callable[[], object]] = []

    async def start(self) -> None:
        config = self.config
        meta = open_directories(self.disk, config)
        files = MetadataFiles(self.disk, self.clock, config.metadata_directory, LogConfig())
        self.metadata = MetadataRuntime(config, meta.cluster_id, files, self.clock, self.blocking, os.urandom)
        await self.metadata.start()
        self.logs = LogManager(self.disk, self.clock, config.log_directories)
        self.broker = Broker(
            config,
            self.metadata,
            self.logs,
            self.clock,
            self.blocking,
            lambda: int.from_bytes(os.urandom(4), "big") >> 1,
        )
        image = self.metadata.image
        self.logs.load(lambda topic: self.broker.log_config(image, topic))
        self.broker.load(image)
        self.metadata.subscribe(self.broker.apply)
        await self._listen()
        directories = [meta.directory_id] if meta.directory_id else []
        await register(self.metadata, config, self._advertised(), self.endpoints, directories, new_id())
        self.server.open()

    async def _listen(self) -> None:
        apis = registry.load()
        self.broker.apis = apis
        self.server = RequestServer(self.broker, apis, self.clock, limits(self.config), unsupported_version())
        for endpoint in self.config.endpoints:
            server = await self.server.listen(self.network, endpoint)
            self.endpoints.append(endpoint._replace(port=server.port))

    def _advertised(self) -> list[Endpoint]:
        """As configured; a port of 0 becomes the port that was found free, an empty host this machine's name."""
        ports = {each.listener_name: each.port for each in self.endpoints}
        return [
            each._replace(port=each.port or ports[each.listener_name], host=each.host or "localhost")
            for each in self.config.advertised_endpoints
        ]

    @property
    def address(self) -> str:
        """Where clients find this node: its first advertised listener."""
        first = self._advertised()[0]
        return f"{first.host}:{first.port}"

    async def stop(self) -> None:
        await self.server.close()
        await self.broker.close()
        await self.metadata.close()
        self.logs.close()
        self.blocking.close()


def new_id() -> bytes:
    """A random id of version 4, as Kafka's are; never one whose text begins with a dash, which commands would take as a flag."""
    while True:
        raw = bytearray(os.urandom(16))
        raw[6] = raw[6] & 0x0F | 0x40
        raw[8] = raw[8] & 0x3F | 0x80
        if raw[0] >> 2 != 62:
            return bytes(raw)


def _socket_options(config: BrokerConfig) -> SocketOptions:
    """Buffers are left to the kernel unless somebody set them; a backlog of 50 is too short for a reconnect storm."""
    given = config.static
    return SocketOptions(
        config.socket_send_buffer_bytes if "socket.send.buffer.bytes" in given else -1,
        config.socket_receive_buffer_bytes if "socket.receive.buffer.bytes" in given else -1,
        config.socket_listen_backlog_size if "socket.listen.backlog.size" in given else 1024,
    )


def limits(config: BrokerConfig) -> Limits:
    """Kafka's unlimited defaults become finite ones; what somebody set is taken as it is."""
    most = min(CONNECTIONS_MAX, max(64, raise_descriptor_limit() - DESCRIPTORS_RESERVED))

    def bound(value: int, ours: int) -> int:
        return ours if value == UNLIMITED else value

    overrides = (pair.rpartition(":") for pair in (config.max_connections_per_ip_overrides or "").split(",") if pair)
    queued = config.queued_max_request_bytes
    return Limits(
        connections_max=bound(config.max_connections, most),
        connections_per_ip_max=bound(config.max_connections_per_ip, most),
        connections_per_ip_overrides={host.strip(): int(count) for host, _, count in overrides},
        creations_per_second_max=bound(config.max_connection_creation_rate, CREATIONS_PER_SECOND_MAX),
        idle_ms=config.connections_max_idle_ms,
        request_bytes_max=config.socket_request_max_bytes,
        request_memory_bytes_max=queued if queued > 0 else Limits().request_memory_bytes_max,
    )


def raise_descriptor_limit() -> int:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


async def serve(config: BrokerConfig, announce: Callable[[str], None]) -> None:
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    node = Node(config)
    await node.start()
    announce(f"node {config.node_id} pid {os.getpid()} {node.address}")
    announce(f"ready {node.address}")
    await stopping.wait()
    LOG.info("stopping")
    await node.stop()


def run(config: BrokerConfig, announce: Callable[[str], None] | None = None) -> None:
    """Serves until SIGTERM or SIGINT. `announce` gets the lines that say where."""
    import uvloop

    log_lines.configure()
    uvloop.run(serve(config, announce or _print))


def _print(line: str) -> None:
    print(line, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """python -m tidelog.node.node server.properties [name=value ...]"""
    from tidelog.config.properties import parse_properties

    given = list(sys.argv[1:] if arguments is None else arguments)
    properties: dict[str, str] = {}
    for each in given:
        if "=" in each:
            name, _, value = each.partition("=")
            properties[name] = value
        else:
            with open(each, encoding="latin-1") as file:
                properties |= parse_properties(file.read())
    run(BrokerConfig.from_properties(properties))
    return 0


if __name__ == "__main__":
    sys.exit(main())
