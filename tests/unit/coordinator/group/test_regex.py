"""Expressions over topic names: RE2's syntax, the same answers as Python's engine, and no input that takes long."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidelog.coordinator.group.regex import BadRegex, Matcher, compiled


@pytest.mark.parametrize(
    ("expression", "matched", "others"),
    [
        ("orders", ["orders"], ["orders2", "my-orders", ""]),
        ("orders.*|logs", ["orders", "orders-eu", "logs"], ["logs-eu"]),
        ("", [""], ["a"]),
        (r"a\.b", ["a.b"], ["axb"]),
        (r"\Qa.b\E+", ["a.b"], ["axb"]),
        (r"\Qa.*", [], ["ab", "a."]),
        ("(?i)eu-.*", ["EU-1", "eu-x"], ["us-1"]),
        ("(?i:e)u", ["eu", "Eu"], ["eU"]),
        ("[[:upper:]]+", ["ABC"], ["abc"]),
        ("[^[:digit:]-]*", ["abc_."], ["a1", "a-b"]),
        (r"\pL+\p{Nd}\P{L}", ["ab12", "x1-"], ["12", "ab1c"]),
        ("a{2,3}", ["aa", "aaa"], ["a", "aaaa"]),
        ("a{,3}", [], ["aa"]),
        (r"\bx\b.*", ["x", "x-y"], ["xy"]),
        (r"\x61[\x{62}-d]", ["ab", "ad"], ["ae"]),
        ("(?P<name>a)(?<other>b)?", ["a", "ab"], ["b"]),
        ("(a*)*b", ["b", "aaab"], ["aaa"]),
        ("^a$|^b", ["a", "b"], ["ab"]),
        ("[]a]", ["a"], ["b"]),
        ("[a-]+", ["a-a"], ["b"]),
    ],
)
def test_names_are_matched_as_a_whole(expression: str, matched: list[str], others: list[str]) -> None:
    matcher = Matcher(expression)
    assert [name for name in matched if not matcher.matches(name)] == []
    assert [name for name in others if matcher.matches(name)] == []


@pytest.mark.parametrize(
    "expression",
    [
        *("(", ")", "a)", "[", "[a", "[z-a]", "*", "a|*", "a**", "a+*", "a{2}{3}", "a{1001}", "a{3,2}", r"\1", r"\k"),
        *("(?=a)", "(?!a)", "(?<=a)", "(?>a)", "(?P=n)", "(?<n", "(?", r"\p{Nothing}", r"\p{L", "[[:nothing:]]"),
        *(r"\x{zz}", r"\x{110000}", "\\", "(a{1000}){1000}", "(" * 300 + ")" * 300, "(a{0,1000}){0,1000}"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_reason(expression: str) -> None:
    with pytest.raises(BadRegex) as refused:
        compiled(expression)
    assert str(refused.value)


ATOMS = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\d", r"\w", r"\.", "-", "(?:a|b1)", "^", "$", r"\b", r"\B"])
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda part: st.one_of(
        st.tuples(part, part).map("".join),
        st.tuples(part, part).map(lambda both: f"(?:{both[0]}|{both[1]})"),
        st.tuples(part, st.sampled_from(["*", "+", "?", "{2}", "{1,3}"])).map(lambda both: f"(?:{both[0]}){both[1]}"),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS, st.lists(st.text("ab1.-_", min_size=1, max_size=8), max_size=10))
def test_answers_are_those_of_another_engine(expression: str, names: list[str]) -> None:
    other = re.compile(expression, re.ASCII)
    matcher = Matcher(expression)
    for name in names:
        assert matcher.matches(name) == (other.fullmatch(name) is not None)


@given(st.text("ab()[]{}|*+?\\.^$-:?<>P,019Qdpx", max_size=30))
def test_any_text_is_used_or_refused(expression: str) -> None:
    with contextlib.suppress(BadRegex):
        compiled(expression).matches("ab-1")


def test_expressions_that_make_others_backtrack_take_no_time() -> None:
    name = "a" * 248 + "-"
    for expression in ("(a+)+b", "(a|a)*b", "(a*)*b", "(.*.*)*b", "(a?){100}a{100}b"):
        matcher = Matcher(expression)
        assert not matcher.matches(name)
        assert len(matcher._steps) <= 2 * len(name)
