"""The topics that a pipeline needs: those it reads must be there, those it writes are made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tidelog.spark.pipeline.declare import COMPACTED, LAKE
from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.pipeline.loading import Pipeline

PARTITIONS = 2


async def prepare(pipeline: Pipeline, settings: Mapping[str, str], suffix: str = "") -> list[str]:
    """Makes what is missing of the topics that are written; gives their names. `suffix` is that of a replay."""
    from tidelog.client.admin import Admin

    async with Admin(settings) as admin:
        there = await admin.topics.all()
        written = pipeline.topics_written()
        missing = sorted({each.topic for each in pipeline.sources()} - set(there) - set(written))
        if missing:
            raise PipelineError(
                f"topic '{missing[0]}' does not exist; create it with: tide topic create {missing[0]} -p 3"
            )
        made = []
        for name, partitions, configs in wanted(pipeline):
            if name + suffix not in there:
                await admin.topics.create(name + suffix, partitions=partitions, configs=configs)
                made.append(name + suffix)
        return made


def wanted(pipeline: Pipeline) -> list[tuple[str, int, dict[str, str]]]:
    """Name, partitions and settings of every topic that the pipeline writes."""
    found: list[tuple[str, int, dict[str, Any]]] = []
    for step in pipeline.writers:
        target = step.target
        if target.kind == LAKE:
            continue
        configs = {"cleanup.policy": "compact"} if target.kind == COMPACTED else {}
        found += [(name, target.partitions or PARTITIONS, configs) for name in (target.name, *target.also)]
    return [*found, (pipeline.dead_letters, 1, {})]
