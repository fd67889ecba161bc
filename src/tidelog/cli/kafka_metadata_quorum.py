"""kafka-metadata-quorum: who votes on the metadata and how far everybody is; add and remove voters."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import Failure, is_expected, run_async

if TYPE_CHECKING:
    from tidelog.protocol.messages.describe_quorum import (
        DescribeQuorumResponse,
        ReplicaState,
        ResponsePartitionData,
    )

HEADER = ("NodeId", "DirectoryId", "LogEndOffset", "Lag", "LastFetchTimestamp", "LastCaughtUpTimestamp", "Status")


class Parser(argparse.ArgumentParser):
    """Ends with 1 where argparse would end with 2, as Apache's tool does."""

    def exit(self, status: int = 0, message: str | None = None) -> Any:
        super().exit(1 if status else 0, message)


def parser() -> Parser:
    found = Parser(prog="kafka-metadata-quorum", description="Shows and changes the quorum of controllers.")
    servers = found.add_mutually_exclusive_group(required=True)
    servers.add_argument("--bootstrap-server", metavar="SERVERS", help="brokers to connect to first, HOST:PORT,...")
    servers.add_argument("--bootstrap-controller", metavar="SERVERS", help="controllers to connect to, HOST:PORT,...")
    found.add_argument(
        "--command-config", metavar="FILE", help="client settings; for add-controller also the new controller's own"
    )
    commands = found.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    describe = commands.add_parser("describe", help="show the quorum")
    describe.add_argument("--status", action="store_true", help="a summary")
    describe.add_argument("--replication", action="store_true", help="how far every replica is")
    describe.add_argument("--human-readable", "-hr", action="store_true", help="times as how long ago they were")
    add = commands.add_parser("add-controller", help="make a controller a voter")
    remove = commands.add_parser("remove-controller", help="make a voter none")
    remove.add_argument("--controller-id", "-i", type=int, required=True, metavar="ID")
    remove.add_argument("--controller-directory-id", "-d", required=True, metavar="DIRECTORY-ID")
    for each in (add, remove):
        each.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    return found


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    args = parser().parse_args()
    from tidelog.config.setting import ConfigError

    try:
        {"describe": run_describe, "add-controller": run_add, "remove-controller": run_remove}[args.command](args)
    except Exception as error:
        if not isinstance(error, ConfigError) and not is_expected(error):
            raise
        print(error, file=sys.stderr)
        return 1
    return 0


# asking


def ask(args: argparse.Namespace, message: Any) -> Any:
    """The answer of a broker, which knows the way to the leader, or of the controller that leads."""
    from tidelog.client.properties import read_properties

    settings = dict(read_properties(args.command_config)) if args.command_config else {}
    settings = {name: text for name, text in settings.items() if name not in {"listeners", "node.id", "log.dirs"}}
    if args.bootstrap_controller:
        settings["bootstrap.controllers"] = args.bootstrap_controller
    else:
        settings["bootstrap.servers"] = args.bootstrap_server

    async def work() -> Any:
        from tidelog.client.cluster import Cluster

        async with Cluster(settings) as cluster:
            return await (await cluster.any_broker()).request(message)

    return run_async(work())


def describe(args: argparse.Namespace) -> tuple[DescribeQuorumResponse, ResponsePartitionData]:
    from tidelog.client.cluster import raise_for
    from tidelog.protocol.errors import ErrorCode
    from tidelog.protocol.messages.describe_quorum import (
        DescribeQuorumRequest,
        RequestPartitionData,
        RequestTopicData,
    )

    topics = [RequestTopicData(topic_name="__cluster_metadata", partitions=[RequestPartitionData(partition_index=0)])]
    answer: DescribeQuorumResponse = ask(args, DescribeQuorumRequest(topics=topics))
    raise_for(answer.error_code, answer.error_message)
    partition = answer.topics[0].partitions[0]
    if partition.error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER:
        raise Failure("No controller leads the quorum; a majority of the controllers must run: start more of them")
    raise_for(partition.error_code, partition.error_message)
    return answer, partition


# describe


def run_describe(args: argparse.Namespace) -> None:
    if args.status and args.replication:
        raise Failure("Only one of --status or --replication should be specified with describe sub-command")
    if not args.status and not args.replication:
        raise Failure("One of --status or --replication must be specified with describe sub-command")
    if args.status and args.human_readable:
        raise Failure("The option --human-readable is only supported along with --replication")
    answer, partition = describe(args)
    if args.replication:
        show_replication(partition, args.human_readable)
    else:
        show_status(answer, partition, cluster_id(args))


def cluster_id(args: argparse.Namespace) -> str:
    from tidelog.protocol.messages.describe_cluster import DescribeClusterRequest

    controllers = 2
    kind = controllers if args.bootstrap_controller else 1
    return str(ask(args, DescribeClusterRequest(endpoint_type=kind)).cluster_id)


def show_status(answer: DescribeQuorumResponse, partition: ResponsePartitionData, cluster: str) -> None:
    leader = next(each for each in partition.current_voters if each.replica_id == partition.leader_id)
    slowest = min(partition.current_voters, key=lambda each: each.log_end_offset)
    if slowest is leader:
        lag_ms = 0
    elif slowest.last_caught_up_timestamp < 0:
        lag_ms = -1
    else:
        lag_ms = leader.last_caught_up_timestamp - slowest.last_caught_up_timestamp
    rows = {
        "ClusterId": cluster,
        "LeaderId": partition.leader_id,
        "LeaderEpoch": partition.leader_epoch,
        "HighWatermark": partition.high_watermark,
        "MaxFollowerLag": leader.log_end_offset - slowest.log_end_offset,
        "MaxFollowerLagTimeMs": lag_ms,
        "CurrentVoters": named(answer, partition.current_voters),
        "CurrentObservers": named(answer, partition.observers),
    }
    for name, value in rows.items():
        print(f"{name + ':':<23} {value}")


