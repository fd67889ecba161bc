"""Fuzz target: arbitrary bytes into every decoder.

Each input is two bytes that pick a message and a version, then the body. The decoder must give a message or a
`DecodeError`, nothing else, and a message that it gives must survive its own bytes. Run `python fuzz/decode.py`: with
atheris installed it is guided by coverage; without, it mutates valid messages, `--runs 100000 --seed 7`.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.schema.language import Message, load_all
from tools.schema.places import python_class
from tools.schema.samples import Sampler

from tidelog.protocol.header import decode_request_header
from tidelog.protocol.primitives import DecodeError

# What a hostile peer would write over a length, a count or a tag.
EVIL = [
    b"\xff\xff\xff\xff",
    b"\x7f\xff\xff\xff",
    b"\x80\x00\x00\x00",
    b"\xff\xff",
    b"\x7f\xff",
    b"\xff\xff\xff\xff\x0f",
    b"\xff\xff\xff\xff\x07",
    b"\xff" * 11,
    b"\x00",
    b"\x01",
    b"\x80",
]


@cache
def messages() -> list[Message]:
    return load_all()


def one_input(data: bytes) -> bool:
    """Whether the input was a message; anything but a message or a DecodeError goes through to the caller."""
    if len(data) < 2:
        return False
    with suppress(DecodeError):
        decode_request_header(data[2:])
    # Nine bits pick the message, seven the version.
    message = messages()[(data[0] << 1 | data[1] >> 7) % len(messages())]
    first, last = message.versions
    version = first + (data[1] & 0x7F) % (last - first + 1)
    cls = python_class(message)
    try:
        found = cls.decode(data[2:], version)
    except DecodeError:
        return False
    again = found.encode(version)
    assert cls.decode(again, version).encode(version) == again, f"{found!r} changed in its own bytes"
    return True


def mutated(random: Random, body: bytes) -> bytes:
    data = bytearray(body)
    for _ in range(random.choice([1, 1, 2, 5])):
        at = random.randint(0, len(data))
        kind = random.randrange(5)
        if kind == 0:
            data[at : at + 4] = random.choice(EVIL)
        elif kind == 1:
            data[at:at] = random.choice(EVIL)
        elif kind == 2 and at < len(data):
            data[at] ^= 1 << random.randrange(8)
        elif kind == 3:
            del data[at : at + random.randint(1, 8)]
        else:
            data[at:at] = random.randbytes(random.randint(1, 8))
    return bytes(data)


def seed_input(random: Random) -> tuple[bytes, bytes]:
    """The two bytes that pick a message, and a valid body of it."""
    number = random.randrange(len(messages()))
    message = messages()[number]
    first, last = message.versions
    step = random.randrange(last - first + 1)
    return bytes([number >> 1, (number & 1) << 7 | step]), Sampler(random, message).instance(first + step).encode(
        first + step
    )


def run(runs: int, seed: int) -> tuple[int, int]:
    """How many mutated inputs were tried, and how many of them still were messages."""
    random = Random(seed)
    accepted = 0
    for number in range(runs):
        if number % 10 == 0:
            pick, body = seed_input(random)
        accepted += one_input(pick + mutated(random, body))
    return runs, accepted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments, rest = parser.parse_known_args()
    try:
        import atheris
    except ImportError:
        tried, accepted = run(arguments.runs, arguments.seed)
        print(f"{tried} mutated inputs, {accepted} of them still messages, the others refused")
        return
    atheris.instrument_all()
    atheris.Setup([sys.argv[0], *rest], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
