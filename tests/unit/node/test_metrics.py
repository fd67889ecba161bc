"""The metrics port of a real node, read as Prometheus reads it."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from support.node import RunningNode, running
from tidelog.metrics.rows import ROWS
from tidelog.protocol.messages.metadata import MetadataRequest, MetadataResponse


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningNode]:
    directory: Path = tmp_path_factory.mktemp("node")
    with running(directory, tidelog_metrics_port="0") as found:
        yield found


def get(node: RunningNode, path: str, method: str = "GET") -> tuple[int, str]:
    server = node.node.metrics
    assert server is not None
    connection = http.client.HTTPConnection(server.host, server.port, timeout=30)
    connection.request(method, path)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_every_row_is_there_with_its_help(node: RunningNode) -> None:
    node.create("measured")
    with node.connect() as wire:
        wire.call(MetadataRequest(topics=None), MetadataResponse, 9)
        status, text = get(node, "/metrics")
    assert status == 200
    families = {family.name: family for family in text_string_to_metric_families(text)}
    for row in ROWS:
        assert families[row.name].documentation == row.help
    samples = {(each.name, *each.labels.values()): each.value for each in families["tidelog_requests"].samples}
    assert samples[("tidelog_requests_total", "Metadata")] >= 1
    assert families["tidelog_connections"].samples[0].value == 1
    sizes = families["tidelog_partition_size_bytes"].samples
    assert {"topic": "measured", "partition": "0"} in [each.labels for each in sizes]
    assert families["process_resident_memory_bytes"].samples[0].value > 0


def test_other_paths_and_methods_are_told_where_to_go(node: RunningNode) -> None:
    assert get(node, "/") == (404, "the metrics are at /metrics\n")
    assert get(node, "/metrics", "POST")[0] == 405
