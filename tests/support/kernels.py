"""Runs a test with the plain and with the compiled kernels."""

from importlib import import_module

import pytest

from tidelog import kernels

BOTH = ["pure", "compiled"]
_MODULES = {
    "arrow_read": [
        "copy_fields",
        "copy_headers",
        "copy_offsets",
        "copy_timestamps",
        "count_headers",
        "rows_between",
    ],
    "arrow_write": ["choose_partitions", "encode_rows", "order_rows"],
    "batch_read": ["check_produced", "find_batch", "walk_batches"],
    "murmur": ["murmur2_hash"],
    "record_build": ["encode_records"],
    "record_read": ["BadRecords", "check_records", "decode_tuples", "index_records"],
}


def use_kernels(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    """Puts one form behind `tidelog.kernels`; skips the test when the compiled one was not built."""
    package = "tidelog.kernels" if form == "pure" else "tidelog._compiled"
    for module, names in _MODULES.items():
        try:
            found = import_module(f"{package}.{module}")
        except ImportError:
            pytest.skip("the compiled kernels are not built; install a C compiler and run ./dev again")
        for name in names:
            monkeypatch.setattr(kernels, name, getattr(found, name))
