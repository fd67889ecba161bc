"""Bytes to text, by the names of Java's deserializers and of the dump tool's decoders."""

from __future__ import annotations

import struct
from collections.abc import Callable

from tidelog.cli.tool import Failure

Show = Callable[[bytes], bytes]


def _number(layout: str, name: str) -> Show:
    format_ = struct.Struct(layout)

    def show(data: bytes) -> bytes:
        if len(data) != format_.size:
            raise Failure(f"Size of data received by {name}Deserializer is not {format_.size}")
        (value,) = format_.unpack(data)
        return java_float(value, layout).encode() if isinstance(value, float) else str(value).encode()

    return show


def java_float(value: float, layout: str = ">d") -> str:
    """A float or double as Java prints it: 1.0, 1.0E10, NaN."""
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    if layout.endswith("f"):
        value = _shortest_float32(value)
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value)
    from decimal import Decimal

    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    head, *rest = map(str, digits)
    mantissa = f"{'-' if sign else ''}{head}.{''.join(rest) or '0'}"
    return f"{mantissa}E{int(exponent) + len(digits) - 1}"


def _shortest_float32(value: float) -> float:
    """The double with the fewest digits that is the same 32-bit float."""
    wanted = struct.pack(">f", value)
    candidates = (float(f"{value:.{precision}g}") for precision in range(1, 10))
    return next((each for each in candidates if struct.pack(">f", each) == wanted), value)


def _boolean(data: bytes) -> bytes:
    if data not in (b"\x00", b"\x01"):
        raise Failure("Size of data received by BooleanDeserializer is not 1")
    return b"true" if data == b"\x01" else b"false"


def _text(data: bytes) -> bytes:
    return data.decode("utf-8", "replace").encode()


_BY_NAME: dict[str, Show] = {
    "String": _text,
    "Long": _number(">q", "Long"),
    "Integer": _number(">i", "Integer"),
    "Short": _number(">h", "Short"),
    "Float": _number(">f", "Float"),
    "Double": _number(">d", "Double"),
    "Boolean": _boolean,
    "UUID": lambda data: data,
    "ByteArray": lambda data: data,
    "Bytes": lambda data: data,
    "ByteBuffer": lambda data: data,
}


def deserializer(class_name: str) -> Show:
    """The deserializer that a Java class name (or its short form) stands for."""
    short = class_name.rpartition(".")[2]
    found = _BY_NAME.get(short.removesuffix("Deserializer").removesuffix("Decoder"))
    if found is None:
        known = ", ".join(f"{name}Deserializer" for name in _BY_NAME)
        raise Failure(f"There is no deserializer '{class_name}' here; use one of {known}")
    return found
