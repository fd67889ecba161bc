"""The four codecs: framings that everybody reads, levels, corrupt data and bombs."""

import gzip
import os
import random
import struct
import subprocess
import sys
import zlib

import cramjam
import lz4.frame
import pytest
import zstandard

from tidelog.protocol import compression
from tidelog.protocol.compression import Codec, DecompressionFailed, DecompressionTooLarge, compress, decompress

COMPRESSED = [Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD]
TEXT = b"".join(b"line %d of some text, " % number for number in range(20_000))
SAMPLES = {
    "empty": b"",
    "one byte": b"x",
    "text": TEXT,
    "random": os.urandom(200_000),
    "zeros": bytes(300_000),
    "one block of 64 KB": TEXT[:65536],
    "one byte more than a block": TEXT[:65537],
}


@pytest.mark.parametrize("codec", list(Codec))
@pytest.mark.parametrize("name", list(SAMPLES))
def test_round_trip(codec: Codec, name: str) -> None:
    data = SAMPLES[name]
    assert decompress(codec, compress(codec, data), max(1, len(data))) == data
    assert decompress(codec, memoryview(compress(codec, memoryview(data))), len(data) + 1, strict=True) == data


@pytest.mark.parametrize(
    ("codec", "level"),
    [(codec, level) for codec, bounds in compression.LEVELS.items() for level in bounds] + [(Codec.ZSTD, -7)],
)
def test_levels(codec: Codec, level: int) -> None:
    assert decompress(codec, compress(codec, TEXT[:70_000], level), 70_000) == TEXT[:70_000]


@pytest.mark.parametrize(("codec", "low", "high"), [(Codec.GZIP, 1, 9), (Codec.LZ4, 9, 12), (Codec.ZSTD, 1, 19)])
def test_a_higher_level_packs_tighter(codec: Codec, low: int, high: int) -> None:
    chooser = random.Random(1)
    words = [bytes(chooser.choices(b"abcdefghij", k=5)) for _ in range(500)]
    data = b" ".join(chooser.choices(words, k=8_000))
    assert len(compress(codec, data, high)) < len(compress(codec, data, low))


def test_others_read_what_we_write() -> None:
    assert gzip.decompress(compress(Codec.GZIP, TEXT)) == TEXT
    assert lz4.frame.decompress(compress(Codec.LZ4, TEXT)) == TEXT
    assert zstandard.ZstdDecompressor().decompress(compress(Codec.ZSTD, TEXT)) == TEXT


def test_lz4_frames_have_independent_blocks_for_java() -> None:
    info = lz4.frame.get_frame_info(compress(Codec.LZ4, TEXT))
    assert not info["block_linked"]
    assert info["block_size"] == 65536


def test_snappy_is_framed_in_blocks_of_32_kb() -> None:
    packed = compress(Codec.SNAPPY, bytes(100_000))
    assert packed[:16] == b"\x82SNAPPY\x00" + struct.pack(">ii", 1, 1)
    position, blocks = 16, []
    while position < len(packed):
        (length,) = struct.unpack_from(">i", packed, position)
        blocks.append(len(cramjam.snappy.decompress_raw(packed[position + 4 : position + 4 + length])))
        position += 4 + length
    assert blocks == [32768, 32768, 32768, 100_000 - 3 * 32768]


def zstd_without_size(data: bytes) -> bytes:
    stream = zstandard.ZstdCompressor(level=3).compressobj()
    return stream.compress(data) + stream.flush()


