"""Spark's Python daemon, with what its workers need loaded before they are forked.

Spark keeps a daemon for each kind of worker, and a streaming query starts several kinds. Each new worker would load
pyarrow, pyspark and this package again, most of a second on a busy machine. No thread may run before the fork, so
only modules that start none are loaded here. A worker collects garbage after each of its tasks; what is loaded here is
left out of that, which spares it 14 ms each time.
"""

from __future__ import annotations

import gc
import sys
from contextlib import suppress
from importlib import import_module

MODULES = ("pyarrow", "pyarrow.compute", "pyspark.worker", "tidelog.spark.datasource")


def preload(kind: str) -> None:
    for name in (*MODULES, *([kind] if kind.startswith("pyspark") else [])):
        with suppress(ImportError):  # the worker will say what is missing
            import_module(name)
    gc.collect()
    gc.freeze()


def main() -> None:
    from pyspark.daemon import manager

    preload(sys.argv[1] if len(sys.argv) > 1 else "")
    manager()


if __name__ == "__main__":
    main()
