"""Frames come out whole and in order however the network cuts them."""

import random

import pytest

from tidelog.protocol.frames import BadFrame, FrameReader


def feed(reader: FrameReader, data: bytes, cuts: random.Random) -> None:
    position = 0
    while position < len(data):
        room = reader.get_buffer()
        size = min(len(room), len(data) - position, cuts.randint(1, 40_000))
        room[:size] = data[position : position + size]
        reader.buffer_updated(size)
        position += size


@pytest.mark.parametrize("seed", range(10))
def test_any_cutting_gives_the_same_frames(seed: int) -> None:
    chance = random.Random(seed)
    wanted = [chance.randbytes(chance.choice([4, 5, 100, 65_531, 65_532, 65_533, 200_000])) for _ in range(20)]
    found: list[bytes] = []
    stream = b"".join(len(frame).to_bytes(4, "big") + frame for frame in wanted)
    feed(FrameReader(lambda frame: found.append(bytes(frame))), stream, chance)
    assert found == wanted


@pytest.mark.parametrize("length", [b"\xff\xff\xff\xff", b"\x00\x00\x00\x00", b"HTTP", b"\x00\x00\x00\x03"])
def test_a_length_that_makes_no_sense_is_refused_before_memory_is_taken(length: bytes) -> None:
    reader = FrameReader(lambda frame: None)
    with pytest.raises(BadFrame):
        feed(reader, length + b"12345678", random.Random(0))
