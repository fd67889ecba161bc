"""kafka-cluster: the id of a cluster, its endpoints, and forgetting a broker that will not come back."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tidelog.cli.java_errors import java_error
from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import Failure, is_expected, to_stderr, with_admin

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

BROKERS, CONTROLLERS = 1, 2


class Parser(argparse.ArgumentParser):
    """Ends with 1 where argparse would end with 2, as Apache's tool does."""

    def exit(self, status: int = 0, message: str | None = None) -> Any:
        super().exit(1 if status else 0, message)


def parser() -> Parser:
    found = Parser(prog="kafka-cluster", description="The id, the endpoints and the brokers of a cluster.")
    commands = found.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    where = Parser(add_help=False)
    servers = where.add_mutually_exclusive_group(required=True)
    servers.add_argument("--bootstrap-server", "-b", metavar="SERVERS", help="the brokers to connect to first")
    servers.add_argument("--bootstrap-controller", "-C", metavar="SERVERS", help="the controllers to connect to")
    where.add_argument("--command-config", "--config", "-c", metavar="FILE", help="a file with client settings")
    commands.add_parser("cluster-id", parents=[where], help="the id").set_defaults(action=cluster_id)
    leaving = commands.add_parser("unregister", parents=[where], help="forget a broker")
    leaving.add_argument("--id", "-i", type=int, required=True, help="the broker")
    leaving.set_defaults(action=unregister)
    listing = commands.add_parser("list-endpoints", parents=[where], help="where the nodes listen")
    listing.add_argument("--include-fenced-brokers", action="store_true", help="the fenced ones too")
    listing.set_defaults(action=list_endpoints)
    return found


@ends_with_its_reader(AS_APACHE)
def main(words: Sequence[str] | None = None) -> int:
    args = parser().parse_args(words)
    try:
        with_admin(_settings(args), lambda admin: args.action(admin, args))
    except Exception as error:
        if not is_expected(error):
            raise
        to_stderr(_told(error))
        return 1
    return 0


def _settings(args: argparse.Namespace) -> dict[str, str]:
    settings = {}
    if args.command_config:
        from tidelog.client.properties import read_properties

        settings.update(read_properties(args.command_config))
    if args.bootstrap_controller:
        return {**settings, "bootstrap.controllers": args.bootstrap_controller}
    return {**settings, "bootstrap.servers": args.bootstrap_server}


def _told(error: Exception) -> str:
    from tidelog.protocol.errors import KafkaError

    return java_error(error) if isinstance(error, KafkaError) else str(error)


async def cluster_id(admin: Admin, args: argparse.Namespace) -> None:
    answer = await _described(admin, args, False)
    if answer.cluster_id:
        print(f"Cluster ID: {answer.cluster_id}")
    else:
        print("No cluster ID found. The Kafka version is probably too old.")


async def unregister(admin: Admin, args: argparse.Namespace) -> None:
    await admin.partitions.unregister_broker(args.id)
    print(f"Broker {args.id} is no longer registered.")


async def list_endpoints(admin: Admin, args: argparse.Namespace) -> None:
    if args.include_fenced_brokers and args.bootstrap_controller:
        raise Failure("The option --include-fenced-brokers is only supported with --bootstrap-server option")
    answer = await _described(admin, args, args.include_fenced_brokers)
    hosts = max([len(each.host) for each in answer.brokers], default=0)
    racks = max([len(each.rack or "") for each in answer.brokers] + [10])
    is_controller = answer.endpoint_type == CONTROLLERS

    def line(*cells: object) -> None:
        """All columns; controllers have no state."""
        widths = (10, hosts, 10, racks, 10, 15)
        found = [str(cell).ljust(width) for cell, width in zip(cells, widths)]
        print(" ".join(found[:4] + found[5:] if is_controller else found))

    line("ID", "HOST", "PORT", "RACK", "STATE", "ENDPOINT_TYPE")
    for each in answer.brokers:
        state = "fenced" if each.is_fenced else "unfenced"
        rack = "null" if each.rack is None else each.rack
        line(each.broker_id, each.host, each.port, rack, state, "controller" if is_controller else "broker")


async def _described(admin: Admin, args: argparse.Namespace, fenced: bool) -> Any:
    from tidelog.client.cluster import raise_for
    from tidelog.protocol.messages.describe_cluster import DescribeClusterRequest

    kind = CONTROLLERS if args.bootstrap_controller else BROKERS
    connection = await admin.cluster.seed()
    request = DescribeClusterRequest(endpoint_type=kind, include_fenced_brokers=fenced)
    answer = await connection.request(request, 30.0)
    raise_for(answer.error_code, answer.error_message)
    return answer


if __name__ == "__main__":
    sys.exit(main())
