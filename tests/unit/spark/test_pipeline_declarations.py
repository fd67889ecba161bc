"""Pipeline files: what they declare, what is wrong with them, and the pictures of them. No Spark runs here."""

import base64
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import pytest
from pyspark import cloudpickle

from tidelog.spark.pipeline import stream, table, to_lake, to_table, to_topic, view
from tidelog.spark.pipeline.check import complaints, describe
from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.pipeline.given_options import of_a_range
from tidelog.spark.pipeline.graph import cycles, graph_of
from tidelog.spark.pipeline.loading import collect, load
from tidelog.spark.pipeline.picture import draw
from tidelog.spark.pipeline.replay import parse_time, renamed
from tidelog.spark.pipeline.topics import _how_to_create, wanted
from tidelog.spark.samples.feed import SAMPLES

ORDERS = stream("orders", json="order_id string, user_id string")
PLAIN = stream("a")
USERS = table("users", key="user_id", json="name string")


@to_topic("enriched", key="order_id", partitions=3)
def enriched(orders=ORDERS, users=USERS):
    return orders, users


@view
def large(enriched=enriched):
    return enriched


@to_table("totals", key="user_id")
def totals(large=large):
    return large


@to_lake("lake/orders", partition_by="day")
def kept(orders=ORDERS):
    return orders


SHOP = collect("shop", {"a": enriched, "b": large, "c": totals, "d": kept, "x": 1})


def test_steps_stand_in_the_order_of_the_file() -> None:
    assert [step.name for step in SHOP.steps] == ["enriched", "large", "totals", "kept"]
    assert [step.name for step in SHOP.writers] == ["enriched", "totals", "kept"]
    assert SHOP.query(totals) == "shop.totals"
    assert describe(SHOP)[0] == {
        "step": "enriched",
        "reads": ["stream orders", "table users"],
        "writes": "topic enriched",
    }
    assert complaints(SHOP) == []


def test_a_step_is_still_a_function() -> None:
    assert enriched(1, 2) == (1, 2)


def test_the_topics_that_are_made() -> None:
    assert wanted(SHOP) == [
        ("enriched", 3, {}),
        ("totals", 2, {"cleanup.policy": "compact"}),
        ("shop.dead-letters", 1, {}),
    ]


def test_how_topics_that_are_missing_are_made() -> None:
    assert _how_to_create([ORDERS]) == "topic 'orders' does not exist; create it with: tide topic create orders -p 3"
    assert _how_to_create([ORDERS, USERS, ORDERS]) == (
        "topics 'orders' and 'users' do not exist; create them with: tide topic create orders -p 3 && "
        "tide topic create users -p 3 -c cleanup.policy=compact"
    )


def test_the_picture_as_text() -> None:
    assert draw(graph_of(SHOP), "text").splitlines() == [
        "[orders] + [[users]] → enriched() → [enriched]",
        "[orders] → kept() → [(lake/orders)]",
        "[enriched] → large() in place",
        "large() in place → totals() → [[totals]]",
    ]


