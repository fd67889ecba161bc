"""A parsed expression as a program: threads consume characters, jump, or wait for an assertion to hold."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import NamedTuple

SIZE_MAX = 5_000


class BadRegex(Exception):
    """The expression cannot be used; the text says why."""


class Assertion(enum.Enum):
    BEGIN = "begin"
    END = "end"
    BOUNDARY = "boundary"
    NO_BOUNDARY = "no boundary"


class Characters(NamedTuple):
    """One character out of a set; an empty set never matches a topic name."""

    of: frozenset[str]


class Sequence(NamedTuple):
    parts: tuple[Node, ...]


class Choice(NamedTuple):
    parts: tuple[Node, ...]


class Repeat(NamedTuple):
    part: Node
    least: int
    most: int | None


Node = Characters | Sequence | Choice | Repeat | Assertion


@dataclass(slots=True)
class Program:
    """A thread at `size` has matched. An instruction is in one of the three tables."""

    consume: dict[int, frozenset[str]] = field(default_factory=dict)
    jumps: dict[int, tuple[int, ...]] = field(default_factory=dict)
    asserts: dict[int, Assertion] = field(default_factory=dict)
    size: int = 0

    def take(self) -> int:
        if self.size >= SIZE_MAX:
            raise BadRegex("the expression is too large; use fewer or smaller repetitions")
        self.size += 1
        return self.size - 1


def compile_program(node: Node) -> Program:
    program = Program()
    _emit(program, node)
    return program


def _emit(program: Program, node: Node) -> None:
    if isinstance(node, Characters):
        program.consume[program.take()] = node.of
    elif isinstance(node, Assertion):
        program.asserts[program.take()] = node
    elif isinstance(node, Sequence):
        for part in node.parts:
            _emit(program, part)
    elif isinstance(node, Choice):
        _emit_choice(program, node)
    else:
        _emit_repeat(program, node)


def _emit_choice(program: Program, node: Choice) -> None:
    fork = program.take()
    starts, ends = [], []
    for part in node.parts:
        starts.append(program.size)
        _emit(program, part)
        ends.append(program.take())
    program.jumps[fork] = tuple(starts)
    for end in ends:
        program.jumps[end] = (program.size,)


def _emit_repeat(program: Program, node: Repeat) -> None:
    for _ in range(node.least):
        _emit(program, node.part)
    if node.most is None:
        fork = program.take()
        _emit(program, node.part)
        program.jumps[program.take()] = (fork,)
        program.jumps[fork] = (fork + 1, program.size)
        return
    forks = []
    for _ in range(node.most - node.least):
        forks.append(program.take())
        _emit(program, node.part)
    for fork in forks:
        program.jumps[fork] = (fork + 1, program.size)
