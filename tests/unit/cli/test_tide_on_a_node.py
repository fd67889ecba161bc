"""`tide` and `kafka-server-start` against a node of our own, as a person would run them."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from peer.ours import OurNode
from tidelog.cli.main import main


def tide(*words: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "tidelog.cli.main", *words],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "KAFKA_OPTS": "-Xmx1G", "KAFKA_HEAP_OPTS": "-Xms1G"},
    )


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OurNode]:
    found = OurNode(Path(tmp_path_factory.mktemp("node")))
    found.start()
    yield found
    found.close()


def run(node: OurNode, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main([*words, "-b", node.address])
    return code, capsys.readouterr().out


def test_a_topic_from_birth_to_death(node: OurNode, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(node, capsys, "topic", "create", "life", "-p", "2", "-c", "retention.ms=60000", "-o", "json")
    assert (code, json.loads(out)) == (0, [{"topic": "life", "status": "created", "partitions": 2}])
    assert run(node, capsys, "topic", "create", "life")[0] == 1
    assert run(node, capsys, "topic", "create", "life", "--if-not-exists")[0] == 0
    code, out = run(node, capsys, "topic", "describe", "life", "-o", "json")
    assert json.loads(out)["configs"] == {"retention.ms": "60000"}
    assert run(node, capsys, "topic", "alter", "life", "-p", "4")[0] == 0
    code, out = run(node, capsys, "topic", "list", "-o", "json")
    assert {row["name"]: row["partitions"] for row in json.loads(out)}["life"] == 4
    assert run(node, capsys, "topic", "delete", "life")[0] == 5
    assert run(node, capsys, "topic", "delete", "life", "--yes")[0] == 0
    assert run(node, capsys, "topic", "delete", "life", "--yes")[0] == 3
    assert run(node, capsys, "topic", "describe", "life")[0] == 3


def test_records_in_and_out(node: OurNode, capsys: pytest.CaptureFixture[str]) -> None:
    run(node, capsys, "topic", "create", "records", "-p", "1")
    sent = tide("topic", "produce", "records", "-K", ":", "-H", "h=1", "-b", node.address, stdin="a:1\nb:2\nc:3\n")
    assert (sent.returncode, sent.stderr) == (0, "3 sent, the last to records-0 at offset 2\n")
    read = tide("topic", "consume", "records", "-e", "-f", r"%p %o %k=%v %h\n", "-b", node.address)
    assert read.stdout == "0 0 a=1 h=1\n0 1 b=2 h=1\n0 2 c=3 h=1\n"
    last = tide("topic", "consume", "records", "-O", "-1", "-n", "1", "-o", "json", "-b", node.address)
    assert json.loads(last.stdout)["value"] == "3"
    code, out = run(node, capsys, "topic", "trim", "records", "--offset", "2", "--yes", "-o", "json")
    assert (code, json.loads(out)[0]["start_offset"]) == (0, 2)
    code, out = run(node, capsys, "topic", "describe", "records", "-p", "-o", "json")
    assert (json.loads(out)[0]["start_offset"], json.loads(out)[0]["end_offset"]) == (2, 3)


def test_settings(node: OurNode, capsys: pytest.CaptureFixture[str]) -> None:
    run(node, capsys, "topic", "create", "settings")
    assert run(node, capsys, "config", "set", "topic:settings", "retention.ms=1234")[0] == 0
    _, out = run(node, capsys, "config", "get", "topic:settings", "retention.ms", "-o", "json")
    assert json.loads(out)[0] | {"read_only": None} == {
        "name": "retention.ms",
        "value": "1234",
        "source": "DYNAMIC_TOPIC_CONFIG",
        "read_only": None,
    }
    assert run(node, capsys, "config", "unset", "topic:settings", "retention.ms")[0] == 0
    assert run(node, capsys, "config", "get", "topic:settings", "nope")[0] == 3
    assert run(node, capsys, "config", "get", "nonsense")[0] == 2


def test_the_cluster(node: OurNode, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(node, capsys, "cluster", "info", "-o", "json")
    assert (code, json.loads(out)["brokers"]) == (0, 1)
    code, out = run(node, capsys, "cluster", "brokers", "-o", "csv")
    assert out.splitlines()[0] == "id,host,port,rack,controller,fenced,leads"
    code, out = run(node, capsys, "cluster", "log-dirs", "-o", "json")
    assert json.loads(out)[0]["path"] == str(node.data)
    code, out = run(node, capsys, "cluster", "health")
    assert code == 0
    assert out.startswith("healthy: 1 brokers, ")
    code, out = run(node, capsys, "cluster", "quorum", "-o", "json")
    assert [(each["role"], each["lag"]) for each in json.loads(out)] == [("leader", 0)]
    assert run(node, capsys, "cluster", "elect")[0] == 0
    assert run(node, capsys, "cluster", "elect", "--topic", "nope")[0] == 3


def test_explain_shows_the_requests(node: OurNode) -> None:
    done = tide("topic", "list", "--explain", "-b", node.address)
    assert f"→ {node.address} Metadata v" in done.stderr


def test_mistakes_are_sentences_and_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nope"]) == 2
    assert "tide has no command 'nope'" in capsys.readouterr().err
    assert main(["cluster", "info", "-b", "127.0.0.1:1"]) == 1
    assert "cannot be reached (connection refused)" in capsys.readouterr().err
    assert main(["cluster", "info", "-b", "nonsense"]) == 1
    assert "is not HOST:PORT" in capsys.readouterr().err


def test_up_says_where_and_stops_cleanly_on_ctrl_c(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tidelog.cli.main", "up", "--data", str(tmp_path / "data"), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    first, second = process.stdout.readline().split(), process.stdout.readline().split()
    assert first[:4] == ["node", "1", "pid", str(process.pid)]
    assert second == ["ready", first[4]]
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, "Traceback" in errors) == (0, False)


def test_up_tells_what_is_in_its_way(tmp_path: Path, node: OurNode) -> None:
    bad = tmp_path / "bad.properties"
    bad.write_text("num.io.threads=many\n")
    done = tide("up", "--data", str(tmp_path / "a"), "--port", "0", "--properties", str(bad))
    assert done.returncode == 1
    assert "num.io.threads" in done.stderr
    done = tide("up", "--data", str(tmp_path / "a"), "--port", "0", "--properties", str(tmp_path / "nope"))
    assert (done.returncode, "cannot be read" in done.stderr) == (1, True)
    done = tide("up", "--data", str(node.data), "--port", "0")
    assert (done.returncode, "in use by another process" in done.stderr) == (1, True)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = tide("up", "--data", str(tmp_path / "b"), "--host", "127.0.0.1", "--port", port)
        assert (done.returncode, "Traceback" in done.stderr) == (1, False)
        assert port in done.stderr


def test_server_start_takes_a_file_and_overrides(tmp_path: Path) -> None:
    file = tmp_path / "server.properties"
    file.write_text(
        "process.roles=broker,controller\nnode.id=3\ncontroller.quorum.voters=3@localhost:0\n"
        "listeners=PLAINTEXT://localhost:9092,CONTROLLER://localhost:0\ncontroller.listener.names=CONTROLLER\n"
        f"log.dirs={tmp_path}/logs\n"
    )
    start = [sys.executable, "-m", "tidelog.cli.kafka_server_start"]
    listeners = "listeners=PLAINTEXT://localhost:0,CONTROLLER://localhost:0"
    done = subprocess.run([*start, str(file)], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "kafka-storage format" in done.stderr) == (1, True)
    form = ["kafka-storage", "format", "-t", "4L6g3nShT-eMCtK--X86sw", "-c", str(file)]
    assert tide(*form).returncode == 0
    process = subprocess.Popen(
        [*start, str(file), "--override", listeners], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("node 3 pid ")
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0


def test_quickstart_leaves_nothing_behind(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tidelog.cli.quickstart", "--no-spark"],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "consumed 1000 records" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_how_far_and_how_fast_a_group_is(node: OurNode, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(node, capsys, "topic", "create", "paced")[0] == 0
    assert tide("topic", "produce", "paced", "-b", node.address, stdin="a\nb\nc\n").returncode == 0
    assert run(node, capsys, "group", "reset", "walkers", "--to", "1", "-t", "paced", "-y")[0] == 0
    words = ("group", "describe", "walkers", "--rate", "--seconds", "0.1")
    code, out = run(node, capsys, *words, "-o", "json")
    (row,) = json.loads(out)
    assert code == 0
    assert {name: row[name] for name in ("lag", "read_per_s", "new_per_s", "eta")} == {
        "lag": 2,
        "read_per_s": 0.0,
        "new_per_s": 0.0,
        "eta": None,
    }
    code, out = run(node, capsys, *words, "-s")
    assert code == 0
    assert "read_per_s: " in " ".join(out.split())
