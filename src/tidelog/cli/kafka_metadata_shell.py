"""kafka-metadata-shell: looks into a snapshot or a segment of the metadata log as into a tree of directories."""

from __future__ import annotations

import argparse
import fnmatch
import shlex
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tidelog.cli.tool import Failure, is_expected

if TYPE_CHECKING:
    from tidelog.metadata.image import MetadataImage

HELP = """\
cat FILE...     print what files hold
cd DIRECTORY    change the directory
find [WHERE]    every name below
ls [WHERE...]   what is in a directory
pwd             where you are
tree [WHERE]    everything below, with what it holds
exit            leave"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="kafka-metadata-shell", description="Looks into the metadata of a cluster.")
    parser.add_argument("--snapshot", "-s", required=True, metavar="FILE", help="a .checkpoint or .log file")
    parser.add_argument("command", nargs="*", help="what to do; without it the shell reads commands")
    args = parser.parse_intermixed_args()
    try:
        shell = Shell(load(args.snapshot))
    except Exception as error:
        if not isinstance(error, OSError) and not is_expected(error):
            raise
        print(f"kafka-metadata-shell: {error}", file=sys.stderr)
        return 1
    if args.command:
        return 0 if shell.run(args.command) else 1
    shell.interact()
    return 0


def load(path: str) -> MetadataImage:
    """The image that a file leads to. Of a log, only this one segment is read."""
    from tidelog.metadata.control import read_control
    from tidelog.metadata.delta import MetadataDelta
    from tidelog.metadata.image import EMPTY, Provenance
    from tidelog.metadata.records import UnreadableRecord, decode_record
    from tidelog.metadata.transactions import TransactionFilter
    from tidelog.protocol.metadata_records.snapshot_header_record import SnapshotHeaderRecord
    from tidelog.protocol.record_batch import BatchError, check_crc, decode_records, iter_batches

    with open(path, "rb") as file:
        data = file.read()
    delta, pending, provenance = MetadataDelta(EMPTY), TransactionFilter(), EMPTY.provenance
    try:
        for position, batch in iter_batches(data):
            check_crc(data, position, batch)
            records = decode_records(data, position, header=batch)
            timestamp_ms = batch.max_timestamp
            if batch.is_control:
                header = read_control(records[0])
                if isinstance(header, SnapshotHeaderRecord):
                    timestamp_ms = header.last_contained_log_timestamp
            else:
                delta.replay_all(pending.feed(decode_record(each.value) for each in records))
            provenance = Provenance(batch.last_offset, batch.partition_leader_epoch, timestamp_ms)
    except (BatchError, UnreadableRecord, AssertionError) as error:
        raise Failure(f"{path} cannot be read as metadata: {error}") from error
    return delta.apply(_named(path, provenance))


def _named(path: str, found: Any) -> Any:
    """A snapshot's name says which end of the log it stands for."""
    from tidelog.metadata.snapshot import SnapshotId

    snapshot_id = SnapshotId.from_file_name(path.rpartition("/")[2])
    return found if snapshot_id is None else found._replace(offset=snapshot_id.offset - 1, epoch=snapshot_id.epoch)


class Shell:
    def __init__(self, image: MetadataImage) -> None:
        from tidelog.cli.metadata_tree import tree_of

        self.root = tree_of(image)
        self.place: list[str] = []

    def interact(self) -> None:
        while True:
            try:
                words = shlex.split(input(">> " if sys.stdin.isatty() else ""))
            except (EOFError, KeyboardInterrupt):
                return
            except ValueError as error:
                print(error)
                continue
            if words and words[0] in {"exit", "quit"}:
                return
            if words:
                self.run(words)

    def run(self, words: Sequence[str]) -> bool:
        name, *rest = words
        commands = {"cat": self.cat, "cd": self.cd, "find": self.find, "ls": self.ls, "pwd": self.pwd}
        commands |= {"tree": self.tree, "help": self.help}
        if name not in commands:
            print(f"invalid choice: '{name}' (choose from 'cat', 'find', 'ls', 'tree')")
            return False
        commands[name](rest)
        return True

    # commands

    def cat(self, words: Sequence[str]) -> None:
        for _, path, node in self._each("cat", words):
            print(f"cat: {path}: Is a directory" if isinstance(node, dict) else node)

    def cd(self, words: Sequence[str]) -> None:
        for parts, path, node in self._each("cd", words or ["/"]):
            if isinstance(node, dict):
                self.place = parts
            else:
                print(f"cd: {path}: not a directory.")

    def pwd(self, words: Sequence[str]) -> None:
        print("/" + "/".join(self.place))

    def help(self, words: Sequence[str]) -> None:
        print(HELP)

    def ls(self, words: Sequence[str]) -> None:
        found = list(self._each("ls", words or ["."]))
        for _, path, node in found:
            if isinstance(node, dict):
                if len(found) > 1:
                    print(f"{path}:")
                for name in sorted(node):
                    print(name)
            else:
                print(path)

    def find(self, words: Sequence[str]) -> None:
        for _, path, node in self._each("find", words or ["."]):
            for name in _walk(path, node):
                print(name)

    def tree(self, words: Sequence[str]) -> None:
        for _, _, node in self._each("tree", words or ["."]):
            _show(node, 0)

    # names

    def _each(self, command: str, words: Sequence[str]) -> Iterator[tuple[list[str], str, Any]]:
        """Every node that the words name; `*` and `?` stand for what there is."""
        for word in words:
            found = list(self._match(word))
            if not found:
                print(f"{command}: {word}: No such file or directory.")
            for parts, node in found:
                plain = word if not set(word) & set("*?[") else "/" + "/".join(parts)
                yield parts, plain, node

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


if __name__ == "__main__":
    sys.exit(main())
