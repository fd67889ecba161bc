"""The kernels of compaction, in the form that `tidelog.kernels` has chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidelog.kernels.clean_filter import filter_batches, filter_records, index_entries, write_records
    from tidelog.kernels.clean_map import latest_offset, list_batches, put_batches, put_records
else:
    from tidelog.kernels import _load

    _filter = _load("clean_filter")
    filter_batches = _filter.filter_batches
    filter_records = _filter.filter_records
    index_entries = _filter.index_entries
    write_records = _filter.write_records
    _map = _load("clean_map")
    latest_offset = _map.latest_offset
    list_batches = _map.list_batches
    put_batches = _map.put_batches
    put_records = _map.put_records

__all__ = [
    "filter_batches",
    "filter_records",
    "index_entries",
    "latest_offset",
    "list_batches",
    "put_batches",
    "put_records",
    "write_records",
]