def test_the_picture_as_mermaid_and_svg() -> None:
    mermaid = draw(graph_of(SHOP), "mermaid")
    assert mermaid.startswith("flowchart LR\n")
    assert mermaid.count("-->") == len(graph_of(SHOP).edges) == 8
    picture = xml.fromstring(draw(graph_of(SHOP), "svg"))
    labels = [each.text for each in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert sorted(labels) == sorted(node.label for node in graph_of(SHOP).nodes)


def test_a_cycle_is_found_and_drawn() -> None:
    @to_topic("b")
    def first(a=PLAIN):
        return a

    @to_topic("a")
    def second(b=first):
        return b

    loop = collect("loop", {"first": first, "second": second})
    assert cycles(graph_of(loop)) == [["step:first", "topic:b", "step:second", "topic:a"]]
    assert complaints(loop) == ["the pipeline reads what it writes: first → b → second → a → first"]
    assert draw(graph_of(loop), "svg").startswith("<svg")


def test_two_steps_with_one_output_and_other_mistakes() -> None:
    @to_topic("out", mode="upsert")
    def one(a=PLAIN):
        return a

    @to_topic("out")
    def two(kept=kept):
        return kept

    @view
    def alone(a=PLAIN):
        return a

    found = complaints(collect("p", {"one": one, "two": two, "alone": alone}))
    assert found == [
        "one and two both write 'out'; give each an output of its own",
        "one: there is no mode 'upsert'; choose from append, update, complete",
        "two reads the lake table of kept; let it read what that reads",
        "nothing reads the view alone; write it somewhere or take it out",
    ]


@pytest.mark.parametrize(
    ("declare", "sentence"),
    [
        (lambda: stream("x", jsn="id string"), "there is no option 'jsn'; did you mean json?"),
        (lambda: stream("x", maxOffsetPerTrigger=5), "did you mean maxOffsetsPerTrigger?"),
        (lambda: table("x", key="id", json="n int", startingOffsets="latest"), "no option 'startingOffsets'"),
        (lambda: to_topic("x", exactlyonce=False, compresion="zstd"), "no option 'compresion'"),
        (lambda: to_table("x", key="id", partition=3), "did you mean partitions?"),
        (lambda: to_lake("x", compact_every=3), "did you mean compactEvery?"),
    ],
)
def test_an_option_that_nobody_knows(declare: Any, sentence: str) -> None:
    with pytest.raises(PipelineError) as caught:
        declare()
    assert sentence in str(caught.value)


def test_options_go_to_the_source_and_a_range_has_bounds_of_its_own() -> None:
    given = {"maxOffsetsPerTrigger": 10, "startingOffsets": "latest", "includeHeaders": True}
    source = stream("x", **given, **{"kafka.isolation.level": "read_uncommitted"})
    assert dict(source.options) == {
        "maxOffsetsPerTrigger": "10",
        "startingOffsets": "latest",
        "includeHeaders": "true",
        "kafka.isolation.level": "read_uncommitted",
    }
    assert of_a_range(source.options) == {"includeHeaders": "true", "kafka.isolation.level": "read_uncommitted"}


def test_declarations_that_say_too_little() -> None:
    with pytest.raises(PipelineError, match=r"parameter 'orders' of f\(\) does not say what it reads"):

        @to_topic("x")
        def f(orders):
            return orders

    with pytest.raises(PipelineError, match=r"g\(\) reads nothing"):

        @to_topic("x")
        def g():
            return None

    with pytest.raises(PipelineError, match="needs a key"):
        to_table("x", key="")
    with pytest.raises(PipelineError, match="'delta' or 'iceberg', not 'hudi'"):
        to_lake("x", format="hudi")


def test_a_file_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "my_shop.py"
    file.write_text(
        '"""A shop."""\n'
        "from tidelog.spark.pipeline import stream, to_topic\n\n"
        "@to_topic('b')\ndef copy(a=stream('a')):\n    return a\n"
    )
    found = load(str(file))
    assert (found.name, found.about, found.dead_letters) == ("my-shop", "A shop.", "my-shop.dead-letters")


def test_what_lies_beside_the_file_goes_to_workers_too(tmp_path: Path) -> None:
    """A worker is another process, perhaps on another machine, that cannot import it."""
    (tmp_path / "words_of_mine").mkdir()
    (tmp_path / "words_of_mine" / "__init__.py").write_text("from words_of_mine.loud import louder\n")
    (tmp_path / "words_of_mine" / "loud.py").write_text("def louder(text):\n    return text.upper()\n")
    file = tmp_path / "speech.py"
    file.write_text(
        "import words_of_mine\nfrom tidelog.spark.pipeline import stream, to_topic\n\n"
        "@to_topic('b')\ndef copy(a=stream('a')):\n    return words_of_mine.louder(a)\n"
    )
    (step,) = load(str(file)).steps
    sent = base64.b64encode(cloudpickle.dumps(step.function)).decode()
    script = f"import base64, pickle; print(pickle.loads(base64.b64decode('{sent}'))('a'))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("A\n", "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\n", "declares no step"),
        ("x = 1\ny = x / 0\n", "broken.py:2: ZeroDivisionError: division by zero"),
        ("x = (\n", "broken.py:1: SyntaxError"),
        ("from tidelog.spark.pipeline import to_topic\n@to_topic('b')\ndef f(a): ...\n", "does not say what it reads"),
    ],
)
def test_a_file_that_cannot_be_loaded_says_where(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "broken.py"
    file.write_text(text)
    with pytest.raises(PipelineError, match=said):
        load(str(file))
    with pytest.raises(PipelineError, match="there is no file"):
        load(str(tmp_path / "away.py"))


def test_a_replay_writes_elsewhere_and_reads_its_own_outputs() -> None:
    fresh = renamed(SHOP, ".again")
    names = {step.name: step.target.name for step in fresh.writers}
    assert names == {"enriched": "enriched.again", "totals": "totals.again", "kept": "lake/orders.again"}

    @to_lake("lake/shop.orders", format="iceberg")
    def kept_there(orders=ORDERS):
        return orders

    (step,) = renamed(collect("p", {"k": kept_there}), ".again").steps
    assert step.target.name == "lake/shop.orders_again"
    by_name = {step.name: step for step in fresh.steps}
    assert by_name["large"].reads["enriched"] is by_name["enriched"]
    assert by_name["totals"].reads["large"] is by_name["large"]


def test_times_of_a_replay() -> None:
    assert parse_time("2026-01-01T00:00") == parse_time("2026-01-01T01:00+01:00") == 1767225600000
    with pytest.raises(PipelineError, match="'noon' is not a time"):
        parse_time("noon")


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_are_sound(name: str) -> None:
    sample = SAMPLES[name]
    pipeline = load(sample.file)
    assert complaints(pipeline) == []
    assert {source.topic for source in pipeline.sources()} == set(sample.topics)
    assert set(sample.outputs) == {step.target.name for step in pipeline.writers}
