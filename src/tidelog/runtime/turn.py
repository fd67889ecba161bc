"""One turn: a connection's requests that came together, from the first of them to the write of their answers.

What the requests of a turn have to write can wait for its end, so that one write serves all of them. Outside of a turn
nothing waits.
"""

from __future__ import annotations

from collections.abc import Callable


class Turn:
    """Turns may nest: an answer to one connection can set another one going."""

    __slots__ = ("depth", "work")

    def __init__(self) -> None:
        self.depth = 0
        self.work: list[Callable[[], None]] = []

    def at_end(self, work: Callable[[], None]) -> None:
        if self.depth:
            self.work.append(work)
        else:
            work()

    def finish(self) -> None:
        """Does what was put off; the answers that this sets free belong to the turn."""
        while self.work:
            self.work.pop(0)()
