"""`tide fault`: failures on purpose, in a cluster that `tide up --nodes N` started.

`kill` is SIGKILL and `pause` SIGSTOP. `partition` needs no rights and touches no firewall: the nodes on both sides are
told to reach nothing on the other. What they had open goes silent, as when a cable is pulled, and new connections hang.
Clients reach every node as before. `heal` undoes pauses and partitions; `tide node start` brings a killed node back.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence

from tidelog.cli.local_cluster import DEFAULT_DATA, LocalNode, await_end, find_nodes, send_signal, with_data
from tidelog.cli.tide import NotFound, attempt
from tidelog.cli.tool import Failure

RELOAD = signal.SIGUSR2


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(
        prog="tide fault", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = found.add_subparsers(dest="command", required=True, metavar="COMMAND")
    data = argparse.ArgumentParser(add_help=False)
    data.add_argument("--data", default=DEFAULT_DATA, metavar="DIR", help="the cluster's directory (tidelog-data)")
    for name, action, text in (
        ("kill", kill, "end nodes at once, as kill -9 does"),
        ("pause", pause, "stop nodes without ending them"),
    ):
        each = commands.add_parser(name, parents=[data], help=text)
        each.add_argument("ids", type=int, nargs="+", metavar="ID", help="the nodes")
        each.set_defaults(action=action)
    cut = commands.add_parser("partition", parents=[data], help="cut nodes off from the others")
    cut.add_argument("ids", type=int, nargs="+", metavar="ID", help="the nodes on one side")
    cut.add_argument("--from", type=int, nargs="+", dest="others", metavar="ID", help="the other side (all others)")
    cut.add_argument("--one-way", action="store_true", help="the nodes cannot reach the others, but these reach them")
    cut.set_defaults(action=partition)
    healing = commands.add_parser("heal", parents=[data], help="end pauses and partitions")
    healing.add_argument("ids", type=int, nargs="*", metavar="ID", help="the nodes (all)")
    healing.set_defaults(action=heal)
    return found


def main(words: Sequence[str] | None = None) -> int:
    args = parser().parse_args(words)
    return attempt("tide fault", lambda: args.action(args) or 0)


def chosen(args: argparse.Namespace, ids: Sequence[int]) -> list[LocalNode]:
    nodes = {each.id: each for each in find_nodes(args.data)}
    unknown = [each for each in ids if each not in nodes]
    if unknown:
        raise NotFound(f"{args.data} has no node {unknown[0]}; it has {', '.join(map(str, nodes))}")
    return [nodes[each] for each in ids]


def _running(node: LocalNode, data: str) -> int:
    pid = node.pid()
    if pid is None:
        raise Failure(f"node {node.id} is not running; start it with: {with_data(f'tide node start {node.id}', data)}")
    return pid


def kill(args: argparse.Namespace) -> None:
    for node in chosen(args, args.ids):
        pid = _running(node, args.data)
        send_signal(pid, signal.SIGKILL)
        await_end(pid)
        print(f"node {node.id} (pid {pid}) is killed; back with: {with_data(f'tide node start {node.id}', args.data)}")


def pause(args: argparse.Namespace) -> None:
    for node in chosen(args, args.ids):
        pid = _running(node, args.data)
        send_signal(pid, signal.SIGSTOP)
        print(f"node {node.id} (pid {pid}) is paused; on with: {with_data(f'tide fault heal {node.id}', args.data)}")


def partition(args: argparse.Namespace) -> None:
    ours = chosen(args, args.ids)
    if args.others is None:
        others = [each for each in find_nodes(args.data) if each not in ours]
    else:
        others = chosen(args, args.others)
    if not others or any(each in ours for each in others):
        raise Failure("a partition needs nodes on both sides, and none on both at once")
    for node in ours:
        _cut(node, others)
    if not args.one_way:
        for node in others:
            _cut(node, ours)
    one, other = (", ".join(str(each.id) for each in side) for side in (ours, others))
    print(f"{one} and {other} are apart; together again with: {with_data('tide fault heal', args.data)}")


def _cut(node: LocalNode, others: Sequence[LocalNode]) -> None:
    known = node.faults.read_text().split() if node.faults.exists() else []
    addresses = [address for each in others for address in addresses_of(each)]
    _tell(node, list(dict.fromkeys([*known, *addresses])))


def addresses_of(node: LocalNode) -> list[str]:
    """All listeners of the node, the controllers' too."""
    return [each.partition("://")[2] for each in node.settings()["listeners"].split(",")]


def _tell(node: LocalNode, addresses: Sequence[str]) -> None:
    if addresses:
        node.faults.write_text("".join(f"{each}\n" for each in addresses))
    else:
        node.faults.unlink(missing_ok=True)
    pid = node.pid()
    if pid is not None:
        send_signal(pid, RELOAD)


def heal(args: argparse.Namespace) -> None:
    nodes = find_nodes(args.data)
    healed = chosen(args, args.ids) if args.ids else nodes
    gone = {address for node in healed for address in addresses_of(node)}
    for node in nodes:
        pid = node.pid()
        if node in healed and pid is not None:
            send_signal(pid, signal.SIGCONT)
        known = node.faults.read_text().split() if node.faults.exists() else []
        left = [] if node in healed else [each for each in known if each not in gone]
        if known != left:
            _tell(node, left)


if __name__ == "__main__":
    sys.exit(main())
