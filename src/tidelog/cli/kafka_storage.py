"""kafka-storage: make ids, format log directories, say what is in them, and look features up."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import Failure, is_expected

if TYPE_CHECKING:
    from tidelog.config.broker_config import BrokerConfig

FEATURES = (
    "kraft.version",
    "transaction.version",
    "group.version",
    "eligible.leader.replicas.version",
    "share.version",
    "streams.version",
)


class Parser(argparse.ArgumentParser):
    """Ends with 1 where argparse would end with 2, as Apache's tool does."""

    def exit(self, status: int = 0, message: str | None = None) -> Any:
        super().exit(1 if status else 0, message)


def parser() -> Parser:
    found = Parser(prog="kafka-storage", description="Format log directories and look into them.", allow_abbrev=False)
    commands = found.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    info = commands.add_parser("info", help="say what the log directories hold")
    form = commands.add_parser("format", help="format the log directories")
    mapping = commands.add_parser("version-mapping", help="the feature levels that belong to a metadata version")
    dependencies = commands.add_parser("feature-dependencies", help="what a feature level depends on")
    commands.add_parser("random-uuid", help="print a new id")
    for each in (info, form):
        each.add_argument("--config", "-c", required=True, metavar="FILE", help="the server.properties of the node")
    form.add_argument("--cluster-id", "-t", required=True, metavar="ID", help="the cluster's id; random-uuid makes one")
    form.add_argument("--add-scram", "-S", action="append", default=[], metavar="CREDENTIAL", help=_SCRAM_HELP)
    form.add_argument("--ignore-formatted", "-g", action="store_true", help="leave formatted directories as they are")
    form.add_argument("--release-version", "-r", metavar="VERSION", help="begin with the features of this release")
    form.add_argument(
        "--feature", "-f", action="append", default=[], metavar="NAME=LEVEL", help="begin with this level"
    )
    quorum = form.add_mutually_exclusive_group()
    quorum.add_argument("--standalone", "-s", action="store_true", help="this controller is a quorum of its own")
    quorum.add_argument("--no-initial-controllers", "-N", action="store_true", help="join a quorum that exists")
    quorum.add_argument("--initial-controllers", "-I", metavar="VOTERS", help="id@host:port:directory-id,...")
    mapping.add_argument("--release-version", "-r", metavar="VERSION", help="the metadata version (the latest)")
    dependencies.add_argument(
        "--feature", "-f", action="append", required=True, metavar="NAME=LEVEL", help="the feature"
    )
    return found


_SCRAM_HELP = "a credential to begin with: SCRAM-SHA-256=[name=alice,password=secret]"


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    args = parser().parse_args()
    from tidelog.config.setting import ConfigError
    from tidelog.node.storage_format import FormatError

    try:
        return int(globals()[f"run_{args.command.replace('-', '_')}"](args))
    except Exception as error:
        if not isinstance(error, (ConfigError, FormatError)) and not is_expected(error):
            raise
        print(error, file=sys.stderr)
        return 1


def _config(path: str) -> BrokerConfig:
    from tidelog.client.properties import read_properties
    from tidelog.config.broker_config import BrokerConfig

    return BrokerConfig.from_properties(read_properties(path))


def run_random_uuid(args: argparse.Namespace) -> int:
    import os

    from tidelog.node.storage_format import random_uuid

    print(random_uuid(os.urandom))
    return 0


def run_info(args: argparse.Namespace) -> int:
    from tidelog.io.disk import RealDisk
    from tidelog.node.storage_format import describe_storage

    lines, problems = describe_storage(_config(args.config), RealDisk())
    print("\n".join(lines))
    return 1 if problems else 0


def run_format(args: argparse.Namespace) -> int:
    import os
    import time

    from tidelog.io.disk import RealDisk
    from tidelog.node.storage_format import FormatOptions, format_storage, parse_initial_controllers

    given = args.initial_controllers
    options = FormatOptions(
        cluster_id=args.cluster_id,
        ignore_formatted=args.ignore_formatted,
        standalone=args.standalone,
        no_initial_controllers=args.no_initial_controllers,
        initial_controllers=parse_initial_controllers(given) if given is not None else [],
        release_version=args.release_version,
        features=_levels(args.feature),
        records=[_credential(text) for text in args.add_scram],
    )
    now_ms = time.time_ns() // 1_000_000
    for line in format_storage(_config(args.config), options, RealDisk(), os.urandom, now_ms):
        print(line)
    return 0


