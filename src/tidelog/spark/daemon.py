"""Spark's Python daemon, with what its workers need loaded before they are forked.

Spark keeps a daemon for each kind of worker, and a streaming query starts several kinds. Each new worker would load
pyarrow, pyspark and this package again, most of a second on a busy machine. No thread may run before the fork, so
only modules that start none are loaded here. A worker collects garbage after each of its tasks; what is loaded here is
left out of that, which spares it 14 ms each time.

A query that has enough rows (`limit`, `show`) hangs up on its workers. Spark's daemon prints a traceback for each,
which says nothing to the person who sees it; here that is the quiet end of a worker.
"""

from __future__ import annotations

import gc
import os
import socket
import sys
from contextlib import suppress
from importlib import import_module

from pyspark import daemon

_WORKER = daemon.worker
MODULES = ("pyarrow", "pyarrow.compute", "pyspark.worker", "tidelog.spark.datasource")


def preload(kind: str) -> None:
    for name in (*MODULES, *([kind] if kind.startswith("pyspark") else [])):
        with suppress(ImportError):  # the worker will say what is missing
            import_module(name)
    gc.collect()
    gc.freeze()


def worker(sock: socket.socket, authenticated: bool) -> int:
    """Spark's, for one task; what to end with, 0 when another task may follow."""
    try:
        return int(_WORKER(sock, authenticated))
    except (BrokenPipeError, ConnectionResetError):
        return 1


def main() -> None:
    preload(sys.argv[1] if len(sys.argv) > 1 else "")
    os.environ["PYTHON_DAEMON_KILL_WORKER_ON_FLUSH_FAILURE"] = "1"  # raised then, where it is printed otherwise
    daemon.worker = worker
    daemon.manager()


if __name__ == "__main__":
    main()
