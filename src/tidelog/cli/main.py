"""`tide`: one command for everything. Each noun is a module of its own, imported when it is named."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from tidelog.cli.reader import AS_UNIX, ends_with_its_reader

# Noun, module, and what it is for; a module has `main(words) -> exit code`.
NOUNS = {
    "up": ("tidelog.cli.up", "start a node, or a cluster with --nodes 3, in the foreground; Ctrl-C stops it"),
    "node": ("tidelog.cli.tide_node", "start, stop and list the nodes of a cluster that tide up started"),
    "fault": ("tidelog.cli.tide_fault", "kill, pause or partition nodes of such a cluster, and heal them"),
    "topic": ("tidelog.cli.tide_topic", "list, create, describe, alter, delete, produce, consume, trim"),
    "cluster": ("tidelog.cli.tide_cluster", "info, health, brokers, quorum, elect, log-dirs, api-versions"),
    "config": ("tidelog.cli.tide_config", "get, set and unset settings of topics and brokers"),
    "group": ("tidelog.cli.tide_group", "list, describe with the lag in records and time, explain, rebalances, reset"),
    "txn": ("tidelog.cli.tide_txn", "list, describe, lso, hanging, abort, watch"),
    "tier": ("tidelog.cli.tide_tier", "status, audit, fetch and cost of what is in remote storage"),
    "log": ("tidelog.cli.tide_log", "dump and list segment files"),
    "perf": ("tidelog.cli.tide_perf", "produce and consume as fast as it goes, and print figures"),
    "pipeline": ("tidelog.cli.tide_pipeline", "run, check, graph, replay, status, state of pipelines on Spark"),
    "demo": ("tidelog.cli.tide_demo", "sample pipelines: clicks, orders, marketplace, profiles, lake_table"),
    "quickstart": ("tidelog.cli.quickstart", "a node, a topic, some records, and everything cleaned up again"),
}


@ends_with_its_reader(AS_UNIX)
def main(words: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if words is None else words)
    if not given or given[0] in {"-h", "--help", "help"}:
        print(help_text())
        return 0 if given else 2
    if given[0] in {"--version", "-V", "version"}:
        from tidelog import __version__

        print(f"tide {__version__}")
        return 0
    noun, *rest = given
    if noun.removesuffix(".sh").startswith("kafka-"):
        return _kafka_tool(noun.removesuffix(".sh"), rest)
    if noun not in NOUNS:
        print(f"tide has no command '{noun}'; tide --help lists them", file=sys.stderr)
        return 2
    return int(import_module(NOUNS[noun][0]).main(rest))


def _kafka_tool(name: str, rest: list[str]) -> int:
    """`tide kafka-topics …` is kafka-topics."""
    try:
        module = import_module(f"tidelog.cli.{name.replace('-', '_')}")
    except ModuleNotFoundError:
        print(f"tide has no command '{name}'; tide --help lists them", file=sys.stderr)
        return 2
    sys.argv = [name, *rest]
    return int(module.main())


def help_text() -> str:
    width = max(map(len, NOUNS))
    lines = [f"  {noun:<{width}}  {text}" for noun, (_, text) in NOUNS.items()]
    return "\n".join(
        [
            "usage: tide COMMAND ...",
            "",
            "commands:",
            *lines,
            "",
            "tide COMMAND --help says more. The kafka-* commands with Apache Kafka's flags are there too.",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
