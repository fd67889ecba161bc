"""Expressions that members subscribe with: what is refused and what matches are those of Apache's engine."""

import random
import subprocess
from functools import cache
from pathlib import Path

import pytest

from peer.programs import java_program
from tidelog.coordinator.group.regex import BadRegex, Matcher

pytestmark = pytest.mark.apache

NAMES = ["a", "b", "ab", "AB", "aab", "a.b", "a-b_c", "0", "a1", "orders-eu.1", "__x", "xaby", "-", "."]
PICKED_TEXT = r"""
a a|b (a|b)+ (?:a)b (?P<n>a)b (?<n>a)b (?i)AB (?i:A)b (?s).+ (?m)^a$ (?U)a+b (?x)a (?i-s:A.b) (?-i)a (?i (?)a (?:)
() (?P<n>a)(?P<n>b) (?P<1n>a) (?P<>a) (?Pa) \Aab\z \ba\b \Ba ab\Z \Ca \Qa.b\E \Qa.b \E a\E \Q\E* \d+ \D \w+ \W \s
\S+ [\d.]+ [^\w]+ [a-c]+ [^a-c]+ []a] [a]] [^]a] [a-] [-a] [--.] [[:alpha:]]+ [[:^alpha:]]+ [[:word:]-]+ [[:alpha:]
[[:] [[:]] [:alpha:]+ [[:nothing:]] [a-[:digit:]] \pL+ \PL+ \p{L}+ \p{^L}+ \p{Lu}+ \p{Latin}+ \p{Greek}+ \p{Nd}
\pN+ \p \p{ \p{IsAlphabetic} [\pL\d]+ [^\pL]+ \x61 \x{61} \x{0061}b \x6 \x \x{} \x{110000} \x{+61} \0 \07 \141 \1
\12 \8 \a \f \n \t \v \r \e \_ \- \. \ \é a* a+? a?? a** a*?* a+* (a*)* (a*)+b a{2}b a{2,}b a{0,1}b a{,2}b a{1 a{}
a{x} a{2,1} a{1000} a{1001} (a{30}){30} (a{40}){40} x{2}{3} a{* {2} {a a*(?i)* (?i)* ^* $* \b* | a| |a a||b * +a ?
(*) a|* ( ) (a a) [ [a [z-a] [a-z (?=a) (?!a) (?<=a) (?>a) ^a.* a.*$ ^ $ ^$ a^b a$b orders-.* [\x61-\x63]+ [\Qa]\E]
[a-\d] [\]] é [é-ü]a
"""
PIECES_TEXT = r"""
a b 1 - . \. [ab] [^a] \w \d ( ) (?: (?i) (?i: | * + ? {2} {1,2} { } ^ $ \b \B [ ] \ \pL \Q \E [[:digit:]] \x61
(?P<n> -z , [[: \12
"""
PICKED, PIECES = PICKED_TEXT.split(), PIECES_TEXT.split()


def chance(count: int) -> list[str]:
    pick = random.Random(848)
    return ["".join(pick.choices(PIECES, k=pick.randint(1, 9))) for _ in range(count)]


@cache
def answers() -> list[tuple[str, str]]:
    """One JVM answers for all."""
    expressions = ["", *PICKED, *chance(4000)]
    questions = "".join("\x1f".join([each, *NAMES]) + "\n" for each in expressions)
    command = java_program(Path(__file__).parent / "regex_oracle", "RegexOracle")
    found = subprocess.run(command, input=questions, capture_output=True, text=True, timeout=120, check=True).stdout
    return list(zip(expressions, found.splitlines(), strict=True))


def ours(expression: str) -> str:
    try:
        matcher = Matcher(expression)
    except BadRegex:
        return "refused"
    return "".join("01"[matcher.matches(name)] for name in NAMES)


def test_expressions_match_what_they_match_there() -> None:
    different = [f"{each!r}: {wanted} there, {ours(each)} here" for each, wanted in answers() if ours(each) != wanted]
    assert not different, "\n".join(different[:40])
    refused = sum(wanted == "refused" for _, wanted in answers())
    assert 200 < refused < len(answers()) - 200, "the expressions are all of one kind"
