"""Produced batches that are right or wrong in one place, what we answer, and where Apache's broker answers otherwise.

Apache's broker fails with UNKNOWN_SERVER_ERROR on much that cannot be read, lets pass offset deltas with gaps, and does
not look at the lengths of compressed records. A log with such a batch cannot be consumed, so we refuse it.
"""

from typing import NamedTuple

import cramjam
import lz4.frame

from support.raw_batches import NOW_MS, batch, record, varint
from tidelog.protocol.compression import Codec, compress
from tidelog.protocol.errors import ErrorCode

HOUR_MS = 3_600_000
NONE = ErrorCode.NONE
CORRUPT = ErrorCode.CORRUPT_MESSAGE
INVALID = ErrorCode.INVALID_RECORD
BAD_TIME = ErrorCode.INVALID_TIMESTAMP
FAILS = "UNKNOWN_SERVER_ERROR"
PASSES = "NONE"


class Case(NamedTuple):
    name: str
    batch: bytes
    error: ErrorCode
    topic: str = ""
    """Which kind of topic: compacted, append time, bounded (records at most 5 s old) or small (1,000 bytes a batch)."""
    bad_records: tuple[int, ...] = ()
    apache: str | None = None
    """Apache's answer where it is another."""


THREE = record(0) + record(1) + record(2)
ROOM = 49 + len(THREE)


def _frames() -> list[Case]:
    good = batch(THREE, 3)
    return [
        Case("good", good, NONE),
        Case("nothing", b"", INVALID),
        Case("10 bytes", good[:10], INVALID),
        Case("30 bytes", good[:30], INVALID),
        Case("header cut off", good[:60], INVALID),
        Case("last byte missing", good[:-1], INVALID),
        Case("one byte more", good + b"x", INVALID, apache=PASSES),
        Case("20 zeros more", good + bytes(20), INVALID, apache="CORRUPT_MESSAGE"),
        Case("two batches", good + good, INVALID),
        Case("bad checksum", batch(THREE, 3, crc=1), CORRUPT),
        *(Case(f"magic {magic}", batch(THREE, 3, magic=magic), INVALID) for magic in (0, 1)),
        *(Case(f"magic {magic}", batch(THREE, 3, magic=magic), CORRUPT) for magic in (3, -1)),
        Case("length one less", batch(THREE, 3, batch_length=ROOM - 1), CORRUPT),
        Case("length one more", batch(THREE, 3, batch_length=ROOM + 1), INVALID),
        *(Case(f"length {length}", batch(THREE, 3, batch_length=length), CORRUPT) for length in (-5, 0, 13, 14, 48)),
        Case("length huge", batch(THREE, 3, batch_length=2**31 - 1), INVALID, apache=FAILS),
        *(Case(f"base offset {offset}", batch(THREE, 3, base_offset=offset), INVALID) for offset in (5, -1)),
        Case("no records", batch(b"", 0, last_offset_delta=0), INVALID),
        Case("no records, delta -1", batch(b"", 0), INVALID),
        Case("too large", batch(record(value=bytes(2000)), 1), ErrorCode.MESSAGE_TOO_LARGE, "small"),
    ]


def _headers() -> list[Case]:
    marker = record(key=b"\0\0\0\1", value=bytes(6))
    return [
        Case("count 2, delta 2", batch(THREE, 3, records_count=2), INVALID),
        Case("count 4, delta 2", batch(THREE, 3, records_count=4), INVALID),
        Case("count -1", batch(THREE, 3, records_count=-1), INVALID),
        Case("count 0", batch(THREE, 3, records_count=0), INVALID),
        Case("last delta 5", batch(THREE, 3, last_offset_delta=5), INVALID),
        Case("last delta -7", batch(THREE, 3, last_offset_delta=-7), INVALID),
        Case("control batch", batch(marker, 1, attributes=0x20), INVALID),
        Case("marker", batch(marker, 1, attributes=0x30, producer_id=1, producer_epoch=0), INVALID),
        Case("producer without sequence", batch(THREE, 3, producer_id=5, producer_epoch=0), INVALID),
        Case("sequence -5", batch(THREE, 3, producer_id=6, producer_epoch=0, base_sequence=-5), INVALID),
        Case("sequence without producer", batch(THREE, 3, base_sequence=4), NONE),
        Case("producer -2", batch(THREE, 3, producer_id=-2, producer_epoch=0, base_sequence=0), NONE),
        Case("bits above the known ones", batch(THREE, 3, attributes=0x4080), NONE),
        Case("delete horizon", batch(THREE, 3, attributes=0x40), NONE),
        Case("append time bit", batch(THREE, 3, attributes=8), NONE),
        Case("append time bit twice", batch(THREE, 3, attributes=8), BAD_TIME, "append time", (0, 1, 2)),
        *(
            Case(
                f"codec {codec}",
                batch(THREE, 3, attributes=codec),
                ErrorCode.UNSUPPORTED_COMPRESSION_TYPE,
                apache=FAILS,
            )
            for codec in (5, 6, 7)
        ),
    ]


