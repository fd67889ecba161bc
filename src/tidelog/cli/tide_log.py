"""`tide log`: segment files of a node that runs or not: dump, segments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tidelog.cli import tide
from tidelog.cli.render import FORMATS, show
from tidelog.cli.tool import Failure


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="tide log", description="Look into the files of a partition.")
    commands = found.add_subparsers(metavar="COMMAND")
    dump = commands.add_parser("dump", help="print what is in files, or in all files of a partition's directory")
    dump.add_argument("paths", nargs="+", metavar="PATH")
    dump.add_argument("-r", "--records", action="store_true", help="the records of each batch, with keys and values")
    dump.set_defaults(action=dump_files)
    segments = commands.add_parser("segments", help="list the segments of a partition's directory")
    segments.add_argument("directory")
    segments.add_argument("-o", "--output", choices=FORMATS, default="table", help="the form of the answer (table)")
    segments.set_defaults(action=list_segments)
    return found


def main(words: Sequence[str] | None = None) -> int:
    args = parser().parse_args(words)
    if not hasattr(args, "action"):
        parser().print_help()
        return tide.NOT_UNDERSTOOD
    return tide.attempt("tide log", lambda: int(args.action(args) or 0))


def dump_files(args: argparse.Namespace) -> None:
    from tidelog.cli.dump import Dump

    paths = [each for text in args.paths for each in _files(Path(text))]
    dump = Dump(decoder=_decoder(paths) if args.records else None, deep=args.records, skip_metadata=False)
    for path in paths:
        dump.file(str(path))
    sys.stdout.flush()
    for line in dump.complaints:
        print(line, file=sys.stderr)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(path.glob("*.log"))
    if not path.exists():
        raise tide.NotFound(f"there is no file {path}; tide cluster log-dirs shows where partitions are kept")
    return [path]


def _decoder(paths: list[Path]) -> Any:
    """By the topic that the directory's name gives away."""
    from tidelog.cli import record_decoders as decoders

    topic = paths[0].absolute().parent.name.rpartition("-")[0] if paths else ""
    by_topic = {
        "__consumer_offsets": decoders.offsets_decoder,
        "__transaction_state": decoders.transaction_decoder,
        "__cluster_metadata": decoders.metadata_decoder,
        "__share_group_state": decoders.share_state_decoder,
    }
    return by_topic[topic]() if topic in by_topic else decoders.plain_decoder("StringDecoder", "StringDecoder")


def list_segments(args: argparse.Namespace) -> None:
    from tidelog.cli.dump import view_of
    from tidelog.protocol.record_batch import iter_batches

    folder = Path(args.directory)
    logs = sorted(folder.glob("*.log"))
    if not logs:
        raise Failure(f"{folder} holds no segments; name a partition's directory, such as data/orders-0")
    rows = []
    for path in logs:
        headers = [header for _, header in iter_batches(view_of(path))]
        rows.append(
            {
                "base_offset": int(path.stem),
                "next_offset": headers[-1].next_offset if headers else int(path.stem),
                "batches": len(headers),
                "records": sum(header.records_count for header in headers),
                "bytes": path.stat().st_size,
                "max_timestamp": max((header.max_timestamp for header in headers), default=None),
            }
        )
    show(rows, args.output)
