"""Parses RE2's syntax. Sets of characters are cut down to what a topic name may contain; nothing else is ever met."""

from __future__ import annotations

from tidelog.coordinator.group.regex_classes import (
    ALPHABET,
    DIGITS,
    PERL,
    POSIX,
    WORD,
    fold,
    unicode_class,
)
from tidelog.coordinator.group.regex_program import (
    Assertion,
    BadRegex,
    Characters,
    Choice,
    Node,
    Repeat,
    Sequence,
)

__all__ = ["WORD", "BadRegex", "parse"]

REPEAT_MAX = 1_000
DEPTH_MAX = 200
_ASSERTIONS = {
    "A": Assertion.BEGIN,
    "z": Assertion.END,
    "b": Assertion.BOUNDARY,
    "B": Assertion.NO_BOUNDARY,
}
_HEXADECIMAL = set("0123456789abcdefABCDEF")
_LAST_CHARACTER = 0x10FFFF
_CONTROLS = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def parse(expression: str) -> Node:
    parser = _Parser(expression)
    node = parser.choice()
    if parser.more():
        raise BadRegex("there is a ) too many")
    return node


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.fold = False
        self.depth = 0
        self.names: set[str] = set()

    def more(self) -> bool:
        return self.at < len(self.text)

    def eat(self, token: str) -> bool:
        if self.text.startswith(token, self.at):
            self.at += len(token)
            return True
        return False

    def next(self) -> str:
        if not self.more():
            raise BadRegex("the expression ends too early")
        self.at += 1
        return self.text[self.at - 1]

    # structure

    def choice(self) -> Node:
        parts = [self.sequence()]
        while self.eat("|"):
            parts.append(self.sequence())
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def sequence(self) -> Node:
        parts: list[Node] = []
        # A brace that stands for itself counts too: the engine that clients know refuses a repetition behind it.
        behind_repetition = False
        while self.more() and self.text[self.at] not in "|)":
            if self.text[self.at] in "*+?{":
                self.repeat_last(parts, behind_repetition)
                behind_repetition = True
                continue
            behind_repetition = False
            if self.eat("\\Q"):
                parts += self.quoted()
                continue
            node = self.atom()
            if node is not None:
                parts.append(node)
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def quoted(self) -> list[Node]:
        end = self.text.find("\\E", self.at)
        stop = len(self.text) if end < 0 else end
        literal = self.text[self.at : stop]
        self.at = stop if end < 0 else stop + 2
        return [self.one(character) for character in literal]

    def repeat_last(self, parts: list[Node], behind_repetition: bool) -> None:
        sign = self.text[self.at]
        bounds = self.repetition()
        if bounds is None:
            parts.append(self.one(self.next()))
            return
        self.eat("?")
        if behind_repetition:
            raise BadRegex("a repetition cannot be repeated without parentheses")
        if not parts:
            raise BadRegex(f"there is nothing before {sign} that could be repeated")
        parts[-1] = Repeat(parts[-1], *bounds)

    def repetition(self) -> tuple[int, int | None] | None:
        if self.eat("*"):
            return 0, None
        if self.eat("+"):
            return 1, None
        if self.eat("?"):
            return 0, 1
        return self.braces()

    def braces(self) -> tuple[int, int | None] | None:
        """`{n}`, `{n,}` or `{n,m}`; braces around anything else stand for themselves."""
        end = self.text.find("}", self.at)
        if not self.text.startswith("{", self.at) or end < 0:
            return None
        low, comma, high = self.text[self.at + 1 : end].partition(",")
        if not _is_number(low) or (high and not _is_number(high)):
            return None
        least = int(low)
        most = least if not comma else int(high) if high else None
        if max(least, most or 0) > REPEAT_MAX or (most is not None and most < least):
            raise BadRegex(f"a repetition count must be at most {REPEAT_MAX}, the smaller one first")
        self.at = end + 1
        return least, most

    # atoms

    def atom(self) -> Node | None:
        character = self.next()
        if character == "(":
            return self.group()
        if character == "[":
            return Characters(self.character_class())
        if character == ".":
            return Characters(ALPHABET)
        if character == "^":
            return Assertion.BEGIN
        if character == "$":
            return Assertion.END
        if character == "\\":
            return self.escape()
        return self.one(character)

    def one(self, character: str) -> Characters:
        found = frozenset(character) & ALPHABET
        return Characters(fold(found) if self.fold else found)

    def group(self) -> Node | None:
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise BadRegex(f"parentheses may be {DEPTH_MAX} deep at most")
        before = self.fold
        if self.eat("?"):
            ends_here = self.flags_or_name()
            if ends_here:
                self.depth -= 1
                return None
        node = self.choice()
        if not self.eat(")"):
            raise BadRegex("a ( has no )")
        self.fold = before
        self.depth -= 1
        return node

    def flags_or_name(self) -> bool:
        """Behind `(?`. True when only flags were set, for the rest of the enclosing group."""
        if self.eat("P<") or self.eat("<"):
            end = self.text.find(">", self.at)
            name = self.text[self.at : end] if end >= 0 else ""
            if not name or not all(character in WORD for character in name):
                raise BadRegex("the name of a group must consist of letters, digits and _")
            if name in self.names:
                raise BadRegex(f"two groups have the name {name}")
            self.names.add(name)
            self.at = end + 1
            return False
        on = True
        while True:
            character = self.next()
            if character == ":":
                return False
            if character == ")":
                return True
            if character == "-" and on:
                on = False
            elif character == "i":
                self.fold = on
            elif character not in "msU":
                raise BadRegex("lookaround and other extensions after (? are not supported")

    def escape(self) -> Node:
        character = self.next()
        if character in _ASSERTIONS:
            return _ASSERTIONS[character]
        found = self.escaped_class(character)
        if found is None:
            return self.one(self.escaped_character(character))
        return Characters(fold(found) if self.fold else found)

    def escaped_class(self, character: str) -> frozenset[str] | None:
        if character in PERL:
            return PERL[character]
        if character not in "pP":
            return None
        name = self.next()
        if name == "{":
            end = self.text.find("}", self.at)
            if end < 0:
                raise BadRegex("a \\p{ has no }")
            name, self.at = self.text[self.at : end], end + 1
        negated = (character == "P") != name.startswith("^")
        found = unicode_class(name.removeprefix("^"))
        return ALPHABET - found if negated else found

    def escaped_character(self, character: str) -> str:
        if character in _CONTROLS:
            return _CONTROLS[character]
        if character == "x":
            return self.hexadecimal()
        if character == "0" or (character in "1234567" and self.more() and self.text[self.at] in "01234567"):
            digits = character
            while self.more() and len(digits) < 3 and self.text[self.at] in "01234567":
                digits += self.next()
            return chr(int(digits, 8))
        if character in DIGITS or (character in WORD and character != "_"):
            raise BadRegex(f"\\{character} is not supported")
        return character

    def hexadecimal(self) -> str:
        if self.eat("{"):
            end = self.text.find("}", self.at)
            digits = self.text[self.at : end] if end >= 0 else ""
            self.at = end + 1
        else:
            digits = self.text[self.at : self.at + 2]
            self.at += 2
            digits = digits if len(digits) == 2 else ""
        if not digits or not set(digits) <= _HEXADECIMAL or int(digits, 16) > _LAST_CHARACTER:
            raise BadRegex("\\x must be followed by two hexadecimal digits, or more in braces")
        return chr(int(digits, 16))

    # character classes

    def character_class(self) -> frozenset[str]:
        negated = self.eat("^")
        found: frozenset[str] = frozenset()
        first = True
        while first or not self.eat("]"):
            if not self.more():
                raise BadRegex("a [ has no ]")
            first = False
            found |= self.class_item()
        if self.fold:
            found = fold(found)
        return ALPHABET - found if negated else found

    def class_item(self) -> frozenset[str]:
        end = self.text.find(":]", self.at + 1)
        if end >= 0 and self.eat("[:"):
            name = self.text[self.at : end]
            found = POSIX.get(name.removeprefix("^"))
            if found is None:
                raise BadRegex(f"[:{name}:] is not a class of characters")
            self.at = end + 2
            return ALPHABET - found if name.startswith("^") else found
        low = self.next()
        if low == "\\":
            escaped = self.next()
            found = self.escaped_class(escaped)
            if found is not None:
                return found
            low = self.escaped_character(escaped)
        if not self.text.startswith("-", self.at) or self.text.startswith("-]", self.at):
            return frozenset(low) & ALPHABET
        self.at += 1
        high = self.next()
        if high == "\\":
            high = self.escaped_character(self.next())
        if high < low:
            raise BadRegex(f"the range {low}-{high} goes backwards")
        return frozenset(character for character in ALPHABET if low <= character <= high)


def _is_number(text: str) -> bool:
    return 0 < len(text) <= 9 and text.isascii() and text.isdigit()
