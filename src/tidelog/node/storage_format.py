"""Formatting of log directories: which node and cluster they belong to, and what the cluster begins with.

Used by `kafka-storage` and, unasked, by `tide up`. Writes what Apache Kafka's own tool writes, so that either one can
start from the other's directories.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from tidelog.config.broker_config import BrokerConfig
from tidelog.controller.bootstrap import feature_records
from tidelog.log.checkpoints import BadCheckpoint
from tidelog.log.meta_properties import MetaProperties, decode_meta_properties, encode_meta_properties
from tidelog.metadata.control import ControlValue, control_value
from tidelog.metadata.features import (
    KRAFT_VERSION,
    METADATA_VERSION,
    SUPPORTED,
    levels_of_release,
    metadata_version_name,
    metadata_version_of,
)
from tidelog.metadata.records import MetadataRecord
from tidelog.metadata.snapshot import BOOTSTRAP_NAME, SnapshotId, write_snapshot
from tidelog.model import uuids
from tidelog.ports import Disk
from tidelog.protocol.metadata_records.kraft_version_record import KRaftVersionRecord
from tidelog.protocol.metadata_records.voters_record import Endpoint, KRaftVersionFeature, Voter, VotersRecord

META_PROPERTIES = "meta.properties"


class FormatError(Exception):
    """Storage that cannot be formatted or used as it is; the message says what to do."""


class InitialController(NamedTuple):
    """One voter of a new quorum, as `--initial-controllers` names it: id@host:port:directory."""

    id: int
    host: str
    port: int
    directory_id: bytes


class FormatOptions(NamedTuple):
    cluster_id: str
    ignore_formatted: bool = False
    standalone: bool = False
    no_initial_controllers: bool = False
    initial_controllers: Sequence[InitialController] = ()
    release_version: str | None = None
    features: Mapping[str, int] = {}
    records: Sequence[MetadataRecord] = ()  # e.g. credentials that must be there before anyone can log in


def random_uuid(random_bytes: Callable[[int], bytes]) -> str:
    return uuids.to_text(uuids.new(random_bytes))


def directories_of(config: BrokerConfig) -> list[str]:
    return sorted({*config.log_directories, config.metadata_directory})


def format_storage(
    config: BrokerConfig, options: FormatOptions, disk: Disk, random_bytes: Callable[[int], bytes], now_ms: int
) -> list[str]:
    """Formats what is not formatted yet; gives the lines that tell of it."""
    _check_quorum(config, options)
    levels = feature_levels(options)
    found = _formatted(config, disk, options.cluster_id)
    if found and not options.ignore_formatted:
        raise FormatError(
            f"Log directory {min(found)} is already formatted. Use --ignore-formatted to ignore this directory and "
            "format the others."
        )
    missing = [each for each in directories_of(config) if each not in found]
    if not missing:
        return ["All of the log directories are already formatted."]
    lines = []
    for directory in sorted(missing, key=lambda each: each == config.metadata_directory):
        lines.append(
            f"Formatting {_noun(config, options, directory)} {directory} with metadata.version "
            f"{metadata_version_name(levels[METADATA_VERSION])}."
        )
        _format(config, options, disk, directory, uuids.new(random_bytes), levels, now_ms)
    return lines


def ensure_formatted(
    config: BrokerConfig, disk: Disk, random_bytes: Callable[[int], bytes], now_ms: int
) -> MetaProperties:
    """For `tide up`: formats new directories for a cluster of their own, and gives what the first one says."""
    found = _formatted(config, disk, None)
    cluster_id = next(iter(found.values())).cluster_id if found else random_uuid(random_bytes)
    if len(found) < len(directories_of(config)):
        format_storage(config, FormatOptions(cluster_id, ignore_formatted=True), disk, random_bytes, now_ms)
    return _formatted(config, disk, cluster_id)[config.metadata_directory]


def describe_storage(config: BrokerConfig, disk: Disk) -> tuple[list[str], list[str]]:
    """The lines that `kafka-storage info` prints, and the problems; there are problems unless all is formatted."""
    problems = []
    metas: dict[str, MetaProperties] = {}
    for directory in directories_of(config):
        if not disk.exists(directory):
            problems.append(f"{directory} does not exist")
        elif not disk.is_dir(directory):
            problems.append(f"{directory} is not a directory")
        elif not disk.exists(f"{directory}/{META_PROPERTIES}"):
            problems.append(f"{directory} is not formatted.")
        else:
            metas[directory] = _read(disk, directory)
    lines = []
    if metas:
        lines += ["Found log directories:" if len(metas) > 1 else "Found log directory:"]
        lines += [f"  {each}" for each in metas] + [""]
        lines += [f"Found metadata: {_described(next(iter(metas.values())))}", ""]
    if problems:
        lines += ["Found problems:" if len(problems) > 1 else "Found problem:"]
        lines += [f"  {each}" for each in problems] + [""]
    return lines, problems


def feature_levels(options: FormatOptions) -> dict[str, int]:
    """The levels a new cluster begins with: those of a release, and what was asked for beside them."""
    asked = dict(options.features)
    try:
        version = metadata_version_of(options.release_version) if options.release_version else None
    except ValueError as error:
        raise FormatError(str(error)) from None
    version = asked.pop(METADATA_VERSION, version)
    levels = levels_of_release() if version is None else levels_of_release(version)
    for name, level in asked.items():
        if name not in SUPPORTED:
            known = ", ".join(sorted(each for each in SUPPORTED if each != METADATA_VERSION))
            raise FormatError(f"Unsupported feature: {name}. Supported features are: {known}")
        low, high = SUPPORTED[name]
        if not low <= level <= high:
            raise FormatError(f"No feature:{name} with feature level {level}; choose one from {low} to {high}.")
        if name != KRAFT_VERSION:
            levels[name] = level
    return levels


def _check_quorum(config: BrokerConfig, options: FormatOptions) -> None:
    dynamic = options.standalone or options.initial_controllers
    if config.voters and dynamic:
        raise FormatError(
            "You cannot specify controller.quorum.voters and format the node with --initial-controllers or "
            "--standalone. If you want to use dynamic quorum, please remove controller.quorum.voters and specify "
            "controller.quorum.bootstrap.servers instead."
        )
    if config.is_controller and not config.voters and not dynamic and not options.no_initial_controllers:
        raise FormatError(
            "Because controller.quorum.voters is not set on this controller, you must specify one of the following: "
            "--standalone, --initial-controllers, or --no-initial-controllers."
        )
    if options.standalone and not config.is_controller:
        raise FormatError("You can only use --standalone on a controller.")
    if not config.voters and (dynamic or options.no_initial_controllers) and options.features.get(KRAFT_VERSION) == 0:
        raise FormatError(
            "Cannot set kraft.version to 0 if controller.quorum.voters is empty and one of the flags --standalone, "
            "--initial-controllers, or --no-initial-controllers is used. For dynamic controllers support, try removing "
            "the --feature flag for kraft.version."
        )
    if not options.cluster_id:
        raise FormatError("The cluster id must not be empty; kafka-storage random-uuid makes one.")


def _formatted(config: BrokerConfig, disk: Disk, cluster_id: str | None) -> dict[str, MetaProperties]:
    """What is formatted already; FormatError when something belongs to another node or cluster."""
    found = {}
    for directory in directories_of(config):
        path = f"{directory}/{META_PROPERTIES}"
        if not disk.exists(path):
            continue
        meta = found[directory] = _read(disk, directory)
        expected = cluster_id or next(iter(found.values())).cluster_id
        for name, wanted, read in (
            ("cluster.id", expected, meta.cluster_id),
            ("node.id", str(config.node_id), str(meta.node_id)),
        ):
            if wanted != read:
                raise FormatError(f"Invalid {name} in: {path}. Expected {wanted}, but read {read}")
    return found


def _read(disk: Disk, directory: str) -> MetaProperties:
    path = f"{directory}/{META_PROPERTIES}"
    try:
        return decode_meta_properties(disk.read_bytes(path))
    except BadCheckpoint as error:
        raise FormatError(f"{path} cannot be read: {error}; restore it, or empty the directory and format it") from None


def _described(meta: MetaProperties) -> str:
    fields = {"cluster.id": meta.cluster_id, "node.id": str(meta.node_id), "version": str(meta.version)}
    if meta.directory_id is not None:
        fields["directory.id"] = uuids.to_text(meta.directory_id)
    return "{" + ", ".join(f"{name}={fields[name]}" for name in sorted(fields)) + "}"


def _noun(config: BrokerConfig, options: FormatOptions, directory: str) -> str:
    if directory != config.metadata_directory:
        return "data directory"
    if options.standalone or any(each.id == config.node_id for each in options.initial_controllers):
        return "dynamic metadata voter directory"
    return "dynamic metadata directory" if options.initial_controllers else "metadata directory"


def _format(
    config: BrokerConfig,
    options: FormatOptions,
    disk: Disk,
    directory: str,
    directory_id: bytes,
    levels: Mapping[str, int],
    now_ms: int,
) -> None:
    """meta.properties comes last: a directory without it counts as not formatted."""
    if not disk.exists(directory):
        disk.makedirs(directory)
        disk.fsync_dir(directory.rpartition("/")[0] or "/")
    version = levels[METADATA_VERSION]
    records = [*feature_records(levels), *options.records]
    disk.write_atomic(f"{directory}/{BOOTSTRAP_NAME}", b"".join(write_snapshot(records, 0, version, 0, now_ms)))
    if directory == config.metadata_directory and (options.standalone or options.initial_controllers):
        directory_id = _own_directory_id(config, options, directory_id)
        log = f"{directory}/__cluster_metadata-0"
        disk.makedirs(log)
        disk.fsync_dir(directory)
        controls = _voter_controls(config, options, directory_id)
        data = b"".join(write_snapshot((), 0, version, now_ms, now_ms, controls))
        disk.write_atomic(f"{log}/{SnapshotId(0, 0).file_name}", data)
    meta = MetaProperties(options.cluster_id, config.node_id, directory_id)
    written = time.strftime("\n#%a %b %d %H:%M:%S UTC %Y", time.gmtime(now_ms / 1000))
    disk.write_atomic(f"{directory}/{META_PROPERTIES}", encode_meta_properties(meta, written))


def _own_directory_id(config: BrokerConfig, options: FormatOptions, directory_id: bytes) -> bytes:
    """The id that `--initial-controllers` gives this node's disk, so that the voters of all nodes agree on it."""
    return next((each.directory_id for each in options.initial_controllers if each.id == config.node_id), directory_id)