def named(answer: DescribeQuorumResponse, replicas: Sequence[ReplicaState]) -> str:
    from tidelog.model.uuids import ZERO, to_text

    nodes = {each.node_id: each for each in answer.nodes}
    texts = []
    for each in replicas:
        text = f'"id": {each.replica_id}'
        if each.replica_directory_id != ZERO:
            text += f', "directoryId": "{to_text(each.replica_directory_id)}"'
        if each.replica_id in nodes:
            places = ", ".join(
                f'"{place.name}://{place.host}:{place.port}"' for place in nodes[each.replica_id].listeners
            )
            text += f', "endpoints": [{places}]'
        texts.append(f"{{{text}}}")
    return f"[{', '.join(texts)}]"


def show_replication(partition: ResponsePartitionData, human: bool) -> None:
    from tidelog.model.uuids import to_text

    voters = sorted(partition.current_voters, key=lambda each: each.replica_id != partition.leader_id)
    end = voters[0].log_end_offset
    rows = [HEADER]
    for each in [*voters, *partition.observers]:
        is_voter = each in voters
        status = "Leader" if each.replica_id == partition.leader_id and is_voter else "Follower"
        rows.append(
            (
                str(each.replica_id),
                to_text(each.replica_directory_id),
                str(each.log_end_offset),
                str(end - each.log_end_offset),
                when(each.last_fetch_timestamp, human),
                when(each.last_caught_up_timestamp, human),
                status if is_voter else "Observer",
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
    for row in rows:
        print("".join(f"{cell:<{width}}\t" for cell, width in zip(row, widths)))


def when(timestamp_ms: int, human: bool) -> str:
    if not human or timestamp_ms < 0:
        return str(timestamp_ms)
    import time

    return f"{time.time_ns() // 1_000_000 - timestamp_ms} ms ago"


# changing the voters


def run_add(args: argparse.Namespace) -> None:
    from tidelog.client.cluster import raise_for
    from tidelog.model.uuids import to_text
    from tidelog.protocol.messages.add_raft_voter import AddRaftVoterRequest, Listener

    if args.command_config is None:
        raise Failure(
            "You must supply the configuration file of the controller you are adding when using add-controller."
        )
    node_id, directory_id, endpoints = new_controller(args.command_config)
    if not args.dry_run:
        answer = ask(
            args,
            AddRaftVoterRequest(
                cluster_id=None,
                timeout_ms=30_000,
                voter_id=node_id,
                voter_directory_id=directory_id,
                listeners=[Listener(name=each.listener_name, host=each.host, port=each.port) for each in endpoints],
            ),
        )
        raise_for(answer.error_code, answer.error_message)
    places = ", ".join(str(each) for each in endpoints)
    done = "DRY RUN of adding" if args.dry_run else "Added"
    print(f"{done} controller {node_id} with directory id {to_text(directory_id)} and endpoints: {places}")


def new_controller(path: str) -> tuple[int, bytes, list[Any]]:
    """Id, directory and listeners of the controller that this file belongs to."""
    from tidelog.client.properties import read_properties
    from tidelog.config.broker_config import BrokerConfig
    from tidelog.io.disk import RealDisk
    from tidelog.log.meta_properties import decode_meta_properties

    properties = read_properties(path)
    if "node.id" not in properties:
        raise Failure("node.id not found in configuration file. Is this a valid controller configuration file?")
    config = BrokerConfig.from_properties(properties)
    if not config.is_controller:
        raise Failure(f"process.roles in {path} has no controller; give the file of a controller")
    meta_path = f"{config.metadata_directory}/meta.properties"
    disk = RealDisk()
    if not disk.exists(meta_path):
        raise Failure(f"{meta_path} is missing; format the new controller with kafka-storage first")
    directory_id = decode_meta_properties(disk.read_bytes(meta_path)).directory_id
    if directory_id is None:
        raise Failure(f"{meta_path} has no directory.id; format the new controller anew")
    private = config.controller_listener_names
    known = {each.listener_name: each for each in config.endpoints}
    known |= {each.listener_name: each for each in config.advertised_endpoints if each.listener_name in private}
    endpoints = [known[name]._replace(host=known[name].host or "localhost") for name in private if name in known]
    return config.node_id, directory_id, endpoints


def run_remove(args: argparse.Namespace) -> None:
    from tidelog.client.cluster import raise_for
    from tidelog.model.uuids import from_text
    from tidelog.protocol.messages.remove_raft_voter import RemoveRaftVoterRequest

    if args.controller_id < 0:
        raise Failure(f"Invalid negative --controller-id: {args.controller_id}")
    try:
        directory_id = from_text(args.controller_directory_id)
    except ValueError as error:
        raise Failure(f"Failed to parse --controller-directory-id: {error}") from None
    if not args.dry_run:
        request = RemoveRaftVoterRequest(cluster_id=None, voter_id=args.controller_id, voter_directory_id=directory_id)
        answer = ask(args, request)
        raise_for(answer.error_code, answer.error_message)
    done = "DRY RUN of removing " if args.dry_run else "Removed "
    print(f"{done} KRaft controller {args.controller_id} with directory id {args.controller_directory_id}")


if __name__ == "__main__":
    sys.exit(main())