FOREIGN = {
    "bare snappy block": (Codec.SNAPPY, bytes(cramjam.snappy.compress_raw(TEXT)), TEXT),
    "two xerial streams": (Codec.SNAPPY, compress(Codec.SNAPPY, b"one") + compress(Codec.SNAPPY, b"two"), b"onetwo"),
    "two gzip members": (Codec.GZIP, gzip.compress(b"one") + gzip.compress(b"two"), b"onetwo"),
    "two zstd frames": (Codec.ZSTD, zstd_without_size(b"one") + compress(Codec.ZSTD, b"two"), b"onetwo"),
    "zstd without a size": (Codec.ZSTD, zstd_without_size(TEXT), TEXT),
    "zstd, far more than guessed": (Codec.ZSTD, zstd_without_size(bytes(5_000_000)), bytes(5_000_000)),
    "zstd behind a frame to skip": (Codec.ZSTD, b"\x50\x2a\x4d\x18\x02\0\0\0ab" + zstd_without_size(TEXT), TEXT),
    "lz4 with everything": (
        Codec.LZ4,
        lz4.frame.compress(
            TEXT, block_linked=False, block_checksum=True, content_checksum=True, store_size=True, block_size=7
        ),
        TEXT,
    ),
}


@pytest.mark.parametrize("name", list(FOREIGN))
def test_reads_what_others_write(name: str) -> None:
    codec, packed, data = FOREIGN[name]
    assert decompress(codec, packed, len(data), strict=True) == data


LINKED = {
    "linked blocks": lz4.frame.compress(TEXT, block_linked=True),
    "two frames": compress(Codec.LZ4, TEXT[:5]) + compress(Codec.LZ4, TEXT[5:]),
}


@pytest.mark.parametrize("name", list(LINKED))
def test_lz4_that_java_cannot_read_is_read_but_not_stored(name: str) -> None:
    assert decompress(Codec.LZ4, LINKED[name], len(TEXT)) == TEXT
    with pytest.raises(DecompressionFailed, match="Java"):
        decompress(Codec.LZ4, LINKED[name], len(TEXT), strict=True)


@pytest.mark.parametrize("codec", COMPRESSED)
def test_the_bound_is_exact(codec: Codec) -> None:
    packed = compress(codec, TEXT)
    assert decompress(codec, packed, len(TEXT)) == TEXT
    with pytest.raises(DecompressionTooLarge):
        decompress(codec, packed, len(TEXT) - 1)
    with pytest.raises(DecompressionTooLarge):
        decompress(codec, packed, 0)


@pytest.mark.parametrize("packed", [zstd_without_size(TEXT), LINKED["linked blocks"]], ids=["zstd", "lz4"])
def test_the_bound_is_exact_where_no_size_is_declared(packed: bytes) -> None:
    codec = Codec.ZSTD if packed[0] == 0x28 else Codec.LZ4
    assert decompress(codec, packed, len(TEXT)) == TEXT
    with pytest.raises(DecompressionTooLarge):
        decompress(codec, packed, len(TEXT) - 1)


def test_uncompressed_data_is_bounded_too() -> None:
    with pytest.raises(DecompressionTooLarge):
        decompress(Codec.NONE, b"abc", 2)


@pytest.mark.parametrize("codec", COMPRESSED)
def test_every_truncation_is_refused(codec: Codec) -> None:
    packed = compress(codec, TEXT[:3000])
    for length in range(len(packed)):
        if codec is Codec.ZSTD and length == 0:
            assert decompress(codec, b"", 10) == b""  # no frame at all is the empty stream, as with Java
            continue
        if codec is Codec.SNAPPY and length == 16:
            continue  # a header and no block is an empty stream
        with pytest.raises(DecompressionFailed):
            decompress(codec, packed[:length], 10_000)


@pytest.mark.parametrize("codec", COMPRESSED)
def test_garbage_behind_the_end_is_refused(codec: Codec) -> None:
    with pytest.raises(DecompressionFailed):
        decompress(codec, compress(codec, TEXT) + b"garbage", len(TEXT), strict=True)


@pytest.mark.parametrize("codec", COMPRESSED)
@pytest.mark.parametrize("data", [b"\0", b"\xff" * 100, b"not compressed at all", bytes(64)])
def test_garbage_is_refused(codec: Codec, data: bytes) -> None:
    if codec is Codec.SNAPPY and data == b"\0":
        assert decompress(codec, data, 10) == b""  # a bare block of nothing
        return
    with pytest.raises(DecompressionFailed):
        decompress(codec, data, 1_000_000)