def _voter_controls(config: BrokerConfig, options: FormatOptions, directory_id: bytes) -> list[ControlValue]:
    private = config.controller_listener_names[0]
    voters = options.initial_controllers
    if options.standalone:
        endpoint = config.endpoint(private)
        if endpoint is None:
            raise FormatError(f"listeners has no {private}, which controller.listener.names asks for.")
        voters = [InitialController(config.node_id, endpoint.host or "localhost", endpoint.port, directory_id)]
    low, high = SUPPORTED[KRAFT_VERSION]
    record = VotersRecord(
        version=0,
        voters=[
            Voter(
                voter_id=each.id,
                voter_directory_id=each.directory_id,
                endpoints=[Endpoint(name=private, host=each.host, port=each.port)],
                kraft_version_feature=KRaftVersionFeature(min_supported_version=low, max_supported_version=high),
            )
            for each in voters
        ],
    )
    return [control_value(KRaftVersionRecord(version=0, kraft_version=1)), control_value(record)]


def parse_initial_controllers(text: str) -> list[InitialController]:
    """`id@host:port:directory,…`"""
    found: list[InitialController] = []
    for part in text.split(",") if text.strip() else ():
        node, at, address = part.strip().partition("@")
        host_port, colon, directory = address.rpartition(":")
        host, second, port = host_port.rpartition(":")
        try:
            if not (at and colon and second):
                raise ValueError
            found.append(InitialController(int(node), host.strip("[]"), int(port), uuids.from_text(directory)))
        except ValueError:
            raise FormatError(
                f"'{part}' does not name a controller; write id@host:port:directory-id, where kafka-storage "
                "random-uuid makes a directory id"
            ) from None
    if not found:
        raise FormatError("No voters given.")
    ids = [each.id for each in found]
    doubled = next((each for each in ids if ids.count(each) > 1), None)
    if doubled is not None:
        raise FormatError(f"Node id {doubled} was specified more than once.")
    return found
