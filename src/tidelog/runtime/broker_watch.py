"""Whether other brokers' processes live: a kernel says so sooner than any timer.

A controller keeps a connection to the listener of every broker. When a process ends, its kernel ends that connection
and refuses the next one. Both together, the refusal more than once, mean that the process is gone. A process that is
merely slow or stopped still has a kernel that takes connections; a machine that vanished answers nothing: for both
nothing is said here, and the session timeout decides.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from tidelog.metadata.cluster import Broker
from tidelog.metadata.image import MetadataImage
from tidelog.ports import Clock
from tidelog.runtime.peers import Peer, Peers

LOG = logging.getLogger(__name__)
PURPOSE = "watch"
# A refused connection is tried again after these; a process that is being replaced listens again by then.
RETRIES_MS = (0, 15, 40)
# A broker that never took a connection of ours may have an address that only others can reach: be slower with it.
UNPROVEN_MS = 1_000
# A process that ends closes its listener last: a connection that it took after it closed another one must last so long.
SETTLED_MS = 20
# What is neither taken nor refused is tried again after these.
RECONNECTS_MS = (5, 20, 100, 1_000)


class Watched:
    """One incarnation of one broker."""

    __slots__ = ("broker_id", "epoch", "is_proven", "peer", "task")

    def __init__(self, broker_id: int, epoch: int, peer: Peer) -> None:
        self.broker_id = broker_id
        self.epoch = epoch
        self.peer = peer
        self.is_proven = False  # it took a connection once
        self.task: asyncio.Task[None] | None = None


class BrokerWatch:
    def __init__(self, node_id: int, listener_name: str, peers: Peers, clock: Clock) -> None:
        # Told of a broker and the epoch in which it died; again on request, see `dead`.
        self.on_dead: Callable[[int, int], None] = _unheard
        self.dead: dict[int, int] = {}
        # Brokers whose connection ended and that took no new one since: nobody should be sent there now.
        self.doubtful: set[int] = set()
        self._node_id = node_id
        self._listener_name = listener_name
        self._peers = peers
        self._clock = clock
        self._watched: dict[int, Watched] = {}

    def update(self, image: MetadataImage) -> None:
        """Watches every broker of the image that is not fenced, and no other."""
        wanted = {
            broker_id: broker
            for broker_id, broker in sorted(image.cluster.brokers.items())
            if broker_id != self._node_id and not broker.fenced
        }
        for broker_id, watched in list(self._watched.items()):
            if broker_id not in wanted or wanted[broker_id].epoch != watched.epoch:
                self._forget(watched)
        for broker_id, broker in wanted.items():
            if broker_id not in self._watched:
                self._begin(broker)

    def close(self) -> None:
        for watched in list(self._watched.values()):
            self._forget(watched)

    def _begin(self, broker: Broker) -> None:
        endpoint = broker.endpoint(self._listener_name)
        if endpoint is None:
            return
        watched = Watched(broker.id, broker.epoch, self._peers.at(*endpoint, PURPOSE))
        self._watched[broker.id] = watched
        watched.peer.on_lost = lambda: self._lost(watched)
        self._look(watched)

    def _forget(self, watched: Watched) -> None:
        del self._watched[watched.broker_id]
        self.dead.pop(watched.broker_id, None)
        self.doubtful.discard(watched.broker_id)
        if watched.task is not None:
            watched.task.cancel()
        self._peers.forget(watched.peer, PURPOSE)

    def _lost(self, watched: Watched) -> None:
        self.doubtful.add(watched.broker_id)
        self._look(watched)

    def _look(self, watched: Watched) -> None:
        if watched.task is None or watched.task.done():
            watched.task = asyncio.get_running_loop().create_task(self._find_out(watched))

    async def _find_out(self, watched: Watched) -> None:
        """Until there is a connection again, or the process is known to be gone."""
        began_ms = self._clock.monotonic_ms()
        refusals = failures = 0
        while True:
            await asyncio.sleep(RETRIES_MS[min(refusals, len(RETRIES_MS) - 1)] / 1000)
            outcome = await watched.peer.probe()
            if outcome is None and watched.broker_id in self.doubtful:
                await asyncio.sleep(SETTLED_MS / 1000)
            if outcome is None and watched.peer.is_connected:
                watched.is_proven = True
                self.dead.pop(watched.broker_id, None)
                self.doubtful.discard(watched.broker_id)
                return
            if outcome is None or not outcome.refused:
                # It may be just ending: look again soon.
                wait_ms = RECONNECTS_MS[min(failures, len(RECONNECTS_MS) - 1)]
                failures, refusals = failures + 1, 0
                if failures >= len(RECONNECTS_MS):
                    self.doubtful.discard(watched.broker_id)  # it may be that only this node does not reach it
                await asyncio.sleep(wait_ms / 1000)
                continue
            refusals += 1
            patience_ms = 0 if watched.is_proven else UNPROVEN_MS
            if refusals >= len(RETRIES_MS) and self._clock.monotonic_ms() - began_ms >= patience_ms:
                self._declare_dead(watched)
                return

    def _declare_dead(self, watched: Watched) -> None:
        LOG.info("broker %d at %s is gone: its connection ended and new ones are refused", *_named(watched))
        self.dead[watched.broker_id] = watched.epoch
        self.on_dead(watched.broker_id, watched.epoch)


def _named(watched: Watched) -> tuple[int, str]:
    return watched.broker_id, str(watched.peer)


def _unheard(broker_id: int, epoch: int) -> None:
    """Until somebody wants to know."""
