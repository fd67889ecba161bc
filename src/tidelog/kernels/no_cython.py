"""What the compiled kernels take from Cython and C, for the plain Python form."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

compiled = False
nogil = nullcontext()
writable = memoryview


def words_of(buf: Any) -> Any:
    return buf


numbers_of = words_of


def copy_bytes(out: memoryview, at: int, data: memoryview, start: int, size: int) -> None:
    out[at : at + size] = data[start : start + size]
