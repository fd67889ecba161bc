"""The page of figures keeps what a run did not measure, and each section says which run it is from."""

from __future__ import annotations

from typing import ClassVar

from bench.figure import APACHE, OURS, Figure, Row, Samples
from bench.lab import Lab
from bench.page import page

ABOUT = {"date": "2026-01-02", "command": "./dev bench one", "processor": "2 × P"}


class One(Figure):
    name = "one"
    title = "One thing"
    rows: ClassVar[tuple[Row, ...]] = (Row("one_ms", "a thing", "ms", bar=1.0),)
    expected_s = 1
    bounded_by = "the thing"

    def measure(self, lab: Lab, samples: Samples) -> None:
        raise NotImplementedError


class Two(One):
    name = "two"
    title = "Two things (and more)"
    rows = (Row("two_ms", "two things", "ms"),)


def measured(key: str, ours: float) -> Samples:
    samples = Samples()
    samples.add(OURS, {key: ours})
    samples.add(APACHE, {key: 4.0})
    return samples


def test_a_run_replaces_its_own_sections_and_keeps_the_others_in_the_order_of_the_figures() -> None:
    one, two = One(), Two()
    first = page("# old\n\n## Gone\n\ntext\n", [one, two], {two: measured("two_ms", 1.0)}, ABOUT)
    both = page(first, [one, two], {one: measured("one_ms", 2.0)}, {**ABOUT, "date": "2026-02-03"})
    assert both.index("## One thing\n") < both.index("## Two things (and more)\n")
    assert "| a thing | ms | 2.00 | 4.00 | 0.50 | ≤ 1 | met |" in both
    assert "`./dev bench one`, 2026-02-03: processor 2 × P." in both
    assert "| two things | ms | 1.00 | 4.00 | 0.25 |  |  |" in both
    assert "`./dev bench one`, 2026-01-02: processor 2 × P." in both
    assert "Gone" not in both
    again = page(both, [one, two], {one: measured("one_ms", 8.0)}, ABOUT)
    assert "| 8.00 | 4.00 | 2.00 | ≤ 1 | MISSED |" in again
    assert "| 2.00 | 4.00 |" not in again
    assert page(again, [one, two], {}, ABOUT) == again


def test_a_figure_that_could_not_be_measured_leaves_its_section_alone() -> None:
    one = One()
    before = page("", [one], {one: measured("one_ms", 2.0)}, ABOUT)
    failed = Samples(notes=["not measured: the node is gone"])
    assert page(before, [one], {one: failed}, ABOUT) == before
