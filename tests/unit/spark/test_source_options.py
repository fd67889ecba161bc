"""Options, positions and ranges of the Spark source, without Spark."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tidelog.client.columnar_fetch import Range
from tidelog.client.errors import ClientError
from tidelog.spark import ranges
from tidelog.spark.checkpoint import local_folder, query_id, source_positions
from tidelog.spark.options import OptionError
from tidelog.spark.plan import Settings
from tidelog.spark.positions import Position

SERVERS = {"kafka.bootstrap.servers": "localhost:9092"}
SASL = {"kafka.security.protocol": "SASL_SSL", "kafka.sasl.mechanism": "PLAIN"}
KEYS = [("a", 0), ("a", 1), ("b", 0)]


def read(*, streaming: bool = False, **given: str) -> Settings:
    return Settings.read(
        {**SERVERS, **{name.replace("__", "."): value for name, value in given.items()}}, streaming=streaming
    )


def test_names_do_not_mind_case_and_defaults_are_sparks() -> None:
    found = read(SUBSCRIBE="b,a", MaxOffsetsPerTrigger="10")
    assert found.subscription.topics == ("a", "b")
    assert found.rows_max == 10
    assert found.committed
    assert found.fail_on_loss
    assert found.starting.everywhere == -2
    assert read(subscribe="a", streaming=True).starting.everywhere == -1
    assert found.group == "spark-a+b"
    assert read(subscribe="a", kafka__group__id="mine").group == "mine"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "exactly one of the options"),
        ({"subscribe": "a", "assign": "{}"}, "subscribe and assign are both set"),
        ({"subscribe": "a", "startingOffset": "latest"}, "did you mean startingOffsets"),
        ({"subscribe": "a", "startingOffsets": "first"}, "must be JSON such as"),
        ({"subscribe": "a", "endingOffsets": "earliest"}, "nothing would be read"),
        ({"subscribe": "a", "startingOffsets": "latest"}, "startingOffsets cannot be latest in a batch read"),
        ({"subscribe": "a", "startingOffsets": '{"a":{"0":-1}}'}, "has -1 for a-0: nothing of it would be read"),
        ({"subscribe": "a", "startingOffsets": '{"a":{"0":-3}}'}, "has -3 for a-0; the least is -2"),
        ({"subscribe": "a", "endingOffsetsByTimestamp": '{"a":{"0":-1}}'}, "has -1 for a-0; the least is 0"),
        ({"subscribe": "a", "maxOffsetsPerTrigger": "0"}, "whole number of at least 1"),
        ({"subscribe": "a", "failOnDataLoss": "maybe"}, "must be true or false"),
        ({"subscribe": "a", "maxTriggerDelay": "soon"}, "a time such as 15m"),
        ({"subscribePattern": "("}, "no regular expression"),
        ({"assign": "[1]"}, "must be JSON such as"),
        ({"subscribe": "a", "kafka.auto.offset.reset": "latest"}, "use startingOffsets instead"),
        ({"subscribe": "a", "kafka.security.protocol": "SASL_SSL"}, "sasl.mechanism must be one of PLAIN, SCRAM"),
        (
            {"subscribe": "a", "kafka.security.protocol": "SASL_SSL", "kafka.sasl.mechanism": "PLAIN"},
            "there is no user",
        ),
        ({"subscribe": "a", "kafka.security.protocol": "SSL", "kafka.ssl.truststore.location": "/x.jks"}, "PEM alone"),
        ({"subscribe": "a", "kafka.isolation.level": "none"}, "read_committed or read_uncommitted"),
        ({"subscribe": "a", "kafka.bootstrap.servers": ""}, "name a broker"),
    ],
)
def test_what_cannot_be_used_is_a_sentence(options: dict[str, str], sentence: str) -> None:
    with pytest.raises(ClientError, match=sentence):
        Settings.read({**SERVERS, **options}, streaming=False)


def test_a_stream_has_no_end() -> None:
    with pytest.raises(OptionError, match="A stream has no end"):
        read(streaming=True, subscribe="a", endingOffsets="latest")


def test_positions_survive_the_checkpoint_and_equal_ones_read_alike() -> None:
    position = Position({("b", 1): 3, ("a", 0): 5}, {"a": bytes(range(16))}, "g", 7)
    text = json.dumps(position.to_json())
    assert Position.from_json(json.loads(text)) == position
    turned = Position({("a", 0): 5, ("b", 1): 3}, position.ids, "g", 7)
    assert json.dumps(turned.to_json()) == text


@pytest.mark.parametrize("found", [{"a": 3}, {"a": {"x": 1}}, {"logOffset": 12}])
def test_a_checkpoint_of_another_source_is_told(found: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="was not written by format"):
        Position.from_json(found)


sizes = st.lists(st.integers(0, 1000), min_size=3, max_size=3)


@settings(max_examples=100, deadline=None)
@given(start=sizes, more=sizes, limit=st.integers(1, 2000))
def test_a_limit_in_rows_is_kept_and_moves(start: list[int], more: list[int], limit: int) -> None:
    first = dict(zip(KEYS, start, strict=True))
    end = {key: first[key] + size for key, size in zip(KEYS, more, strict=True)}
    found = ranges.limit_rows(first, end, limit)
    assert all(first[key] <= found[key] <= end[key] for key in KEYS)
    assert sum(found[key] - first[key] for key in KEYS) == min(limit, sum(more))


@settings(max_examples=100, deadline=None)
@given(start=sizes, more=sizes, limit=st.integers(1, 10**6))
def test_a_limit_in_bytes_moves(start: list[int], more: list[int], limit: int) -> None:
    first = dict(zip(KEYS, start, strict=True))
    end = {key: first[key] + size for key, size in zip(KEYS, more, strict=True)}
    found = ranges.limit_bytes(first, end, limit, dict.fromkeys(KEYS, 100.0))
    assert all(first[key] <= found[key] <= end[key] for key in KEYS)
    assert sum(found[key] - first[key] for key in KEYS) <= limit // 100 + len(KEYS)
    assert not sum(more) or sum(found[key] - first[key] for key in KEYS) > 0


@settings(max_examples=100, deadline=None)
@given(more=sizes, least=st.none() | st.integers(1, 40), most=st.none() | st.integers(1, 300))
def test_cut_ranges_cover_the_same_offsets(more: list[int], least: int | None, most: int | None) -> None:
    whole = [Range(topic, part, 5, 5 + size) for (topic, part), size in zip(KEYS, more, strict=True) if size]
    pieces = ranges.cut(whole, least, most)

    def offsets(found: list[Range]) -> list[tuple[str, int, int]]:
        return [(each.topic, each.partition, offset) for each in found for offset in range(each.start, each.end)]

    assert offsets(pieces) == offsets(whole)
    assert all(each.end > each.start for each in pieces)
    assert most is None or all(each.end - each.start <= most for each in pieces)
    assert len(pieces) >= min(least or 0, sum(more))


def test_what_the_sink_reads_of_a_checkpoint(tmp_path: Path) -> None:
    (tmp_path / "metadata").write_text('{"id":"abc"}')
    (tmp_path / "offsets").mkdir()
    position = Position({("a", 0): 5}, {}, "g")
    other = '{"logOffset":3}'
    (tmp_path / "offsets" / "4").write_text(f"v1\n{{}}\n{json.dumps(position.to_json())}\n{other}\n-")
    for location in (str(tmp_path), f"file:{tmp_path}", f"file://{tmp_path}"):
        assert query_id(location) == "abc"
        assert source_positions(location, 4) == [position]
    assert source_positions(str(tmp_path), 5) == []
    assert local_folder("hdfs://host/a") is None
    assert query_id("hdfs://host/a") == ""
