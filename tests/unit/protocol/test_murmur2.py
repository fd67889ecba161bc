"""Vectors computed with Java's producer."""

import pytest
from aiokafka.partitioner import murmur2 as theirs

from support.kernels import BOTH, use_kernels
from tidelog.protocol.murmur2 import murmur2, partition_for_key

VECTORS = {
    b"": 275646681,
    b"21": -973932308,
    b"foobar": -790332482,
    b"a-little-bit-long-string": -985981536,
    b"a-little-bit-longer-string": -1486304829,
    b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971,
    b"abc": 479470107,
}


@pytest.fixture(params=BOTH, autouse=True)
def _kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    use_kernels(monkeypatch, request.param)


@pytest.mark.parametrize("key", list(VECTORS))
def test_java_results(key: bytes) -> None:
    assert murmur2(key) == VECTORS[key]


def test_partition_of_a_negative_hash_loses_the_sign_bit() -> None:
    assert partition_for_key(b"foobar", 10) == (-790332482 & 0x7FFFFFFF) % 10


@pytest.mark.parametrize("length", range(40))
def test_every_length_agrees_with_aiokafka(length: int) -> None:
    key = bytes((255 - 7 * index) % 256 for index in range(length))
    assert murmur2(key) & 0xFFFFFFFF == theirs(key) & 0xFFFFFFFF
