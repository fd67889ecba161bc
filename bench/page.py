"""docs/benchmarks.md: one section for each figure, with the run that it is from.

The page is its own store: a run replaces the sections of what it measured and leaves the others as they are.
"""

from collections.abc import Iterable

from bench.figure import Figure, Samples
from bench.report import lines

TOP = """\
# Benchmarks

Our node beside Apache Kafka on one machine. Each load runs on one node and then on the other, both warm, with fresh
data on the same disk, several times in turn; a value is the median. CPU seconds are those of the node's process (user
and system, all threads): they hold on a noisy machine, where rates do not. A ratio is ours over Apache's. Each section
is written by the command that it names, with `--write-docs`.
"""
_HEAD = "\n## "


def page(before: str, figures: Iterable[Figure], results: dict[Figure, Samples], about: dict[str, str]) -> str:
    """The page `before` with what was measured in it; a section that is of none of the `figures` any more goes."""
    kept = _sections(before)
    measured = {figure: samples for figure, samples in results.items() if samples.values}
    new = {figure.title: _section(figure, samples, about) for figure, samples in measured.items()}
    found = ({**kept, **new}.get(figure.title) for figure in figures)
    return "".join([TOP, *(section for section in found if section is not None)])


def _sections(before: str) -> dict[str, str]:
    """By title, each from its heading to its last line."""
    found = (f"{_HEAD}{text.rstrip()}\n" for text in before.split(_HEAD)[1:])
    return {text[len(_HEAD) :].partition("\n")[0]: text for text in found}


def _section(figure: Figure, samples: Samples, about: dict[str, str]) -> str:
    facts = "; ".join(f"{name} {value}" for name, value in about.items() if name not in ("command", "date"))
    out = [
        f"{_HEAD}{figure.title}",
        "",
        f"`{about['command']}`, {about['date']}: {facts}.",
        "",
        "| | unit | ours | Apache | ratio | bar | |",
        "|---|---|--:|--:|--:|--:|---|",
        *("| " + " | ".join(line.cells()) + " |" for line in lines(figure, samples)),
        "",
        *samples.notes,
        f"What bounds it: {figure.bounded_by}.",
    ]
    return "\n".join(out) + "\n"
