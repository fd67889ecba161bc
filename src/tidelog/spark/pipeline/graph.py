"""The pipeline as a graph of topics, steps and lakes; its cycles and its doubtful places. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from tidelog.spark.pipeline.declare import COMPACTED, GLOBAL_TABLE, LAKE, STREAM, VIEW, Source, Step
from tidelog.spark.pipeline.loading import Pipeline


@dataclass(frozen=True)
class Node:
    """`kind` is topic, table, lake, step or view."""

    id: str
    kind: str
    label: str
    note: str = ""


@dataclass(frozen=True)
class Graph:
    nodes: tuple[Node, ...]
    edges: tuple[tuple[str, str], ...]

    def after(self, node_id: str) -> list[str]:
        return [to for start, to in self.edges if start == node_id]


def graph_of(pipeline: Pipeline) -> Graph:
    nodes: dict[str, Node] = {}
    edges: dict[tuple[str, str], None] = {}
    for step in pipeline.steps:
        kind = "view" if step.target.kind == VIEW else "step"
        nodes.setdefault(_step_id(step), Node(_step_id(step), kind, step.name))
    for step in pipeline.steps:
        for read in step.reads.values():
            for node in _read_nodes(read):
                nodes.setdefault(node.id, node)
                edges[node.id, _step_id(step)] = None
        for node in _written(step):
            nodes[node.id] = node  # what a step writes is known better than what a reader says of it
            edges[_step_id(step), node.id] = None
    return Graph(tuple(nodes.values()), tuple(edges))


def _step_id(step: Step) -> str:
    return f"step:{step.name}"


def _read_nodes(read: Source | Step) -> list[Node]:
    if isinstance(read, Source):
        kind = "topic" if read.kind == STREAM else "table"
        return [Node(f"topic:{read.topic}", kind, read.topic, read.kind if read.kind == GLOBAL_TABLE else "")]
    if read.target.kind == VIEW:
        return [Node(_step_id(read), "view", read.name)]
    return _written(read)


def _written(step: Step) -> list[Node]:
    target = step.target
    if target.kind == VIEW:
        return []
    if target.kind == LAKE:
        return [Node(f"lake:{target.name}", "lake", target.name, target.format)]
    kind = "table" if target.kind == COMPACTED else "topic"
    return [Node(f"topic:{name}", kind, name) for name in (target.name, *target.also)]


def cycles(graph: Graph) -> list[list[str]]:
    """Each cycle once, as the ids on the way round, from the first node that the search meets."""
    found: list[list[str]] = []
    done: set[str] = set()

    def walk(node_id: str, way: list[str]) -> None:
        if node_id in way:
            found.append(way[way.index(node_id) :])
            return
        if node_id in done:
            return
        for to in graph.after(node_id):
            walk(to, [*way, node_id])
        done.add(node_id)

    for node in graph.nodes:
        walk(node.id, [])
    return found


def layers(graph: Graph) -> list[list[Node]]:
    """Nodes by the longest way to them; the edges of a cycle that lead back are not counted."""
    depth: dict[str, int] = {}

    def depth_of(node_id: str, way: tuple[str, ...]) -> int:
        if node_id not in depth:
            before = [start for start, to in graph.edges if to == node_id and start not in way]
            depth[node_id] = max((depth_of(each, (*way, node_id)) + 1 for each in before), default=0)
        return depth[node_id]

    found: list[list[Node]] = []
    for node in graph.nodes:
        at = depth_of(node.id, ())
        while len(found) <= at:
            found.append([])
        found[at].append(node)
    return found
