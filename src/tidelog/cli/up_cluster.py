"""`tide up --nodes N`: starts the nodes of a cluster, says when all of them serve, and stays until it is told to stop.

A node that dies is left dead and the others go on; `tide node start` brings it back.
"""

from __future__ import annotations

import errno
import gc
import os
import signal
import socket
import time
from pathlib import Path

from tidelog.cli.local_cluster import (
    START_SECONDS,
    LocalNode,
    await_ready,
    find_nodes,
    fork_node,
    holds_cluster,
    is_alive,
    stop,
)
from tidelog.cli.tool import Failure

PORT_MAX = 65_535
# SIGHUP: the terminal is gone.
ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
WATCHED = {*ENDING, signal.SIGCHLD}


def run(data: str, host: str, port: int, count: int, overrides: dict[str, str]) -> None:
    nodes = prepare(data, host, port, count, overrides)
    signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
    import uvloop  # noqa: F401  the copies share what is loaded here

    import tidelog.node.node  # noqa: F401

    gc.freeze()  # a collection in a copy would write to every page that it shares
    pids = []
    try:
        started = []
        for node in nodes:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)
            pid, reader = fork_node(node, node.settings(), detached=False)
            signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
            pids.append(pid)
            started.append((node, pid, reader))
        deadline = time.monotonic() + START_SECONDS
        for node, pid, reader in started:
            await_ready(node, reader, deadline)
            print(node.line(pid), flush=True)
        print("ready " + ",".join(f"{node.host}:{node.port}" for node in nodes), flush=True)
        _stay()
    finally:
        later = [each for each in map(LocalNode.pid, nodes) if each is not None and each not in pids]
        stop([each for each in [*pids, *later] if is_alive(each)])
        for node in nodes:
            node.pid_file.unlink(missing_ok=True)


def _stay() -> None:
    while signal.sigwait(WATCHED) not in ENDING:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass


def prepare(data: str, host: str, port: int, count: int, overrides: dict[str, str]) -> list[LocalNode]:
    """Settings and formatted directories for every node; controllers keep their ports, which may stand in the log."""
    from tidelog.config.broker_config import BrokerConfig
    from tidelog.io.disk import RealDisk
    from tidelog.io.free_ports import free_ports
    from tidelog.node.storage_format import FormatOptions, format_storage, random_uuid

    folder = Path(data).resolve()
    _check_same(data, folder, count)
    ports = free_ports(host, count) if port == 0 else _wanted_ports(host, port, count)
    nodes = [LocalNode(index + 1, host, each, folder) for index, each in enumerate(ports)]
    controllers = _last_controller_ports(nodes) or free_ports(host, count)
    voters = ",".join(f"{node.id}@{host}:{each}" for node, each in zip(nodes, controllers))
    cluster_id = _cluster_id(nodes) or random_uuid(os.urandom)
    found = [
        node_settings(node, controller_port, voters, min(count, 3)) | overrides
        for node, controller_port in zip(nodes, controllers)
    ]
    # All of them are looked at before anything is written: a mistake leaves no part of a cluster behind.
    configs = [BrokerConfig.from_properties(settings) for settings in found]
    folder.mkdir(parents=True, exist_ok=True)
    for node, settings, config in zip(nodes, found, configs):
        format_storage(
            config,
            FormatOptions(cluster_id, ignore_formatted=True),
            RealDisk(),
            os.urandom,
            time.time_ns() // 1_000_000,
        )
        text = "".join(f"{name}={value}\n" for name, value in settings.items())
        node.properties.write_text(text, encoding="latin-1")
        node.faults.unlink(missing_ok=True)
    return nodes


def node_settings(node: LocalNode, controller_port: int, voters: str, factor: int) -> dict[str, str]:
    in_sync = str(max(1, factor - 1))
    return {
        "process.roles": "broker,controller",
        "node.id": str(node.id),
        "controller.quorum.voters": voters,
        "listeners": f"PLAINTEXT://{node.host}:{node.port},CONTROLLER://{node.host}:{controller_port}",
        "controller.listener.names": "CONTROLLER",
        "inter.broker.listener.name": "PLAINTEXT",
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
        "log.dirs": str(node.data),
        "default.replication.factor": str(factor),
        "min.insync.replicas": in_sync,
        "offsets.topic.replication.factor": str(factor),
        "transaction.state.log.replication.factor": str(factor),
        "transaction.state.log.min.isr": in_sync,
        "share.coordinator.state.topic.replication.factor": str(factor),
        "share.coordinator.state.topic.min.isr": in_sync,
        "tidelog.remote.storage.url": f"file://{node.data.parent}/remote-storage",
        "group.initial.rebalance.delay.ms": "0",
        "tidelog.fault.file": str(node.faults),
    }


def _wanted_ports(host: str, first: int, count: int) -> list[int]:
    """`first` and those behind it; Failure when one of them is somebody else's."""
    if first + count - 1 > PORT_MAX:
        raise Failure(
            f"{count} nodes take the ports {first} to {first + count - 1}; --port may be {PORT_MAX - count + 1} at most"
        )
    ports = [first + index for index in range(count)]
    for port in ports:
        with _unbound(host) as each:
            try:
                each.bind((host, port))
                each.listen()
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise
                raise Failure(
                    f"{host}:{port} is taken; end what listens there, or give another first port with --port"
                ) from error
    return ports


def _unbound(host: str) -> socket.socket:
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    return found


def _last_controller_ports(nodes: list[LocalNode]) -> list[int]:
    """Where the controllers listened when the cluster last ran, if all of that is free."""
    found, held = [], []
    try:
        for node in nodes:
            if not node.properties.exists():
                return []
            port = int(node.settings()["listeners"].rpartition(":")[2])
            each = _unbound(node.host)
            held.append(each)
            each.bind((node.host, port))
            found.append(port)
    except (OSError, ValueError, KeyError):
        return []
    finally:
        for each in held:
            each.close()
    return found


def _cluster_id(nodes: list[LocalNode]) -> str | None:
    from tidelog.log.meta_properties import decode_meta_properties

    for node in nodes:
        path = node.data / "meta.properties"
        if path.exists():
            return decode_meta_properties(path.read_bytes()).cluster_id
    return None


def _check_same(data: str, folder: Path, count: int) -> None:
    if (folder / "meta.properties").exists():
        raise Failure(f"{data} belongs to a single node; start it with --nodes 1, or choose another directory")
    if not holds_cluster(data):
        return
    nodes = find_nodes(data)
    running = [node.id for node in nodes if node.pid() is not None]
    if running:
        raise Failure(f"node {running[0]} of {data} is running; stop it first with: tide node stop --data {data}")
    if len(nodes) != count:
        raise Failure(f"{data} holds a cluster of {len(nodes)} nodes; start it with --nodes {len(nodes)}")
