"""What the active controller knows of the brokers' lives beside the metadata log: who was heard of when.

Soft state: it begins anew with each controller that takes the lead, and from then on every broker has a whole session
timeout to be heard of.
"""

from __future__ import annotations

from typing import NamedTuple

from tidelog.controller.brokers import (
    begin_shutdown,
    check_broker_epoch,
    directories_offline,
    fence_broker,
    has_leaderships,
    unfence_broker,
)
from tidelog.controller.result import Environment, Result
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.records import MetadataRecord
from tidelog.protocol.messages.broker_heartbeat import BrokerHeartbeatRequest


class Contact:
    """One broker, in one of its incarnations."""

    __slots__ = ("connected", "epoch", "heard", "heard_ms", "metadata_offset", "shutdown_offset")

    def __init__(self, epoch: int, now_ms: int) -> None:
        self.epoch = epoch
        self.heard_ms = now_ms
        self.heard = False  # by this controller, in person
        self.connected = False  # the connection of its last heartbeat still stands
        self.metadata_offset = -1
        self.shutdown_offset = -1  # others must have seen this before it may stop


class HeartbeatReply(NamedTuple):
    is_caught_up: bool
    is_fenced: bool
    should_shut_down: bool


class Heartbeats:
    def __init__(self, session_timeout_ms: int) -> None:
        self.session_timeout_ms = session_timeout_ms
        self.contacts: dict[int, Contact] = {}

    def begin(self, image: MetadataImage, now_ms: int) -> None:
        """A controller takes the lead: nobody is late yet."""
        brokers = sorted(image.cluster.brokers.items())
        self.contacts = {each: Contact(broker.epoch, now_ms) for each, broker in brokers}

    def registered(self, broker_id: int, epoch: int, now_ms: int) -> None:
        contact = self.contacts.get(broker_id)
        if contact is None or contact.epoch != epoch:
            self.contacts[broker_id] = Contact(epoch, now_ms)

    def has_valid_session(self, image: MetadataImage, broker_id: int, now_ms: int) -> bool:
        """Whether the registered incarnation is known to live: then no other may take its place."""
        contact = self.contacts.get(broker_id)
        broker = image.cluster.brokers.get(broker_id)
        if contact is None or broker is None or contact.epoch != broker.epoch:
            return False
        return contact.heard and contact.connected and now_ms - contact.heard_ms < self.session_timeout_ms

    def expired(self, image: MetadataImage, now_ms: int) -> list[tuple[int, int]]:
        """Brokers and epochs that were silent for too long and are not fenced yet; the longest silent first."""
        late = []
        for broker_id, broker in image.cluster.brokers.items():
            if broker.fenced:
                continue
            contact = self.contacts.get(broker_id)
            if contact is None or contact.epoch != broker.epoch:
                self.registered(broker_id, broker.epoch, now_ms)
            elif now_ms - contact.heard_ms >= self.session_timeout_ms:
                late.append((contact.heard_ms, broker_id, broker.epoch))
        return [(broker_id, epoch) for _, broker_id, epoch in sorted(late)]

    def next_expiry_ms(self, image: MetadataImage) -> int | None:
        times = [
            contact.heard_ms + self.session_timeout_ms
            for broker_id, contact in self.contacts.items()
            if broker_id in image.cluster.brokers and not image.cluster.brokers[broker_id].fenced
        ]
        return min(times, default=None)

    def lowest_active_offset(self, image: MetadataImage) -> int:
        offsets = [
            contact.metadata_offset
            for broker_id, contact in self.contacts.items()
            if broker_id in image.cluster.brokers and image.cluster.brokers[broker_id].active
        ]
        return min(offsets, default=1 << 62)


def heartbeat(
    image: MetadataImage, environment: Environment, heartbeats: Heartbeats, request: BrokerHeartbeatRequest, now_ms: int
) -> Result[HeartbeatReply]:
    """One heartbeat: what it asks for is granted as soon as it can be."""
    broker_id, epoch = request.broker_id, request.broker_epoch
    broker = check_broker_epoch(image, broker_id, epoch)
    heartbeats.registered(broker_id, epoch, now_ms)
    contact = heartbeats.contacts[broker_id]
    contact.heard, contact.heard_ms, contact.metadata_offset = True, now_ms, request.current_metadata_offset
    is_caught_up = request.current_metadata_offset >= epoch
    records: list[MetadataRecord] = []
    is_fenced, should_shut_down = broker.fenced, False
    if broker.fenced:
        if request.want_shut_down:
            should_shut_down = True
        elif not request.want_fence and is_caught_up:
            records += unfence_broker(image, environment, broker_id, epoch).records
            is_fenced = False
    elif request.want_fence:
        records += fence_broker(image, environment, broker_id, epoch).records
        is_fenced, should_shut_down = True, request.want_shut_down
    elif broker.in_controlled_shutdown:
        moved = not has_leaderships(image, broker_id)
        should_shut_down = moved and contact.shutdown_offset <= heartbeats.lowest_active_offset(image)
    elif request.want_shut_down:
        if has_leaderships(image, broker_id):
            records += begin_shutdown(image, environment, broker_id, epoch).records
            contact.shutdown_offset = environment.next_offset + len(records) - 1
        else:
            should_shut_down = True
    if should_shut_down and not is_fenced:
        records += fence_broker(image, environment, broker_id, epoch).records
        is_fenced = True
    if request.offline_log_dirs and not records:
        records += directories_offline(image, environment, broker_id, epoch, request.offline_log_dirs).records
    return Result(records, HeartbeatReply(is_caught_up, is_fenced, should_shut_down))
