"""Hot loops in plain Python, also compiled by Cython into `tidelog._compiled`.

The compiled form is taken when it was built and TIDELOG_PURE is not 1; both pass the same tests. Only functions and
their error are re-exported, so that importing a pure module by its own name never replaces the chosen one.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidelog.kernels.arrow_read import (
        copy_fields,
        copy_headers,
        copy_offsets,
        copy_timestamps,
        count_headers,
        rows_between,
    )
    from tidelog.kernels.arrow_write import choose_partitions, encode_rows, order_rows
    from tidelog.kernels.batch_read import check_produced, find_batch, walk_batches
    from tidelog.kernels.commits import encode_offset_commit, parse_offset_commit
    from tidelog.kernels.groups import encode_group
    from tidelog.kernels.murmur import murmur2_hash
    from tidelog.kernels.record_build import encode_records, pack_pairs
    from tidelog.kernels.record_read import BadRecords, check_records, decode_tuples, index_records
    from tidelog.kernels.requests import parse_fetch, parse_fetch_response, parse_produce, repeated_fetch

    COMPILED: bool
else:

    def _load(name: str) -> ModuleType:
        if os.environ.get("TIDELOG_PURE") != "1":
            try:
                return import_module(f"tidelog._compiled.{name}")
            except ImportError:
                pass
        return import_module(f"tidelog.kernels.{name}")

    _arrow_read = _load("arrow_read")
    copy_fields = _arrow_read.copy_fields
    copy_headers = _arrow_read.copy_headers
    copy_offsets = _arrow_read.copy_offsets
    copy_timestamps = _arrow_read.copy_timestamps
    count_headers = _arrow_read.count_headers
    rows_between = _arrow_read.rows_between
    _arrow_write = _load("arrow_write")
    choose_partitions = _arrow_write.choose_partitions
    encode_rows = _arrow_write.encode_rows
    order_rows = _arrow_write.order_rows
    _batch_read = _load("batch_read")
    check_produced = _batch_read.check_produced
    find_batch = _batch_read.find_batch
    walk_batches = _batch_read.walk_batches
    _commits = _load("commits")
    encode_offset_commit = _commits.encode_offset_commit
    parse_offset_commit = _commits.parse_offset_commit
    _record_read = _load("record_read")
    BadRecords = _record_read.BadRecords
    check_records = _record_read.check_records
    decode_tuples = _record_read.decode_tuples
    index_records = _record_read.index_records
    encode_group = _load("groups").encode_group
    murmur2_hash = _load("murmur").murmur2_hash
    _record_build = _load("record_build")
    encode_records = _record_build.encode_records
    pack_pairs = _record_build.pack_pairs
    _requests = _load("requests")
    parse_fetch = _requests.parse_fetch
    parse_fetch_response = _requests.parse_fetch_response
    parse_produce = _requests.parse_produce
    repeated_fetch = _requests.repeated_fetch
    COMPILED = "_compiled" in _record_read.__name__

__all__ = [
    "COMPILED",
    "BadRecords",
    "check_produced",
    "check_records",
    "choose_partitions",
    "copy_fields",
    "copy_headers",
    "copy_offsets",
    "copy_timestamps",
    "count_headers",
    "decode_tuples",
    "encode_group",
    "encode_offset_commit",
    "encode_records",
    "encode_rows",
    "find_batch",
    "index_records",
    "murmur2_hash",
    "order_rows",
    "pack_pairs",
    "parse_fetch",
    "parse_fetch_response",
    "parse_offset_commit",
    "parse_produce",
    "repeated_fetch",
    "rows_between",
    "walk_batches",
]
