"""One node, composed: real ports, metadata, logs, broker, listeners; started, announced and stopped in order.

`run` is what the commands call. A test starts a `Node` inside its own loop.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import resource
import signal
import sys
import uuid
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from tidelog.api import registry
from tidelog.api.k18_api_versions import unsupported_version
from tidelog.broker.broker import Broker
from tidelog.config.broker_config import BrokerConfig
from tidelog.config.endpoints import Endpoint
from tidelog.io.blocking import ThreadBlocking
from tidelog.io.clock import RealClock
from tidelog.io.disk import RealDisk
from tidelog.io.faults import PartedNetwork
from tidelog.io.network import SocketOptions, TcpNetwork
from tidelog.log.directory import LogDirectory
from tidelog.log.housekeeping import Housekeeping, HousekeepingIntervals
from tidelog.log.manager import LogManager
from tidelog.metadata.configs import BROKER
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import MetadataImage
from tidelog.model import uuids
from tidelog.node import logs as log_lines
from tidelog.node.cleaning import start_cleaner
from tidelog.node.directories import check_directories, metadata_directory_id
from tidelog.node.membership import Membership
from tidelog.node.metrics_port import MetricsPort
from tidelog.node.tiered_storage import start_tiered_storage
from tidelog.ports import Blocking, Clock, Disk, Network, ObjectStore, Server
from tidelog.runtime.metadata import MetadataRuntime
from tidelog.runtime.peers import Peers
from tidelog.server.limits import CONNECTIONS_MAX, CREATIONS_PER_SECOND_MAX, UNLIMITED, Limits
from tidelog.server.server import RequestServer

LOG = logging.getLogger(__name__)
# Descriptors that segments and their like may need beside the connections.
DESCRIPTORS_RESERVED = 4096
QUORUM_TOLD_S = 5.0


class NodePorts(NamedTuple):
    """The world of one node: the real one, or a simulated one."""

    clock: Clock
    disk: Disk
    blocking: Blocking
    network: Network
    random_bytes: Callable[[int], bytes]
    close: Callable[[], None]
    objects: ObjectStore | None = None  # where tiered storage keeps segments; None takes what the settings name


def real_ports(config: BrokerConfig) -> NodePorts:
    blocking = ThreadBlocking()
    sockets = TcpNetwork(blocking, _socket_options(config))
    network = PartedNetwork(sockets) if config.tidelog_fault_file else sockets
    return NodePorts(RealClock(), RealDisk(), blocking, network, os.urandom, blocking.close)


class Node:
    def __init__(self, config: BrokerConfig, ports: NodePorts | None = None) -> None:
        self.config = config
        self.ports = ports or real_ports(config)
        self.clock, self.disk, self.blocking, self.network = self.ports[:4]
        self.endpoints: list[Endpoint] = []
        # Set when the node cannot go on.
        self.failed = asyncio.Event()
        self.metrics: Server | None = None
        self._epoch = -1

    async def start(self) -> None:
        config = self.config
        raise_descriptor_limit()
        random_bytes = self.ports.random_bytes
        random = Random(random_bytes(16))
        self.logs = LogManager(
            self.disk,
            self.clock,
            config.log_directories,
            blocking=self.blocking,
            random=random,
            on_directory_failed=self._directory_failed,
        )
        self.logs.open_directories()
        meta = check_directories(self.disk, config)
        self.peers = Peers(self.network, self.clock, f"tidelog-{config.node_id}")
        self.metadata = MetadataRuntime.open(
            config,
            meta.cluster_id,
            self.disk,
            self.clock,
            self.blocking,
            random_bytes,
            self.peers,
            metadata_directory_id(self.disk, config),
        )
        self.metadata.on_failure = self._metadata_failed
        self.membership = Membership(config, self.metadata, self.peers, self.clock)
        self.broker = Broker(
            self.metadata.config,
            self.metadata,
            self.logs,
            self.clock,
            self.blocking,
            lambda: random.getrandbits(31),
            lambda: str(uuid.UUID(bytes=random_bytes(16), version=4)),
        )
        await self._listen()
        self.membership.attach(self.broker, self.server)
        await self.metadata.start()
        await self._quorum_found()
        await self._join(uuids.new(random_bytes))
        self.housekeeping = self._make_housekeeping()
        self._housekeeping = asyncio.create_task(self.housekeeping.run())
        self.cleaner = start_cleaner(self)
        self.metadata.subscribe(self._settings_changed)
        await start_tiered_storage(self)
        await self._serve_metrics()
        self.server.open()

    async def _quorum_found(self) -> None:
        """May take for ever when too few of the other controllers run; whoever started this node should know why."""
        telling = asyncio.get_running_loop().call_later(
            QUORUM_TOLD_S,
            LOG.warning,
            "node %d waits for the controllers of its cluster to elect a leader; start more of %s",
            self.config.node_id,
            self.config.controller_quorum_voters or self.config.controller_quorum_bootstrap_servers,
        )
        try:
            await self.metadata.ready()
        finally:
            telling.cancel()

    async def _join(self, incarnation_id: bytes) -> None:
        """Registers, hosts what the metadata gives this node once it includes the registration, and serves."""
        self.membership.start()
        await self.membership.register_controller(incarnation_id, self.endpoints)
        if not self.config.is_broker:
            return
        image = self.metadata.image
        await self.logs.start(lambda topic: self.broker.log_config(image, topic))
        self._epoch = await self.membership.register_broker(incarnation_id, self._advertised(), self.logs)
        self.broker.load(self.metadata.image)
        self.metadata.subscribe(self.broker.apply)
        await self.membership.lifecycle.unfence()

    async def _serve_metrics(self) -> None:
        host, port = self.config.tidelog_metrics_host, self.config.tidelog_metrics_port
        if port >= 0:
            self.metrics = await MetricsPort(self).listen(self.network, host, port)
            LOG.info("metrics at http://%s:%d/metrics", self.metrics.host, self.metrics.port)

    def _settings_changed(self, delta: MetadataDelta, image: MetadataImage) -> None:
        if any(kind == BROKER for kind, _ in delta.configs.changed):
            self.server.set_limits(limits(self.metadata.config))

    def _make_housekeeping(self) -> Housekeeping:
        config = self.config
        intervals = HousekeepingIntervals(
            retention_check_ms=config.log_retention_check_interval_ms,
            offset_checkpoint_ms=config.log_flush_offset_checkpoint_interval_ms,
            high_watermark_checkpoint_ms=config.replica_high_watermark_checkpoint_interval_ms,
            producer_expiration_ms=config.producer_id_expiration_ms,
        )
        return Housekeeping(self.logs, self.disk, self.clock, self.blocking, self.broker.high_watermarks, intervals)

    def _metadata_failed(self, error: OSError) -> None:
        """What the cluster decides can no longer be kept, so nothing may be decided."""
        LOG.critical(
            "the node stops: the metadata log cannot be written (%s); repair the disk and start it again", error
        )
        self.failed.set()

    def _directory_failed(self, directory: LogDirectory) -> None:
        """Its partitions answer with a storage error from now on; without the metadata log the node cannot go on."""
        if hasattr(self, "broker"):
            self.broker.directory_failed(directory)
        if directory.path == self.config.metadata_directory or not self.logs.online():
            LOG.critical("the node stops: %s; repair the disk and start it again", directory.offline)
            self.failed.set()

    async def _listen(self) -> None:
        apis = registry.load()
        self.broker.apis = apis
        self.server = RequestServer(
            self.broker,
            apis,
            self.clock,
            limits(self.config),
            unsupported_version(),
            self.config.controller_listener_names or (),
        )
        for endpoint in self.config.endpoints:
            server = await self.server.listen(self.network, endpoint)
            self.endpoints.append(endpoint._replace(port=server.port))
        self.metadata.quorum.listeners = self._controller_endpoints()

    def _controller_endpoints(self) -> list[tuple[str, str, int]]:
        """Where other controllers reach this one; every interface is no address that could be told to them."""
        private = self.config.controller_listener_names or ()
        known = {each.listener_name: each for each in self.endpoints if each.host not in ("", "0.0.0.0", "::")}
        known |= {each.listener_name: each for each in self._advertised()}
        return [(name, known[name].host, known[name].port) for name in private if name in known]

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
        first = (self._advertised() or self.endpoints)[0]
        return f"{first.host}:{first.port}"

    async def stop(self) -> None:
        """In the order in which work flows: no more requests, no more waiting, logs durable, metadata last."""
        if self.metrics is not None:
            await self.metrics.close()
        if not self.failed.is_set():
            await self.membership.leave()
        await self.server.close()
        self._housekeeping.cancel()
        await asyncio.gather(self._housekeeping, return_exceptions=True)
        await self.cleaner.stop()
        await self.broker.close()
        if self.logs.online():
            await self.housekeeping.checkpoint_high_watermarks()
        await self.blocking.run(self.logs.close, self._epoch)
        self.membership.close()
        await self.metadata.close()
        self.ports.close()


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


def _watch_faults(config: BrokerConfig, network: PartedNetwork) -> None:
    """Reads now and at every SIGUSR2 which addresses this node is not to reach."""

    def read() -> None:
        try:
            with open(config.tidelog_fault_file or "", encoding="utf-8") as file:
                words = file.read().split()
        except OSError:
            words = []
        split = (each.rpartition(":") for each in words)
        network.set_unreachable([(host.strip("[]"), int(port)) for host, _, port in split if port.isdecimal()])

    read()
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR2, read)


async def serve(config: BrokerConfig, announce: Callable[[str], None], stop_on_interrupt: bool = True) -> None:
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP) if stop_on_interrupt else (signal.SIGTERM,):
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # as nohup leaves it
            loop.add_signal_handler(number, stopping.set)
    node = Node(config)
    if isinstance(node.network, PartedNetwork):
        _watch_faults(config, node.network)
    stopped = asyncio.ensure_future(stopping.wait())
    starting = asyncio.ensure_future(node.start())
    await asyncio.wait([starting, stopped], return_when=asyncio.FIRST_COMPLETED)
    if not starting.done():
        # Nothing was acknowledged yet; the next start finds the directory as after a crash.
        LOG.info("the node stops before it has started")
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        return
    starting.result()
    # What is loaded by now stays: looking through all of it again and again stops the loop for 20 ms each time.
    gc.freeze()
    announce(f"node {config.node_id} pid {os.getpid()} {node.address}")
    announce(f"ready {node.address}")
    await asyncio.wait(
        [stopped, asyncio.ensure_future(node.failed.wait())],
        return_when=asyncio.FIRST_COMPLETED,
    )
    LOG.info("the node stops")
    await node.stop()


def run(config: BrokerConfig, announce: Callable[[str], None] | None = None, *, stop_on_interrupt: bool = True) -> None:
    """Serves until SIGTERM, SIGINT or SIGHUP. `announce` gets the lines that say where."""
    import uvloop

    log_lines.configure()
    uvloop.run(serve(config, announce or _print, stop_on_interrupt))


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
