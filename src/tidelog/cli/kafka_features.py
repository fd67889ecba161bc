"""kafka-features: which features the cluster has, at which levels; changing them; what a release brings."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import Failure, is_expected, to_stderr, with_admin

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

METADATA = "metadata.version"
KRAFT = "kraft.version"
# The order in which a release's features are listed.
LISTED = (KRAFT, "transaction.version", "group.version", "eligible.leader.replicas.version", "share.version")


class Parser(argparse.ArgumentParser):
    """Ends with 1 and one line where argparse would end with 2 and the usage, as Apache's tool does."""

    def error(self, message: str) -> Any:
        self.exit(1, f"Command line error: {message}. Type --help for help.\n")


def parser() -> Parser:
    found = Parser(prog="kafka-features", description="The features of a cluster.", allow_abbrev=False)
    servers = found.add_mutually_exclusive_group()
    servers.add_argument("--bootstrap-server", metavar="SERVERS", help="the brokers to connect to first")
    servers.add_argument("--bootstrap-controller", metavar="SERVERS", help="the controllers to connect to")
    found.add_argument("--command-config", metavar="FILE", help="a file with client settings")
    commands = found.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    commands.add_parser("describe", help="features and levels").set_defaults(action=describe)
    for name, action in (("upgrade", upgrade), ("downgrade", downgrade), ("disable", disable)):
        each = commands.add_parser(name, help=f"{name} features")
        each.add_argument("--feature", action="append", default=[], help="name=level, or a name to disable")
        each.add_argument("--dry-run", action="store_true", help="only say whether it could be done")
        if name != "disable":
            each.add_argument("--metadata", metavar="VERSION", help="the level of metadata.version, such as 4.3-IV0")
            each.add_argument("--release-version", metavar="VERSION", help="everything as a release has it")
        if name != "upgrade":
            each.add_argument("--unsafe", action="store_true", help="even if something is lost by it")
        each.set_defaults(action=action)
    mapping = commands.add_parser("version-mapping", help="the features of a release")
    mapping.add_argument("--release-version", metavar="VERSION", default="4.3-IV0")
    mapping.set_defaults(action=version_mapping)
    needs = commands.add_parser("feature-dependencies", help="what levels of features need")
    needs.add_argument("--feature", action="append", default=[], required=True, help="name=level")
    needs.set_defaults(action=dependencies)
    return found


@ends_with_its_reader(AS_APACHE)
def main(words: Sequence[str] | None = None) -> int:
    args = parser().parse_args(words)
    try:
        failures = args.action(args)
    except Exception as error:
        if not is_expected(error):
            raise
        to_stderr(str(error))
        return 1
    return 1 if failures else 0


def _with(args: argparse.Namespace, work: Any) -> Any:
    servers = args.bootstrap_server or args.bootstrap_controller
    if not servers:
        raise Failure("You must specify either --bootstrap-controller or --bootstrap-server.")
    settings = {}
    if args.command_config:
        from tidelog.client.properties import read_properties

        settings.update(read_properties(args.command_config))
    kind = "bootstrap.controllers" if args.bootstrap_controller else "bootstrap.servers"
    return with_admin({**settings, kind: servers}, work)


def describe(args: argparse.Namespace) -> None:
    async def work(admin: Admin) -> None:
        answer = await admin.partitions.features()
        finalized = {each.name: each.max_version_level for each in answer.finalized_features}
        for each in sorted(answer.supported_features, key=lambda each: each.name):
            levels = (each.min_version, each.max_version, finalized.get(each.name, 0))
            low, high, level = (level_text(each.name, number).ljust(17) for number in levels)
            print(
                f"Feature: {each.name:<42}SupportedMinVersion: {low}SupportedMaxVersion: {high}"
                f"FinalizedVersionLevel: {level}Epoch: {answer.finalized_features_epoch}"
            )

    _with(args, work)


def level_text(name: str, level: int) -> str:
    if name != METADATA:
        return str(level)
    from tidelog.metadata.features import metadata_version_name

    return metadata_version_name(level)


def upgrade(args: argparse.Namespace) -> int:
    return _change(args, "upgrade", 1)


def downgrade(args: argparse.Namespace) -> int:
    return _change(args, "downgrade", 3 if args.unsafe else 2)


def disable(args: argparse.Namespace) -> int:
    if not args.feature:
        raise Failure("You must specify at least one feature to disable")
    _refuse_doubles(args.feature)
    return _apply(args, "disable", dict.fromkeys(args.feature, 0), 3 if args.unsafe else 2)


