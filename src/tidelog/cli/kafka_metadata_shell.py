"""kafka-metadata-shell: looks into a snapshot or a segment of the metadata log as into a tree of directories."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import Failure, is_expected

if TYPE_CHECKING:
    from tidelog.metadata.image import MetadataImage


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    parser = argparse.ArgumentParser(prog="kafka-metadata-shell", description="Looks into the metadata of a cluster.")
    parser.add_argument("--snapshot", "-s", required=True, metavar="FILE", help="a .checkpoint or .log file")
    parser.add_argument("command", nargs="*", help="what to do; without it the shell reads commands")
    args = parser.parse_intermixed_args()
    from tidelog.cli.metadata_shell import Shell
    from tidelog.cli.metadata_tree import tree_of

    if not args.command:
        print("Loading...", flush=True)
    try:
        shell = Shell(tree_of(load(args.snapshot)), interactive=not args.command)
    except Exception as error:
        if not isinstance(error, OSError) and not is_expected(error):
            raise
        print(f"kafka-metadata-shell: {_told(error)}", file=sys.stderr)
        return 1
    if args.command:
        shell.run(args.command)
    else:
        shell.interact()
    return 0


def _told(error: Exception) -> str:
    if isinstance(error, OSError):
        why = (error.strerror or str(error)).lower()
        return f"{error.filename} cannot be read ({why}); name a .checkpoint or .log file"
    return str(error)


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


if __name__ == "__main__":
    sys.exit(main())
