"""Ctrl-C and SIGTERM for what runs on Spark: a wish that is seen between two calls of the JVM, never in one.

PySpark's own handler calls the JVM from wherever the signal struck, which may be in the middle of another call; what
comes of that is pages of stacks. A JVM that got the signal too, or that died, is told in a sentence.
"""

from __future__ import annotations

import logging
import os
import signal
import socketserver
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

INTERRUPTED = 130
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stop:
    """Whether somebody asked for the end."""

    def __init__(self) -> None:
        self.asked = False

    def __call__(self) -> bool:
        return self.asked

    def ask(self, *_: object) -> None:
        if self.asked:
            os._exit(INTERRUPTED)  # the JVM sees that nobody is there any more, and ends
        self.asked = True
        # Not by print, whose buffer may be what was interrupted.
        os.write(2, b"\nstopping after the running micro-batches; once more ends it at once\n")


def log_to(file: Path) -> None:
    """What the libraries say of broken connections goes where Spark's own words go, and not to the terminal."""
    logging.basicConfig(filename=file, force=True)

    def logged(*_: object) -> None:
        logging.exception("a request of Spark's JVM failed")

    vars_of: Any = socketserver.BaseServer
    vars_of.handle_error = logged
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def stoppable(spark: Any, log: Path) -> Iterator[Stop]:
    """Ends the session, whatever happened; an error that comes of the end itself is none."""
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]

    from tidelog.spark.pipeline.errors import PipelineError

    stop = Stop()
    before = [signal.signal(number, stop.ask) for number in SIGNALS]
    try:
        yield stop
    except (Py4JError, ConnectionError, EOFError) as error:
        if not stop.asked:
            raise PipelineError(
                f"Spark's JVM ended in the middle of its work; {log} has its last words, and the next run goes on from "
                "the checkpoint"
            ) from error
    except PipelineError:
        if not stop.asked:
            raise
    finally:
        with suppress(Exception):
            spark.stop()
        for number, handler in zip(SIGNALS, before, strict=True):
            signal.signal(number, handler)
