"""Lines to records, as the console producer reads them."""

import pytest

from tidelog.cli.line_reader import LineReader, LineRecord, LineSplitter
from tidelog.cli.tool import Failure


def test_plain_lines_are_values() -> None:
    assert LineReader({}).parse(b"a\tb") == LineRecord(None, b"a\tb", ())


def test_keys_and_headers() -> None:
    reader = LineReader({"parse.key": "true", "parse.headers": "TRUE"})
    assert reader.parse(b"h1:v1,h2:v2\tkey\tvalue\tmore") == LineRecord(
        b"key", b"value\tmore", (("h1", b"v1"), ("h2", b"v2"))
    )


def test_own_separators_and_null_marker() -> None:
    reader = LineReader({"parse.key": "true", "key.separator": "::", "null.marker": "NULL"})
    assert reader.parse(b"NULL::x") == LineRecord(None, b"x", ())
    assert reader.parse(b"k::NULL") == LineRecord(b"k", None, ())
    assert reader.parse(b"::x") == LineRecord(b"", b"x", ())


def test_a_missing_separator_names_the_line() -> None:
    reader = LineReader({"parse.key": "true", "key.separator": ":"})
    reader.parse(b"a:b")
    with pytest.raises(Failure, match="No key separator found on line number 2: 'one'"):
        reader.parse(b"one")


def test_ignore_error_takes_the_line_as_a_value() -> None:
    reader = LineReader({"parse.key": "true", "parse.headers": "true", "ignore.error": "true"})
    assert reader.parse(b"nothing here") == LineRecord(None, b"nothing here", ())


@pytest.mark.parametrize(
    "properties",
    [{"headers.delimiter": ","}, {"headers.separator": ":"}, {"null.marker": "\t"}, {"null.marker": ","}],
)
def test_separators_must_differ(properties: dict[str, str]) -> None:
    with pytest.raises(Failure, match="may not be equal"):
        LineReader(properties)


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_lines_come_out_the_same_however_they_are_cut(size: int) -> None:
    data = b"one\ntwo\r\n\r\nfo\rur\nlast"
    splitter = LineSplitter()
    found: list[bytes] = []
    for start in range(0, len(data), size):
        found += splitter.feed(data[start : start + size])
    found += splitter.feed(b"")
    assert found == [b"one", b"two", b"", b"fo", b"ur", b"last"]
