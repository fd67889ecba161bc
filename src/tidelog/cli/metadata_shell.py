"""The commands of kafka-metadata-shell: a tree of directories, where one is in it, and what was typed."""

from __future__ import annotations

import fnmatch
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

ANY = 1 << 30
GLOB = frozenset("*?[")


class Command(NamedTuple):
    usage: str
    about: str
    run: Callable[[Shell, Sequence[str]], None]
    least: int = 0
    most: int = ANY
    alone: bool = False  # may be given on the command line, without a shell around it


class Shell:
    def __init__(self, root: Mapping[str, Any], interactive: bool) -> None:
        self.root = root
        self.place: list[str] = []
        self.typed: list[str] = []
        self.is_open = True
        self._commands = {name: each for name, each in COMMANDS.items() if interactive or each.alone}

    def interact(self) -> None:
        print("Starting...\n[ Kafka Metadata Shell ]", flush=True)
        while self.is_open:
            try:
                line = input(">> ")
                words = shlex.split(line)
            except (EOFError, KeyboardInterrupt):
                return
            except ValueError as error:
                print(error)
                continue
            if words:
                self.typed.append(line.strip())
                self.run(words)

    def run(self, words: Sequence[str]) -> None:
        name, *rest = words
        command = self._commands.get(name)
        if command is None:
            choices = ", ".join(f"'{each}'" for each in self._commands)
            print(f"invalid choice: '{name}' (choose from {choices})")
        elif any(each.startswith("-") for each in rest) or len(rest) > command.most:
            extra = next((each for each in rest if each.startswith("-")), rest[-1])
            print(f"unrecognized arguments: '{extra}'")
        elif len(rest) < command.least:
            print("too few arguments")
        else:
            command.run(self, rest)

    # commands

    def cat(self, words: Sequence[str]) -> None:
        for path, _, node in self._each("cat", words, "No such file or directory."):
            print(f"cat: {path}: Is a directory" if isinstance(node, dict) else node)

    def cd(self, words: Sequence[str]) -> None:
        for path, parts, node in self._each("cd", words or ["/"], "no such directory."):
            if isinstance(node, dict):
                self.place = parts
            else:
                print(f"cd: {path}: not a directory.")

    def exit(self, words: Sequence[str]) -> None:
        self.is_open = False

    def find(self, words: Sequence[str]) -> None:
        for path, _, node in self._each("find", words or ["."], "no such file or directory."):
            for name in _walk(path, node):
                print(name)

    def help(self, words: Sequence[str]) -> None:
        for name, each in self._commands.items():
            print(f"{name:<9}{each.about}")

    def history(self, words: Sequence[str]) -> None:
        count = len(self.typed)
        if words:
            if not words[0].isdecimal():
                print(f"history: {words[0]} is no number of lines.")
                return
            count = min(count, int(words[0]))
        first = len(self.typed) - count
        for number, line in enumerate(self.typed[first:], first):
            print(f"{number:5d}  {line}")

    def ls(self, words: Sequence[str]) -> None:
        found = list(self._each("ls", words or ["."], "no such file or directory."))
        for number, (path, _, node) in enumerate(found):
            if not isinstance(node, dict):
                print(path)
                continue
            if len(found) > 1:
                print(f"\n{path}:" if number else f"{path}:")
            for name in sorted(node):
                print(name)

    def man(self, words: Sequence[str]) -> None:
        command = self._commands.get(words[0])
        if command is None:
            print(f"man: unknown command {words[0]}. Type help to get a list of commands.")
        else:
            print(f"{words[0]}: {command.about}\n\nusage: {words[0]} {command.usage}".rstrip())

    def pwd(self, words: Sequence[str]) -> None:
        print("/" + "/".join(self.place))

    def tree(self, words: Sequence[str]) -> None:
        for _, _, node in self._each("tree", words or ["."], "No such file or directory."):
            _show(node, 0)

    # names

    def _each(self, command: str, words: Sequence[str], missing: str) -> Iterator[tuple[str, list[str], Any]]:
        """Every node that the words name; `*` and `?` stand for what there is."""
        for word in words:
            found = list(self._match(word))
            if not found:
                print(f"{command}: {word}: {missing}")
            for parts, node in found:
                yield "/" + "/".join(parts) if GLOB & set(word) else word, parts, node

    def _match(self, word: str) -> Iterator[tuple[list[str], Any]]:
        start = [] if word.startswith("/") else list(self.place)
        wanted: list[str] = []
        for part in [*start, *word.split("/")]:
            if part == "..":
                del wanted[-1:]
            elif part not in {"", "."}:
                wanted.append(part)
        level: list[tuple[list[str], Any]] = [([], self.root)]
        for part in wanted:
            level = [
                ([*parts, name], node[name])
                for parts, node in level
                if isinstance(node, dict)
                for name in sorted(node)
                if fnmatch.fnmatchcase(name, part)
            ]
        yield from level


def _walk(path: str, node: Any) -> Iterator[str]:
    yield path
    if isinstance(node, dict):
        for name in sorted(node):
            yield from _walk(f"{path.rstrip('/')}/{name}", node[name])


def _show(node: Any, depth: int) -> None:
    if not isinstance(node, dict):
        print("  " * depth + str(node))
        return
    for name in sorted(node):
        print("  " * depth + f"{name}:")
        _show(node[name], depth + 1)


COMMANDS = {
    "cat": Command("FILE...", "prints what files hold", Shell.cat, least=1, alone=True),
    "cd": Command("[DIRECTORY]", "goes to a directory, or to the root", Shell.cd, most=1),
    "exit": Command("", "leaves the shell", Shell.exit, most=0),
    "find": Command("[WHERE...]", "every name below", Shell.find, alone=True),
    "help": Command("", "these lines", Shell.help, most=0),
    "history": Command("[COUNT]", "what was typed", Shell.history, most=1),
    "ls": Command("[WHERE...]", "what is in a directory", Shell.ls, alone=True),
    "man": Command("COMMAND", "how a command is used", Shell.man, least=1, most=1),
    "pwd": Command("", "where one is", Shell.pwd, most=0),
    "tree": Command("[WHERE...]", "everything below, with what it holds", Shell.tree, alone=True),
}
