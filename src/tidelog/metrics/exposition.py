"""Turns the rows into Prometheus text: read inside the loop, where nothing moves, written as text in a thread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from tidelog.metrics import cleaner_rows
from tidelog.metrics.row import Kind, Row, Sample
from tidelog.metrics.rows import ROWS

ALL_ROWS = (*ROWS, *cleaner_rows.ROWS)


class Reading(NamedTuple):
    row: Row
    samples: list[Sample]


def read_all(node: Any, rows: Iterable[Row] = ALL_ROWS) -> list[Reading]:
    found = []
    for row in rows:
        value = row.read(node)
        found.append(Reading(row, [((), value)] if isinstance(value, (int, float)) else list(value)))
    return found


class _Snapshot:
    """What prometheus_client asks for the metrics of one scrape."""

    def __init__(self, readings: list[Reading]) -> None:
        self._readings = readings

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        for row, samples in self._readings:
            family = CounterMetricFamily if row.kind is Kind.COUNTER else GaugeMetricFamily
            metric = family(row.name, row.help, labels=row.labels)
            for labels, value in samples:
                metric.add_metric(labels, value)
            yield metric


def render(readings: list[Reading]) -> bytes:
    """The text of a scrape, with the figures of the process itself. Imports prometheus_client when first called."""
    from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest

    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_Snapshot(readings))
    return generate_latest(registry)
