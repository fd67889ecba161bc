"""kafka-dump-log: what is in segment files, indexes, snapshots and checkpoints."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tidelog.cli.flags import Command, Flag, Options
from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import run_tool, to_stderr

if TYPE_CHECKING:
    from tidelog.cli.record_decoders import Decoder

COMMAND = Command(
    "kafka-dump-log",
    "Prints the content of segment files, their indexes, producer snapshots and metadata snapshots.",
    [
        Flag("files", "the files, as file1,file2", "files"),
        Flag("print-data-log", "print keys and values too; any decoder does so as well"),
        Flag("deep-iteration", "print the records of each batch"),
        Flag("index-sanity-check", "only check whether an index can be used, as a broker does when it starts"),
        Flag("verify-index-only", "only compare indexes with the log, without printing them"),
        Flag("offsets-decoder", "read the records as those of __consumer_offsets"),
        Flag("transaction-log-decoder", "read the records as those of __transaction_state"),
        Flag("cluster-metadata-decoder", "read the records as those of __cluster_metadata"),
        Flag("share-group-state-decoder", "read the records as those of __share_group_state"),
        Flag("remote-log-metadata-decoder", "read the records as those of __remote_log_metadata"),
        Flag("key-decoder-class", "how keys are printed", "class", "org.apache.kafka.tools.api.StringDecoder", True),
        Flag(
            "value-decoder-class", "how values are printed", "class", "org.apache.kafka.tools.api.StringDecoder", True
        ),
        Flag("max-message-size", "the largest batch an index entry may point at", "bytes", "5242880"),
        Flag("max-bytes", "read only so much of a log", "bytes", "2147483647"),
        Flag("skip-record-metadata", "leave offsets, sizes and control records out"),
    ],
)

DECODERS = (
    "offsets-decoder",
    "transaction-log-decoder",
    "cluster-metadata-decoder",
    "remote-log-metadata-decoder",
    "share-group-state-decoder",
)


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    return run_tool(COMMAND, run, to_stderr)


def run(options: Options) -> int:
    if not options.has("files"):
        COMMAND.leave_with_help(COMMAND.purpose)
    from tidelog.cli.dump import Dump

    contents = any(
        options.has(flag) for flag in ("print-data-log", "key-decoder-class", "value-decoder-class", *DECODERS)
    )
    dump = Dump(
        decoder=decoder(options) if contents else None,
        deep=contents or options.has("deep-iteration"),
        skip_metadata=options.has("skip-record-metadata"),
        max_bytes=options.integer("max-bytes") or 0,
        sanity_only=options.has("index-sanity-check"),
        verify_only=options.has("verify-index-only"),
    )
    for path in options.text("files").split(","):
        dump.file(path.strip())
    sys.stdout.flush()
    for line in dump.complaints:
        to_stderr(line)
    return 0


def decoder(options: Options) -> Decoder:
    from tidelog.cli import record_decoders as decoders

    if options.has("offsets-decoder"):
        return decoders.offsets_decoder()
    if options.has("transaction-log-decoder"):
        return decoders.transaction_decoder()
    if options.has("cluster-metadata-decoder"):
        return decoders.metadata_decoder()
    if options.has("share-group-state-decoder"):
        return decoders.share_state_decoder()
    if options.has("remote-log-metadata-decoder"):
        return decoders.remote_metadata_decoder()
    return decoders.plain_decoder(options.text("key-decoder-class"), options.text("value-decoder-class"))


if __name__ == "__main__":
    sys.exit(main())
