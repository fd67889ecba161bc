"""Pictures of a graph: text for a terminal, Mermaid for a page, SVG for anywhere. Pure."""

from __future__ import annotations

from html import escape

from tidelog.spark.pipeline.graph import Graph, Node, layers

FORMS = ("text", "mermaid", "svg")


def draw(graph: Graph, form: str) -> str:
    return {"text": text, "mermaid": mermaid, "svg": svg}[form](graph)


_MARKS = {"topic": "[{}]", "table": "[[{}]]", "lake": "[({})]", "step": "{}()", "view": "{}() in place"}


def text(graph: Graph) -> str:
    """A line per step: what goes in, the step, what comes out."""
    by_id = {node.id: node for node in graph.nodes}
    lines = []
    for layer in layers(graph):
        for node in layer:
            if node.kind not in ("step", "view"):
                continue
            before = [_mark(by_id[start]) for start, to in graph.edges if to == node.id]
            after = [_mark(by_id[to]) for to in graph.after(node.id) if by_id[to].kind not in ("step", "view")]
            way = [" + ".join(before), _mark(node), " + ".join(after)]
            lines.append(" → ".join(part for part in way if part))
    return "\n".join(lines)


def _mark(node: Node) -> str:
    return _MARKS[node.kind].format(node.label)


_SHAPES = {"topic": '(["{}"])', "table": '[("{}")]', "lake": '[\\"{}"/]', "step": '["{}"]', "view": '("{}")'}


def mermaid(graph: Graph) -> str:
    names = {node.id: f"n{number}" for number, node in enumerate(graph.nodes)}
    lines = ["flowchart LR"]
    lines += [f"  {names[node.id]}{_SHAPES[node.kind].format(_quoted(node))}" for node in graph.nodes]
    lines += [f"  {names[start]} --> {names[to]}" for start, to in graph.edges]
    return "\n".join(lines)


def _quoted(node: Node) -> str:
    return (f"{node.label} ({node.note})" if node.note else node.label).replace('"', "#quot;")


_COLUMN, _ROW, _HEIGHT, _MARGIN = 220, 64, 36, 20
_FILLS = {"topic": "#dbeafe", "table": "#dcfce7", "lake": "#fef3c7", "step": "#ffffff", "view": "#f3f4f6"}


def svg(graph: Graph) -> str:
    """Columns from left to right by depth; boxes for steps, rounded ones for what is read and written."""
    columns = layers(graph)
    tallest = max(len(column) for column in columns)
    width = _COLUMN * len(columns) + _MARGIN
    height: float = _ROW * tallest + _MARGIN
    places = {}
    for x, column in enumerate(columns):
        above = (tallest - len(column)) * _ROW / 2
        for y, node in enumerate(column):
            places[node.id] = (_MARGIN + x * _COLUMN, _MARGIN + above + y * _ROW)
    body = [_arrow(places[start], places[to], height) for start, to in graph.edges]
    if any(places[start][0] >= places[to][0] for start, to in graph.edges):
        height += _ROW  # the way back, of a cycle, is below everything
    body += [_box(node, places[node.id]) for node in graph.nodes]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" width="{width}" '
            f'height="{height:g}" font-family="sans-serif" font-size="13">',
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
            '<path d="M0 0L8 4L0 8z" fill="#6b7280"/></marker></defs>',
            *body,
            "</svg>",
        ]
    )


def _box(node: Node, place: tuple[float, float]) -> str:
    x, y = place
    radius = 4 if node.kind in ("step", "view") else _HEIGHT / 2
    dash = ' stroke-dasharray="4 3"' if node.kind == "view" else ""
    label = node.label if len(node.label) <= 24 else node.label[:23] + "…"
    width = _COLUMN - 50
    return (
        f"<g><title>{escape(f'{node.kind} {node.label}')}</title>"
        f'<rect x="{x:g}" y="{y:g}" width="{width}" height="{_HEIGHT}" rx="{radius:g}" fill="{_FILLS[node.kind]}" '
        f'stroke="#6b7280"{dash}/><text x="{x + width / 2:g}" y="{y + 23:g}" text-anchor="middle">{escape(label)}'
        "</text></g>"
    )


def _arrow(start: tuple[float, float], to: tuple[float, float], bottom: float) -> str:
    x1, y1 = start[0] + _COLUMN - 50, start[1] + _HEIGHT / 2
    x2, y2 = to[0], to[1] + _HEIGHT / 2
    bend = (x1 + x2) / 2
    path = f"M{x1:g} {y1:g}C{bend:g} {y1:g} {bend:g} {y2:g} {x2:g} {y2:g}"
    if x2 < x1:
        low = bottom + _ROW
        path = f"M{x1 - 20:g} {y1 + _HEIGHT / 2:g}C{x1:g} {low:g} {x2:g} {low:g} {x2 + 20:g} {y2 + _HEIGHT / 2:g}"
    return f'<path d="{path}" fill="none" stroke="#6b7280" marker-end="url(#tip)"/>'
