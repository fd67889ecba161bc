"""Hot loops in plain Python, also compiled by Cython into `tidelog._compiled`.

The compiled form is taken when it was built and TIDELOG_PURE is not 1; both pass the same tests. Only the functions are
re-exported, so that importing a pure module by its own name never replaces the chosen one.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidelog.kernels.record_build import encode_records
    from tidelog.kernels.record_index import decode_tuples

    COMPILED: bool
else:

    def _load(name: str) -> ModuleType:
        if os.environ.get("TIDELOG_PURE") != "1":
            try:
                return import_module(f"tidelog._compiled.{name}")
            except ImportError:
                pass
        return import_module(f"tidelog.kernels.{name}")

    encode_records = _load("record_build").encode_records
    decode_tuples = _load("record_index").decode_tuples
    COMPILED = "_compiled" in decode_tuples.__module__

__all__ = ["COMPILED", "decode_tuples", "encode_records"]