def _levels(words: list[str]) -> dict[str, int]:
    from tidelog.metadata.features import METADATA_VERSION, metadata_version_of

    found = {}
    for word in words:
        name, equals, level = word.partition("=")
        if not equals or not name:
            raise Failure(f"Can't parse feature=level string {word}: equals sign not found.")
        try:
            found[name] = int(level) if level.isdigit() or name != METADATA_VERSION else metadata_version_of(level)
        except ValueError:
            raise Failure(f"'{level}' is not a level of {name}; write a number") from None
    return found


def _credential(text: str) -> Any:
    """A SCRAM credential record; the salted password is computed here."""
    import re

    found = re.fullmatch(r"(SCRAM-SHA-(?:256|512))=\[(.*)\]", text)
    if found is None:
        raise Failure(f"'{text}' is not a credential; write SCRAM-SHA-256=[name=alice,password=secret]")
    fields = dict(pair.split("=", 1) for pair in re.split(r",(?=\w+=)", found.group(2)) if "=" in pair)
    unknown = set(fields) - {"name", "password", "salt", "iterations", "saltedpassword"}
    if "name" not in fields or not ({"password", "saltedpassword"} & set(fields)) or unknown:
        raise Failure(f"'{text}' needs name and password, and knows iterations, salt and saltedpassword besides")
    return _credential_record(found.group(1), fields)


def _credential_record(mechanism: str, fields: dict[str, str]) -> Any:
    import hashlib
    import hmac
    import os
    from base64 import b64decode

    from tidelog.protocol.metadata_records import UserScramCredentialRecord

    digest = "sha256" if mechanism.endswith("256") else "sha512"
    iterations = int(fields.get("iterations", "4096"))
    if iterations < 4096:
        raise Failure(f"{iterations} iterations are too few for {mechanism}; use at least 4096")
    salt = b64decode(fields["salt"]) if "salt" in fields else os.urandom(24)
    if "saltedpassword" in fields:
        salted = b64decode(fields["saltedpassword"])
    else:
        salted = hashlib.pbkdf2_hmac(digest, fields["password"].encode(), salt, iterations)
    stored = hashlib.new(digest, hmac.digest(salted, b"Client Key", digest)).digest()
    return UserScramCredentialRecord(
        name=fields["name"],
        mechanism=1 if digest == "sha256" else 2,
        salt=salt,
        stored_key=stored,
        server_key=hmac.digest(salted, b"Server Key", digest),
        iterations=iterations,
    )


def run_version_mapping(args: argparse.Namespace) -> int:
    from tidelog.metadata import features

    level = features.METADATA_VERSION_MAX
    if args.release_version is not None:
        try:
            level = features.metadata_version_of(args.release_version)
        except ValueError as error:
            raise Failure(str(error)) from None
    levels = features.levels_of_release(level)
    print(f"metadata.version={level} ({args.release_version or features.metadata_version_name(level)})")
    for name in FEATURES:
        print(f"{name}={1 if name == 'kraft.version' and level >= KRAFT_1_SINCE else levels.get(name, 0)}")
    return 0


KRAFT_1_SINCE = 21


def run_feature_dependencies(args: argparse.Namespace) -> int:
    """No feature of this release depends on another."""
    from tidelog.metadata.features import METADATA_VERSION, SUPPORTED, metadata_version_name

    for name, level in _levels(args.feature).items():
        if name not in SUPPORTED:
            raise Failure(f"Unknown feature: {name}")
        low, high = SUPPORTED[name]
        if not low <= level <= high:
            raise Failure(f"Feature level {level} is not supported for feature {name}")
        shown = f" ({metadata_version_name(level)})" if name == METADATA_VERSION else ""
        print(f"{name}={level}{shown} has no dependencies.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