def _change(args: argparse.Namespace, word: str, kind: int) -> int:
    levels: dict[str, int] = {}
    if args.release_version is not None:
        if args.metadata or args.feature:
            raise Failure("Can not specify `release-version` with other feature flags.")
        levels = {METADATA: metadata_level(args.release_version), **release_levels(args.release_version)}
        if word == "upgrade":
            levels = {name: level for name, level in levels.items() if level}
    if args.metadata is not None:
        print(" `metadata` flag is deprecated and may be removed in a future release.")
        levels[METADATA] = metadata_level(args.metadata)
    _refuse_doubles([each.partition("=")[0] for each in args.feature])
    for text in args.feature:
        name, level = parsed(text)
        levels[name] = level
    if min(levels.values(), default=0) < 0:
        raise Failure("Cannot specify a negative version level.")
    if word == "upgrade" and 0 in levels.values():
        raise Failure(
            "The upgradeType flag should be set to SAFE_DOWNGRADE or UNSAFE_DOWNGRADE when the provided "
            "maxVersionLevel:0 is < 1."
        )
    if not levels:
        raise Failure(f"You must specify at least one feature to {word}")
    return _apply(args, word, levels, kind)


def _refuse_doubles(names: Sequence[str]) -> None:
    doubled = next((each for each in names if names.count(each) > 1), None)
    if doubled is not None:
        raise Failure(f"Feature {doubled} was specified more than once.")


def parsed(text: str) -> tuple[str, int]:
    name, equals, level = text.partition("=")
    if not equals:
        raise Failure(f"Can't parse feature=level string {text}: equals sign not found.")
    try:
        return name.strip(), int(level)
    except ValueError:
        raise Failure(f"Can't parse feature=level string {text}: unable to parse {level} as a short.") from None


def metadata_level(text: str) -> int:
    from tidelog.metadata.features import metadata_version_of

    try:
        return metadata_version_of(text)
    except ValueError as error:
        raise Failure(str(error)) from None


def release_levels(text: str) -> dict[str, int]:
    """Every feature but metadata.version, as a new cluster of this release has it."""
    from tidelog.metadata.features import SUPPORTED, levels_of_release

    levels = levels_of_release(metadata_level(text))
    found = {name: levels.get(name, 0) for name in [*LISTED, "streams.version"] if name in SUPPORTED}
    return found | {KRAFT: 1}


def _apply(args: argparse.Namespace, word: str, levels: Mapping[str, int], kind: int) -> int:
    from tidelog.protocol.errors import KafkaError

    async def work(admin: Admin) -> KafkaError | None:
        try:
            await admin.partitions.update_features({each: (levels[each], kind) for each in levels}, args.dry_run)
        except KafkaError as error:
            return error
        return None

    error = _with(args, work)
    done = f"{word}d" if word.endswith("e") else f"{word}ed"
    for name in sorted(levels):
        to = "" if word == "disable" else f" to {levels[name]}"
        if error is not None:
            print(f"{'Can not' if args.dry_run else 'Could not'} {word} {name}{to}. {error.message}")
        else:
            print(f"{name} {'can be' if args.dry_run else 'was'} {done}{to}.")
    if error is None:
        return 0
    sys.stdout.flush()
    to_stderr(f"{len(levels)} out of {len(levels)} operation(s) failed.")
    return 1


def version_mapping(args: argparse.Namespace) -> None:
    level = metadata_level(args.release_version)
    print(f"{METADATA}={level} ({args.release_version})")
    for name, each in release_levels(args.release_version).items():
        print(f"{name}={each}")


def dependencies(args: argparse.Namespace) -> None:
    from tidelog.metadata.features import SUPPORTED

    for text in args.feature:
        name, level = parsed(text)
        if name not in SUPPORTED:
            raise Failure(f"Unknown feature: {name}")
        if not SUPPORTED[name][0] <= level <= SUPPORTED[name][1]:
            if name == METADATA:
                raise Failure(f"Unknown metadata.version {level}")
            raise Failure(f"No feature:{name} with feature level {level}")
        if name == METADATA:
            print(f"{name}={level} ({level_text(name, level)}) has no dependencies.")
        else:
            print(f"{name}={level} has no dependencies.")


if __name__ == "__main__":
    sys.exit(main())
