"""One turn: a connection's requests that came together, from the first of them to the write of their answers.

What the requests of a turn have to write can wait for its end, so that one write serves all of them. Outside of a turn
nothing waits. What others are told of it comes last of all, when the turn's own answers have left.
"""

from __future__ import annotations

from collections.abc import Callable


class Turn:
    """Turns may nest: an answer to one connection can set another one going."""

    __slots__ = ("depth", "owner", "told", "work")

    def __init__(self) -> None:
        self.depth = 0
        # The connection whose turn it is, or was last.
        self.owner: object = None
        self.work: list[Callable[[], None]] = []
        self.told: list[Callable[[], None]] = []

    def at_end(self, work: Callable[[], None]) -> None:
        if self.depth:
            self.work.append(work)
        else:
            work()

    def finish(self) -> None:
        """Does what was put off; the answers that this sets free belong to the turn."""
        while self.work:
            self.work.pop(0)()

    def tell(self) -> None:
        """After the outermost turn."""
        told, self.told = self.told, []
        for each in told:
            each()