def _bodies() -> list[tuple[str, bytes, int, ErrorCode, str | None, str | None]]:
    """Name, body, count, our answer, Apache's for it uncompressed and compressed (None: the same)."""
    long_varint = b"\x80" * 9 + b"\x01"
    return [
        ("count 2 of 3", THREE, 2, INVALID, None, None),
        ("count 4 of 3", THREE, 4, INVALID, None, None),
        ("count huge", THREE, 2**31 - 1, INVALID, None, None),
        ("deltas 0 2 1", record(0) + record(2) + record(1), 3, INVALID, PASSES, FAILS),
        ("deltas 1 2 3", record(1) + record(2) + record(3), 3, INVALID, PASSES, FAILS),
        ("deltas 0 0", record(0) + record(0), 2, INVALID, PASSES, FAILS),
        ("delta -1", record(-1), 1, INVALID, PASSES, FAILS),
        ("one byte left over", THREE + b"\0", 3, INVALID, None, None),
        ("bytes left over", THREE + b"abcdefgh", 3, INVALID, None, None),
        ("attributes set", record(attributes=7), 1, NONE, None, None),
        ("record length 0", b"\0", 1, INVALID, None, None),
        ("record length -1", record(length=-1), 1, INVALID, None, PASSES),
        ("record length huge", record(length=2**31 - 1), 1, INVALID, None, PASSES),
        ("record length one more", record(length=9), 1, INVALID, None, PASSES),
        ("record length one less", record(length=7), 1, INVALID, None, PASSES),
        ("record length 2", record(length=2), 1, INVALID, None, PASSES),
        ("record length in 5 bytes", record(length=b"\x90\x80\x80\x80\x00"), 1, NONE, None, None),
        ("record length with bits too high", record(length=b"\x90\x80\x80\x80\x70"), 1, NONE, None, None),
        ("record length in 6 bytes", record(length=b"\x90\x80\x80\x80\x80\x00"), 1, INVALID, FAILS, None),
        ("record length cut off", b"\x8e\x80", 1, INVALID, None, None),
        ("key past the end", record(key_length=100), 1, INVALID, None, None),
        ("key huge", record(key_length=2**31 - 1), 1, INVALID, None, None),
        ("key -2", record(key=b"", key_length=-2), 1, NONE, None, None),
        ("value past the end", record(value_length=100), 1, INVALID, None, None),
        ("value huge", record(value_length=2**31 - 1), 1, INVALID, None, None),
        ("value -2", record(value=b"", value_length=-2), 1, NONE, None, None),
        ("value reaches into the next", record(value_length=2) + record(1), 2, INVALID, None, None),
        ("header count -1", record(header_count=-1), 1, INVALID, None, None),
        ("header count huge", record(header_count=2**31 - 1), 1, INVALID, None, None),
        ("header count 1 of 0", record(header_count=1), 1, INVALID, None, None),
        ("header count 0 of 1", record(headers=[(b"a", b"b")], header_count=0), 1, INVALID, None, None),
        ("header count 2 of 1", record(headers=[(b"a", b"b")], header_count=2), 1, INVALID, None, None),
        ("header count 1 of 2", record(headers=[(b"a", b"b")] * 2, header_count=1), 1, INVALID, None, None),
        ("header key null", record(headers=[(None, b"b")]), 1, INVALID, None, None),
        ("header key -2", record(header_count=1, tail=varint(-2) + varint(0)), 1, INVALID, None, None),
        ("header key past the end", record(header_count=1, tail=varint(50) + b"abc"), 1, INVALID, None, None),
        ("header key empty", record(headers=[(b"", b"b")]), 1, NONE, None, None),
        ("header key no text", record(headers=[(b"\xff\xfe", b"b")]), 1, NONE, None, None),
        ("header value null", record(headers=[(b"a", None)]), 1, NONE, None, None),
        ("header value -2", record(header_count=1, tail=b"\x02a" + varint(-2)), 1, NONE, None, None),
        ("header value past the end", record(header_count=1, tail=b"\x02a" + varint(50)), 1, INVALID, None, None),
        ("bytes behind the headers", record(tail=b"zz"), 1, INVALID, None, None),
        ("null key and value", record(key=None, value=None), 1, NONE, None, None),
        ("timestamp delta in 11 bytes", record(timestamp_varint=b"\x80" + long_varint), 1, INVALID, None, None),
        ("timestamp delta in 10 bytes", record(timestamp_varint=long_varint), 1, BAD_TIME, None, None),
        ("timestamp overflows", record(timestamp_delta=2**63 - 1), 1, BAD_TIME, None, None),
        # One before the oldest that is allowed by default, where Apache's subtraction overflows.
        ("timestamp too low by one", record(timestamp_delta=-(2**63)), 1, BAD_TIME, PASSES, PASSES),
    ]


