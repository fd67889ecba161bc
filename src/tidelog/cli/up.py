"""`tide up`: a node in the foreground, on a directory that it formats by itself the first time."""

from __future__ import annotations

import argparse
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
    if args.nodes != 1:
        print("tide up starts one node for now; use --nodes 1, or several data directories and ports", file=sys.stderr)
        return 2
    from tidelog.cli.tool import pairs
    from tidelog.client.errors import ClientError
    from tidelog.config.setting import ConfigError
    from tidelog.log.directory import DirectoryLocked
    from tidelog.node.storage_format import FormatError

    try:
        start(args.data, args.host, args.port, args.properties, pairs(args.set, what="setting"))
    except (ConfigError, ClientError, FormatError, DirectoryLocked) as error:
        print(f"tide up: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"tide up: {error.strerror or error}: {error.filename or f'{args.host}:{args.port}'}", file=sys.stderr)
        return 1
    return 0


def start(data: str, host: str, port: int, properties: str | None, overrides: dict[str, str]) -> None:
    """Serves until SIGINT or SIGTERM."""
    import os
    import time

    from tidelog.config.broker_config import BrokerConfig, single_node_properties
    from tidelog.io.disk import RealDisk
    from tidelog.node.node import run
    from tidelog.node.storage_format import ensure_formatted

    settings = single_node_properties(str(Path(data).resolve()), port, host=host)
    if properties is not None:
        from tidelog.client.properties import read_properties

        settings |= read_properties(properties)
    config = BrokerConfig.from_properties(settings | overrides)
    ensure_formatted(config, RealDisk(), os.urandom, time.time_ns() // 1_000_000)
    run(config)


if __name__ == "__main__":
    sys.exit(main())
