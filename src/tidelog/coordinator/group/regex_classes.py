"""Named sets of characters, cut down to those that a topic name may contain."""

from __future__ import annotations

import string
import unicodedata

from tidelog.coordinator.group.regex_program import BadRegex

DIGITS = frozenset(string.digits)
LETTERS = frozenset(string.ascii_letters)
WORD = DIGITS | LETTERS | {"_"}
ALPHABET = WORD | {".", "-"}
_NONE: frozenset[str] = frozenset()

PERL = {"d": DIGITS, "w": WORD, "s": _NONE, "D": ALPHABET - DIGITS, "W": ALPHABET - WORD, "S": ALPHABET}

POSIX = {
    "alnum": DIGITS | LETTERS,
    "alpha": LETTERS,
    "ascii": ALPHABET,
    "blank": _NONE,
    "cntrl": _NONE,
    "digit": DIGITS,
    "graph": ALPHABET,
    "lower": frozenset(string.ascii_lowercase),
    "print": ALPHABET,
    "punct": frozenset("._-"),
    "space": _NONE,
    "upper": frozenset(string.ascii_uppercase),
    "word": WORD,
    "xdigit": frozenset(string.hexdigits),
}

_CATEGORIES = "C Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs"
# Scripts that people write in; those without a letter of a topic name only have to be known.
_OTHER_SCRIPTS = "Arabic Armenian Bengali Cyrillic Devanagari Georgian Greek Han Hangul Hebrew Hiragana Katakana Thai"
_SCRIPTS = {"Latin": LETTERS, "Common": ALPHABET - LETTERS} | dict.fromkeys(_OTHER_SCRIPTS.split(), _NONE)


def unicode_class(name: str) -> frozenset[str]:
    if name == "Any":
        return ALPHABET
    if name in _CATEGORIES.split():
        return frozenset(one for one in ALPHABET if unicodedata.category(one).startswith(name))
    found = _SCRIPTS.get(name)
    if found is None:
        raise BadRegex(f"\\p{{{name}}} is not a known class of characters")
    return found


def fold(characters: frozenset[str]) -> frozenset[str]:
    """With the other case of every letter."""
    return characters | frozenset(one.swapcase() for one in characters)
