import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidelog.model import uuids


@given(st.binary(min_size=16, max_size=16))
def test_text_and_back(raw: bytes) -> None:
    text = uuids.to_text(raw)
    assert len(text) == 22
    assert uuids.from_text(text) == raw


def test_known_texts() -> None:
    assert uuids.to_text(uuids.ZERO) == "A" * 22
    assert uuids.to_text(uuids.METADATA_TOPIC_ID) == "AAAAAAAAAAAAAAAAAAAAAQ"
    assert uuids.from_text("4L6g3nShT-eMCtK--X86sw").hex() == "e0bea0de74a14fe78c0ad2bef97f3ab3"


@pytest.mark.parametrize("text", ["", "abc", "A" * 21, "A" * 23, "A" * 20 + "+/", "é" * 22, "AAAA AAAAAAAAAAAAAAAAA"])
def test_what_is_no_id(text: str) -> None:
    with pytest.raises(ValueError, match="is not an id"):
        uuids.from_text(text)


def test_a_new_id_is_never_reserved_nor_looks_like_an_option() -> None:
    dash = b"\xf8" + bytes(15)
    fine = bytes(range(16))
    source = iter([dash, fine])
    found = uuids.new(lambda size: next(source))
    assert not uuids.to_text(found).startswith("-")
    assert found[6] >> 4 == 4
    assert found[8] >> 6 == 2
    assert next(source, None) is None
    assert uuids.is_reserved(uuids.ZERO)
    assert uuids.is_reserved(uuids.DIRECTORY_MIGRATING)
    assert not uuids.is_reserved(found)
