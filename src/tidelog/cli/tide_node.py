"""`tide node`: single nodes of a cluster that `tide up --nodes N` started."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence

from tidelog.cli import local_cluster
from tidelog.cli.local_cluster import (
    DEFAULT_DATA,
    START_SECONDS,
    LocalNode,
    await_ready,
    find_node,
    find_nodes,
    fork_node,
    with_data,
)
from tidelog.cli.render import FORMATS, show
from tidelog.cli.tide import attempt
from tidelog.cli.tool import Failure


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="tide node", description=__doc__)
    commands = found.add_subparsers(dest="command", required=True, metavar="COMMAND")
    data = argparse.ArgumentParser(add_help=False)
    data.add_argument("--data", default=DEFAULT_DATA, metavar="DIR", help="the cluster's directory (tidelog-data)")
    starting = commands.add_parser("start", parents=[data], help="bring a node back, in the background")
    starting.add_argument("id", type=int, help="the node")
    starting.set_defaults(action=start)
    stopping = commands.add_parser("stop", parents=[data], help="stop a node in an orderly way, or all of them")
    stopping.add_argument("id", type=int, nargs="?", help="the node; all when it is left out")
    stopping.set_defaults(action=stop)
    listing = commands.add_parser("list", parents=[data], help="the nodes and their processes")
    listing.add_argument("-o", "--output", choices=FORMATS, default="table", help="the form of the answer (table)")
    listing.set_defaults(action=show_nodes)
    return found


def main(words: Sequence[str] | None = None) -> int:
    args = parser().parse_args(words)
    return attempt("tide node", lambda: args.action(args) or 0)


def start(args: argparse.Namespace) -> None:
    node = find_node(args.data, args.id)
    if node.pid() is not None:
        raise Failure(
            f"node {node.id} is running as process {node.pid()}; stop it first with: "
            f"{with_data(f'tide node stop {node.id}', args.data)}"
        )
    pid = launch(node)
    print(node.line(pid), flush=True)


def launch(node: LocalNode) -> int:
    """The process of the node, which is its own session and outlives this command."""
    pid, reader = fork_node(node, node.settings(), detached=True)
    await_ready(node, reader, time.monotonic() + START_SECONDS)
    return pid


def stop(args: argparse.Namespace) -> None:
    nodes = find_nodes(args.data) if args.id is None else [find_node(args.data, args.id)]
    pids = [pid for node in nodes if (pid := node.pid()) is not None]
    if not pids:
        raise Failure(f"no node of {args.data} is running" if args.id is None else f"node {args.id} is not running")
    local_cluster.stop(pids)


def show_nodes(args: argparse.Namespace) -> None:
    rows = []
    for node in find_nodes(args.data):
        pid = node.pid()
        state = "stopped" if pid is None else "paused" if local_cluster.is_paused(pid) else "running"
        unreachable = node.faults.read_text().split() if node.faults.exists() else []
        rows.append(
            {
                "id": node.id,
                "pid": pid,
                "address": f"{node.host}:{node.port}",
                "state": state,
                "cut_off": bool(unreachable),
                "data": os.path.relpath(node.data),
            }
        )
    show(rows, args.output, ("id", "pid", "address", "state", "cut_off"), ("data",))


if __name__ == "__main__":
    sys.exit(main())