def _contents(codec: Codec) -> list[Case]:
    """What depends on the topic's settings."""

    def made(body: bytes, count: int, **changed: int) -> bytes:
        return batch(compress(codec, body), count, attributes=codec, **changed)

    keyless = record(0) + record(1, key=None) + record(2, key=None)
    late = {"max_timestamp": NOW_MS + 2 * HOUR_MS}
    both = record(0, 2 * HOUR_MS, key=None) + record(1, key=None)
    cases = [
        Case("no key", made(record(key=None), 1), NONE),
        Case("no key, compacted", made(record(key=None), 1), INVALID, "compacted", (0,)),
        Case("some without key, compacted", made(keyless, 3), INVALID, "compacted", (1, 2)),
        Case("empty key, compacted", made(record(key=b""), 1), NONE, "compacted"),
        Case("no key comes before a late time", made(both, 2, **late), INVALID, "compacted", (0, 1)),
        Case("two hours ahead", made(record(0, 2 * HOUR_MS), 1, **late), BAD_TIME, "", (0,)),
        Case("second two hours ahead", made(record(0) + record(1, 2 * HOUR_MS), 2, **late), BAD_TIME, "", (1,)),
        Case("two hours ahead, header lies", made(record(0, 2 * HOUR_MS), 1), BAD_TIME, "", (0,)),
        Case("header lies the other way", made(record(), 1, **late), NONE),
        Case("no timestamp", made(record(), 1, base_timestamp=-1, max_timestamp=-1), NONE, "bounded"),
        Case("timestamp -5", made(record(), 1, base_timestamp=-5, max_timestamp=-5), NONE),
        Case("lowest timestamp", made(record(), 1, base_timestamp=-(2**63), max_timestamp=0), BAD_TIME, "", (0,)),
        Case("highest timestamp", made(record(), 1, base_timestamp=2**63 - 1, max_timestamp=0), BAD_TIME, "", (0,)),
        Case("too old", made(record(0, -10_000) + record(1), 2), BAD_TIME, "bounded", (0,)),
        Case("any time where it is replaced", made(record(0, 10**9), 1), NONE, "append time"),
    ]
    return [case._replace(name=f"{case.name}, {codec.name.lower()}") for case in cases]


def _compressed(codec: Codec) -> list[Case]:
    """Bytes that are not what the codec says."""

    def made(body: bytes, count: int = 3) -> bytes:
        return batch(body, count, attributes=codec)

    other = Codec(codec % 4 + 1)
    two_streams = compress(codec, record(0)) + compress(codec, record(1))
    tail_passes = PASSES if codec in (Codec.GZIP, Codec.LZ4) else FAILS
    cases = [
        Case("good", made(compress(codec, THREE)), NONE),
        Case("garbage", made(b"\x93garbage bytes here"), INVALID, apache=FAILS),
        Case("nothing", made(b""), INVALID, apache=None if codec is Codec.ZSTD else FAILS),
        Case("cut off", made(compress(codec, THREE * 200)[:-9], 600), INVALID, apache=FAILS),
        Case("garbage at the end", made(compress(codec, THREE) + b"xyzw123"), INVALID, apache=tail_passes),
        Case("another codec", made(compress(other, THREE)), INVALID, apache=FAILS),
        Case("not compressed", made(THREE), INVALID, apache=FAILS),
        Case("two streams", made(two_streams, 2), INVALID if codec is Codec.LZ4 else NONE),
    ]
    return [case._replace(name=f"{case.name}, {codec.name.lower()}") for case in cases]


def _framings() -> list[Case]:
    long = b"".join(record(index, value=b"x%d" % index * 20) for index in range(3000))

    def made(codec: Codec, body: bytes, count: int = 3) -> bytes:
        return batch(body, count, attributes=codec)

    checked = lz4.frame.compress(THREE, block_linked=False, block_checksum=True, content_checksum=True)
    linked = lz4.frame.compress(long, block_linked=True)
    return [
        Case("bare snappy", made(Codec.SNAPPY, bytes(cramjam.snappy.compress_raw(THREE))), NONE),
        Case("framed snappy", made(Codec.SNAPPY, bytes(cramjam.snappy.compress(THREE))), INVALID, apache=FAILS),
        Case("lz4 with checksums", made(Codec.LZ4, checked), NONE),
        Case("lz4 with linked blocks", made(Codec.LZ4, linked, 3000), INVALID, apache=FAILS),
        *(Case(f"long {codec.name}", made(codec, compress(codec, long), 3000), NONE) for codec in list(Codec)[1:]),
    ]


def _in_both_forms() -> list[Case]:
    found = []
    for name, body, count, error, plain, compressed in _bodies():
        bad = (0,) if error is BAD_TIME else ()
        found.append(Case(name, batch(body, count), error, "", bad, plain))
        squeezed = batch(compress(Codec.ZSTD, body), count, attributes=Codec.ZSTD)
        found.append(Case(f"{name}, zstd", squeezed, error, "", bad, compressed))
    return found


CASES = [
    *_frames(),
    *_headers(),
    *_in_both_forms(),
    *_contents(Codec.NONE),
    *_contents(Codec.LZ4),
    *(case for codec in list(Codec)[1:] for case in _compressed(codec)),
    *_framings(),
]