@pytest.mark.parametrize("codec", [5, 6, 7, -1])
def test_an_unknown_codec_is_refused(codec: int) -> None:
    with pytest.raises(DecompressionFailed, match="does not exist"):
        decompress(codec, b"x", 10)


CRUMBS = {
    Codec.SNAPPY: compress(Codec.SNAPPY, b"")[:16] + (struct.pack(">i", 1) + b"\0") * 200_000,
    Codec.LZ4: compress(Codec.LZ4, b"")[:7] + struct.pack("<I", 0x80000001) + b"x",
    Codec.GZIP: gzip.compress(b"") * 50_000,
}
CRUMBS[Codec.LZ4] = compress(Codec.LZ4, b"")[:7] + (struct.pack("<I", 0x80000001) + b"x") * 200_000 + bytes(4)


@pytest.mark.parametrize("codec", list(CRUMBS))
def test_data_in_crumbs_is_refused_before_it_costs_much(codec: Codec) -> None:
    with pytest.raises(DecompressionFailed, match="far too many"):
        decompress(codec, CRUMBS[codec], 100_000_000)


def test_gzip_is_read_without_isal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "inflating_zlib", zlib)
    assert decompress(Codec.GZIP, compress(Codec.GZIP, TEXT), len(TEXT)) == TEXT
    with pytest.raises(DecompressionTooLarge):
        decompress(Codec.GZIP, compress(Codec.GZIP, TEXT), len(TEXT) - 1)
    with pytest.raises(DecompressionFailed):
        decompress(Codec.GZIP, b"\x1f\x8bnonsense", 10)


BOMBS = """
import resource, struct, sys
from tidelog.protocol.compression import *
import zlib, zstandard, cramjam, lz4.block
BOUND = 4_000_000
MEGABYTE = bytes(1_000_000)
def stream(made):
    return b"".join([made.compress(MEGABYTE) for _ in range(100)]) + made.flush()
def lz4_bomb():
    block = lz4.block.compress(bytes(4_194_304), store_size=False)
    return b"\\x04\\x22\\x4d\\x18\\x60\\x70\\x73" + (struct.pack("<I", len(block)) + block) * 25 + bytes(4)
def snappy_bomb():
    block = bytes(cramjam.snappy.compress_raw(MEGABYTE))
    return compress(Codec.SNAPPY, b"")[:16] + (struct.pack(">i", len(block)) + block) * 100
codec = Codec[sys.argv[1]]
bombs = {
    Codec.GZIP: lambda: [stream(zlib.compressobj(9, zlib.DEFLATED, 31))],
    Codec.LZ4: lambda: [lz4_bomb()],
    Codec.SNAPPY: lambda: [snappy_bomb(), b"\\xff\\xff\\xff\\xff\\x0f" + bytes(100)],
    Codec.ZSTD: lambda: [
        stream(zstandard.ZstdCompressor().compressobj()),
        zstandard.ZstdCompressor().compress(bytes(100_000_000)),
        b"\\x28\\xb5\\x2f\\xfd\\xe0" + struct.pack("<Q", 2**62) + b"\\x01\\0\\0",
    ],
}[codec]()
assert max(map(len, bombs)) < 5_000_000
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 48_000_000, used + 48_000_000))
for bomb in bombs:
    try:
        decompress(codec, bomb, BOUND)
    except DecompressionTooLarge:
        continue
    sys.exit("it inflated")
"""


@pytest.mark.parametrize("codec", COMPRESSED)
def test_a_bomb_costs_the_bound_and_not_more(codec: Codec) -> None:
    """In a process of its own, with less address space left than half of the inflated bomb."""
    command = [sys.executable, "-c", BOMBS, codec.name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
