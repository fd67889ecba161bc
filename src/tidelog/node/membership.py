"""How one node takes part in its cluster: connections to the others, the way to the active controller, its own
controller's work, and the broker's registration."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tidelog.api.running import run_here
from tidelog.broker.broker import Broker
from tidelog.config.broker_config import BrokerConfig
from tidelog.config.endpoints import Endpoint
from tidelog.log.manager import LogManager
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.features import SUPPORTED
from tidelog.metadata.image import MetadataImage
from tidelog.ports import Clock
from tidelog.protocol.messages.controller_registration import ControllerRegistrationRequest, Feature, Listener
from tidelog.runtime.broker_lifecycle import BrokerLifecycle, Identity
from tidelog.runtime.broker_watch import BrokerWatch
from tidelog.runtime.controller import ControllerRuntime
from tidelog.runtime.forwarding import ControllerChannel
from tidelog.runtime.metadata import MetadataRuntime
from tidelog.runtime.peers import Peers
from tidelog.server.server import RequestServer

CONTROLLER_REGISTRATION_MS = 60_000


class Membership:
    def __init__(self, config: BrokerConfig, metadata: MetadataRuntime, peers: Peers, clock: Clock) -> None:
        self.config = config
        self.metadata = metadata
        self.peers = peers
        self.channel = ControllerChannel(metadata, peers, clock)
        self.lifecycle = BrokerLifecycle(metadata, self.channel, clock)
        self.controller: ControllerRuntime | None = None
        self._advanced = asyncio.Event()
        metadata.subscribe(self._moved)
        if config.is_controller:
            listener = config.inter_broker_listener_name or config.security_inter_broker_protocol
            self._watch = BrokerWatch(config.node_id, listener, peers, clock)
            self.controller = ControllerRuntime(metadata, clock, self._watch)

    def attach(self, broker: Broker, server: RequestServer) -> None:
        broker.peers = self.peers
        broker.controller = self.channel
        broker.producer_ids.controller = self.channel
        broker.controller_runtime = self.controller
        if self.controller is not None:
            broker.doubtful = self._watch.doubtful
        server.controller = self.channel
        self.channel.local = lambda message, version: run_here(broker, message, version)

    def start(self) -> None:
        if self.controller is not None:
            self.controller.start()

    async def register_controller(self, incarnation_id: bytes, listening: Sequence[Endpoint]) -> None:
        if not self.config.is_controller:
            return
        private = set(self.config.controller_listener_names or ())
        request = ControllerRegistrationRequest(
            controller_id=self.config.node_id,
            incarnation_id=incarnation_id,
            listeners=[
                Listener(
                    name=each.listener_name,
                    host=each.host or "localhost",
                    port=each.port,
                    security_protocol=each.security_protocol_id,
                )
                for each in listening
                if each.listener_name in private
            ],
            features=[
                Feature(name=name, min_supported_version=low, max_supported_version=high)
                for name, (low, high) in sorted(SUPPORTED.items())
            ],
        )
        await self.channel.request(request, CONTROLLER_REGISTRATION_MS)

    async def register_broker(self, incarnation_id: bytes, advertised: Sequence[Endpoint], logs: LogManager) -> int:
        """The broker's epoch, once it is known here; the broker is fenced until `lifecycle.unfence`."""
        identity = Identity(
            incarnation_id,
            advertised,
            [each.directory_id for each in logs.online()],
            last_clean_epoch(logs),
            SUPPORTED,
        )
        known = set(identity.directories)
        online = logs.online
        self.lifecycle.offline_directories = lambda: sorted(known - {each.directory_id for each in online()})
        epoch = await self.lifecycle.register(identity)
        await self._reached(epoch)
        return epoch

    async def _reached(self, offset: int) -> None:
        """Waits until this node's own image has everything up to `offset`."""
        while self.metadata.image.provenance.offset < offset:
            self._advanced.clear()
            await self._advanced.wait()

    def _moved(self, delta: MetadataDelta, image: MetadataImage) -> None:
        self._advanced.set()

    async def leave(self) -> None:
        await self.lifecycle.shut_down()

    def close(self) -> None:
        if self.controller is not None:
            self.controller.close()
        self.peers.close()


def last_clean_epoch(logs: LogManager) -> int:
    """The epoch in which the broker last stopped cleanly; -1 when not all directories tell the same."""
    epochs = {each.broker_epoch for each in logs.online()}
    return epochs.pop() if len(epochs) == 1 else -1
