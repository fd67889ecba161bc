"""What becomes of a command whose reader goes away before it has said everything (`| head`): it ends, quietly.

Commands under Apache's names end with 0 then, as Apache's do. `tide` ends as Unix tools do that SIGPIPE kills.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

P = ParamSpec("P")
AS_APACHE, AS_UNIX = 0, 128 + 13


def ends_with_its_reader(code: int) -> Callable[[Callable[P, int]], Callable[P, int]]:
    """Decorates the `main` of a command. What it still has to say goes out in here, not when Python ends."""

    def decorated(main: Callable[P, int]) -> Callable[P, int]:
        @wraps(main)
        def ended(*args: P.args, **kwargs: P.kwargs) -> int:
            try:
                try:
                    return main(*args, **kwargs)
                finally:
                    sys.stdout.flush()
            except BrokenPipeError:
                _forget_output()
                return code

        return ended

    return decorated


def _forget_output() -> None:
    """The interpreter would try to write the rest, and complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
