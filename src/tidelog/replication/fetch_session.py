"""The follower's half of a fetch session (KIP-227): what the leader remembers of it, and what it must be told next.

Pure: positions go in, the bytes of a Fetch request come out (version 18, topics by id). After the first request, which
names every partition, only those are named that moved on, were added or are no longer followed. An answer counts for a
partition only if nobody changed its position after it was asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from struct import Struct

VERSION = 18
EPOCH_MAX = 2**31 - 1
NO_SESSION = 0
INITIAL_EPOCH = 0

Key = tuple[bytes, int]  # topic id, partition
# Leader epoch, fetch offset, epoch of the last record here (-1 if there is none), log start offset.
Position = tuple[int, int, int, int]

_HEAD = Struct(">iiibii").pack  # max wait, min bytes, max bytes, isolation, session id, session epoch
_PARTITION = Struct(">iiqiqib").pack  # partition, leader epoch, offset, last epoch, log start, max bytes, no tags
_INDEX = Struct(">i").pack
# All of it for one partition and nothing forgotten.
_ONE = Struct(">iiibiiB16sBiiqiqibBBbbbbiqb").pack
# No rack, and one tagged field: number 1, 13 bytes, the replica's id and epoch and no tags of its own.
_TAIL = Struct(">bbbbiqb").pack


class FollowerSession:
    __slots__ = ("_changed", "_forgotten", "_known", "epoch", "positions", "replica_id", "session_id")

    def __init__(self, replica_id: int) -> None:
        self.replica_id = replica_id
        self.session_id = NO_SESSION
        self.epoch = INITIAL_EPOCH
        self.positions: dict[Key, Position] = {}
        # As they were last sent.
        self._known: dict[Key, Position] = {}
        self._changed: dict[Key, None] = {}
        self._forgotten: dict[Key, None] = {}

    def put(self, key: Key, position: Position) -> None:
        self.positions[key] = position
        self._forgotten.pop(key, None)
        if self._known.get(key) == position:
            self._changed.pop(key, None)
        else:
            self._changed[key] = None

    def remove(self, key: Key) -> None:
        if self.positions.pop(key, None) is not None:
            self._changed.pop(key, None)
            if key in self._known:
                self._forgotten[key] = None

    def is_answer_due(self, key: Key) -> bool:
        """Whether what the leader says of the partition answers what would be asked now."""
        position = self.positions.get(key)
        return position is not None and self._known.get(key) == position

    @property
    def has_news(self) -> bool:
        """Whether there is something to tell that the leader does not know yet."""
        return bool(self._changed or self._forgotten)

    def request(
        self, broker_epoch: int, max_wait_ms: int, min_bytes: int, max_bytes: int, partition_bytes: int
    ) -> bytes:
        """The body of the next request."""
        is_full = self.epoch == INITIAL_EPOCH
        changed = self._changed
        if not is_full and len(changed) == 1 and not self._forgotten:
            (key,) = changed
            epoch, offset, last_epoch, log_start = self._known[key] = self.positions[key]
            changed.clear()
            return _ONE(
                max_wait_ms, min_bytes, max_bytes, 0, self.session_id, self.epoch, 2, key[0], 2,
                key[1], epoch, offset, last_epoch, log_start, partition_bytes, 0, 0,
                1, 1, 1, 1, 13, self.replica_id, broker_epoch, 0,
            )  # fmt: skip
        named: Iterable[Key] = self.positions if is_full else self._changed
        out = bytearray(_HEAD(max_wait_ms, min_bytes, max_bytes, 0, self.session_id, self.epoch))
        topics: dict[bytes, list[int]] = {}
        for topic, index in named:
            topics.setdefault(topic, []).append(index)
        out += uvarint(len(topics) + 1)
        positions = self.positions
        for topic, indexes in topics.items():
            out += topic
            out += uvarint(len(indexes) + 1)
            for index in indexes:
                epoch, offset, last_epoch, log_start = self._known[topic, index] = positions[topic, index]
                out += _PARTITION(index, epoch, offset, last_epoch, log_start, partition_bytes, 0)
            out += b"\0"
        self._put_forgotten(out, is_full)
        out += _TAIL(1, 1, 1, 13, self.replica_id, broker_epoch, 0)
        self._changed.clear()
        self._forgotten.clear()
        return bytes(out)

    def _put_forgotten(self, out: bytearray, is_full: bool) -> None:
        topics: dict[bytes, list[int]] = {}
        for topic, index in () if is_full else self._forgotten:
            topics.setdefault(topic, []).append(index)
        for key in self._forgotten:
            self._known.pop(key, None)
        out += uvarint(len(topics) + 1)
        for topic, indexes in topics.items():
            out += topic
            out += uvarint(len(indexes) + 1)
            for index in indexes:
                out += _INDEX(index)
            out += b"\0"

    def answered(self, session_id: int) -> None:
        """The leader went on with the session, or began one, or has none to give (0)."""
        if session_id == NO_SESSION:
            self.reset()
        elif self.epoch == INITIAL_EPOCH:
            self.session_id, self.epoch = session_id, 1
        else:
            self.epoch = 1 if self.epoch == EPOCH_MAX else self.epoch + 1

    def reset(self) -> None:
        """The next request names everything."""
        self.session_id, self.epoch = NO_SESSION, INITIAL_EPOCH
        self._known = {key: position for key, position in self._known.items() if key in self.positions}
        self._forgotten.clear()


def uvarint(value: int) -> bytes:
    if value < 0x80:
        return bytes((value,))
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
