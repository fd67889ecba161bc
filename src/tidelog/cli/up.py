"""`tide up`: a node in the foreground, on a directory that it formats by itself the first time."""

from __future__ import annotations

import argparse
import errno
import sys
from collections.abc import Sequence
from pathlib import Path


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="tide up", description="Start a node in the foreground; Ctrl-C stops it.")
    found.add_argument("--nodes", type=int, default=1, help="how many nodes (1)")
    found.add_argument("--data", default="tidelog-data", metavar="DIR", help="where the data is kept (tidelog-data)")
    found.add_argument("--host", default="localhost", help="the address to listen on and to advertise (localhost)")
    found.add_argument("--port", type=int, default=9092, help="the port for clients; 0 takes a free one (9092)")
    found.add_argument("--properties", metavar="FILE", help="settings on top of the defaults, as in server.properties")
    found.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="one setting; may be repeated")
    return found


def main(words: Sequence[str] | None = None) -> int:
    args = parser().parse_args(words)
    if args.nodes < 1:
        print("tide up: --nodes takes a number from 1 on", file=sys.stderr)
        return 2
    from tidelog.cli.tool import Failure, pairs
    from tidelog.client.errors import ClientError
    from tidelog.config.setting import ConfigError
    from tidelog.log.directory import DirectoryLocked
    from tidelog.node.storage_format import FormatError

    try:
        overrides = given(args.properties) | pairs(args.set, what="setting")
        if args.nodes > 1:
            from tidelog.cli.up_cluster import run

            run(args.data, args.host, args.port, args.nodes, overrides)
        else:
            start(args.data, args.host, args.port, overrides)
    except (ConfigError, ClientError, FormatError, DirectoryLocked, Failure) as error:
        print(f"tide up: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"tide up: {_told(error, f'{args.host}:{args.port}')}", file=sys.stderr)
        return 1
    return 0


def _told(error: OSError, address: str) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"{address} is taken; end what listens there, or choose another port with --port"
    return f"{error.strerror or error}: {error.filename or address}"


def given(properties: str | None) -> dict[str, str]:
    if properties is None:
        return {}
    from tidelog.client.properties import read_properties

    return dict(read_properties(properties))


def start(data: str, host: str, port: int, overrides: dict[str, str]) -> None:
    """Serves until SIGINT or SIGTERM."""
    import os
    import time

    from tidelog.config.broker_config import BrokerConfig, single_node_properties
    from tidelog.io.disk import RealDisk
    from tidelog.node.node import run
    from tidelog.node.storage_format import ensure_formatted

    check_is_no_cluster(data)
    settings = single_node_properties(str(Path(data).resolve()), port, host=host)
    config = BrokerConfig.from_properties(settings | overrides)
    ensure_formatted(config, RealDisk(), os.urandom, time.time_ns() // 1_000_000)
    run(config)


def check_is_no_cluster(data: str) -> None:
    from tidelog.cli.local_cluster import find_nodes, holds_cluster
    from tidelog.cli.tool import Failure

    if holds_cluster(data):
        count = len(find_nodes(data))
        raise Failure(f"{data} holds a cluster of {count} nodes; start it with --nodes {count}")


if __name__ == "__main__":
    sys.exit(main())
