"""kafka-server-start: a node from a server.properties, `--override name=value` on top."""

from __future__ import annotations

import errno
import sys
from collections.abc import Sequence

from tidelog.cli.reader import AS_APACHE, ends_with_its_reader


@ends_with_its_reader(AS_APACHE)
def main(words: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if words is None else words)
    if "--version" in given:
        from tidelog.cli.flags import KAFKA_VERSION

        print(KAFKA_VERSION)
        return 0
    if not given or given[0] in {"-h", "--help"}:
        print("USAGE: kafka-server-start [-daemon] server.properties [--override property=value]*", file=sys.stderr)
        return 1
    from tidelog.client.errors import ClientError
    from tidelog.config.setting import ConfigError
    from tidelog.log.directory import DirectoryLocked

    try:
        if given[0] == "-daemon":
            return start_daemon(given[1:])
        start(given)
    except (ConfigError, ClientError, DirectoryLocked) as error:
        print(f"kafka-server-start: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        print(f"kafka-server-start: {error.strerror}; end what listens there, or change listeners", file=sys.stderr)
        return 1
    return 0


def settings(words: list[str]) -> dict[str, str]:
    """The file's settings with the overrides."""
    from tidelog.client.errors import SettingError
    from tidelog.client.properties import read_properties

    found = read_properties(words[0])
    rest = words[1:]
    while rest:
        word = rest.pop(0)
        flag, equals, value = word.partition("=")
        if flag != "--override":
            raise SettingError(f"'{word}' is not understood; after the file only --override name=value may follow")
        if not (equals and value):
            value = rest.pop(0) if rest else ""
        name, _, text = value.partition("=")
        if not name or "=" not in value:
            raise SettingError(f"--override needs name=value, not '{value}'")
        found[name] = text
    return found


def start(words: list[str]) -> None:
    from tidelog.config.broker_config import BrokerConfig
    from tidelog.node.node import run

    run(BrokerConfig.from_properties(settings(words)))


def start_daemon(words: list[str]) -> int:
    """Leaves a node running behind, detached from the terminal, its output in LOG_DIR (or ./logs)."""
    import os
    import subprocess
    from pathlib import Path

    settings(words)  # a mistake is told here, not in a log nobody reads
    folder = Path(os.environ.get("LOG_DIR", "logs"))
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "kafkaServer.out").open("ab") as sink:
        subprocess.Popen(
            [sys.executable, "-m", "tidelog.cli.kafka_server_start", *words],
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
