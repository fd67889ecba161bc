"""Regular expressions over topic names, in RE2's syntax, matched in time linear in the name.

A client sends the expression, so a matcher that backtracks would let it stop the node. The expression becomes a small
program (`regex_program.py`) whose threads all run at once; sets of threads that were met before are remembered.
"""

from __future__ import annotations

from functools import lru_cache

from tidelog.coordinator.group.regex_parse import WORD, BadRegex, parse
from tidelog.coordinator.group.regex_program import Assertion, Program, compile_program

__all__ = ["BadRegex", "Matcher", "compiled"]

REMEMBERED_MAX = 20_000
BEGIN, WORD_CHARACTER, OTHER, END = range(4)
State = tuple[frozenset[int], int]


class Matcher:
    """Matches whole names."""

    def __init__(self, expression: str) -> None:
        self._program: Program = compile_program(parse(expression))
        self._start: State = (frozenset((0,)), BEGIN)
        self._steps: dict[tuple[State, str], State] = {}
        self._ends: dict[State, bool] = {}

    def matches(self, name: str) -> bool:
        state = self._start
        for character in name:
            following = self._steps.get((state, character))
            state = self._step(state, character) if following is None else following
            if not state[0]:
                return False
        found = self._ends.get(state)
        return self._end(state) if found is None else found

    def _step(self, state: State, character: str) -> State:
        kind = WORD_CHARACTER if character in WORD else OTHER
        threads = self._closed(state, kind)
        consume = self._program.consume
        moved = frozenset(thread + 1 for thread in threads if character in consume.get(thread, ()))
        if len(self._steps) >= REMEMBERED_MAX:
            self._steps.clear()
        self._steps[state, character] = (moved, kind)
        return moved, kind

    def _end(self, state: State) -> bool:
        if len(self._ends) >= REMEMBERED_MAX:
            self._ends.clear()
        found = self._ends[state] = self._program.size in self._closed(state, END)
        return found

    def _closed(self, state: State, following: int) -> set[int]:
        """Where the threads stand after all jumps, between the last character and the following one."""
        threads, previous = state
        seen: set[int] = set()
        waiting = list(threads)
        while waiting:
            thread = waiting.pop()
            if thread in seen:
                continue
            seen.add(thread)
            assertion = self._program.asserts.get(thread)
            if assertion is not None:
                if _holds(assertion, previous, following):
                    waiting.append(thread + 1)
                continue
            waiting.extend(self._program.jumps.get(thread, ()))
        return seen


def _holds(assertion: Assertion, previous: int, following: int) -> bool:
    if assertion is Assertion.BEGIN:
        return previous == BEGIN
    if assertion is Assertion.END:
        return following == END
    at_boundary = (previous == WORD_CHARACTER) != (following == WORD_CHARACTER)
    return at_boundary == (assertion is Assertion.BOUNDARY)


@lru_cache(maxsize=256)
def compiled(expression: str) -> Matcher:
    """Raises BadRegex, which says what is wrong with the expression."""
    return Matcher(expression)
