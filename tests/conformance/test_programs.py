"""The Java client, franz-go and kafkajs: one program each, the same steps at both brokers, the same results."""

import pytest

from conformance.brokers import Both
from conformance.programs import CLIENTS, Results
from peer.programs import go_program, java_program, node_program

# The groups of steps of each program, and how many steps a whole group has at least.
JAVA = {"admin": 20, "configs": 15, "produce": 30, "consume": 10, "clicks": 2, "groups": 17, "transactions": 12}
GO = {"admin": 13, "produce": 18, "consume": 10, "groups": 8, "transactions": 8}
NODE = {"admin": 18, "produce": 15, "consume": 8}


@pytest.fixture(scope="module")
def java(both: Both) -> Results:
    return Results(both, java_program(CLIENTS / "java"), *JAVA)


@pytest.fixture(scope="module")
def go(both: Both) -> Results:
    return Results(both, go_program(CLIENTS / "go"), *GO)


@pytest.fixture(scope="module")
def node(both: Both) -> Results:
    return Results(both, node_program(CLIENTS / "node"), *NODE)


@pytest.mark.parametrize("group", JAVA)
def test_java(java: Results, group: str) -> None:
    java.check(group, JAVA[group])


@pytest.mark.parametrize("group", GO)
def test_franz_go(go: Results, group: str) -> None:
    go.check(group, GO[group])


@pytest.mark.parametrize("group", NODE)
def test_kafkajs(node: Results, group: str) -> None:
    node.check(group, NODE[group])
