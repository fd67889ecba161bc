"""What a nemesis is told of the inside of nodes, so that it can strike in the right moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tidelog.broker.partition import Partition
from tidelog.raft.messages import OpenEpoch
from tidelog.runtime import raft
from tidelog.runtime.raft import RaftDriver


class Watch:
    """What is told of the inside: a partition follows somebody new, a node leads the quorum."""

    def __init__(self) -> None:
        self.on_follow: Callable[[Partition], None] | None = None
        self.on_quorum_leader: Callable[[RaftDriver], None] | None = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        follow, effects = Partition.follow, raft._EFFECTS
        open_epoch = effects[OpenEpoch]

        def followed(partition: Partition, state: Any) -> bool:
            is_news = follow(partition, state)
            if is_news and self.on_follow is not None:
                self.on_follow(partition)
            return is_news

        def opened(driver: RaftDriver, effect: Any) -> None:
            open_epoch(driver, effect)
            if self.on_quorum_leader is not None:
                self.on_quorum_leader(driver)

        Partition.follow = followed  # type: ignore[method-assign, assignment]
        raft._EFFECTS = {**effects, OpenEpoch: opened}
        try:
            yield
        finally:
            Partition.follow = follow  # type: ignore[method-assign]
            raft._EFFECTS = effects
