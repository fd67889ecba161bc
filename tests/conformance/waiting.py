"""Waiting for what a step expects, for a while."""

import time
from collections.abc import Callable
from typing import Any


def until(expected: Any, look: Callable[[], Any], patience_s: float = 40) -> Any:
    """What `look` gave at last: the expected, or something else when that never came. The caller compares."""
    deadline = time.monotonic() + patience_s
    while (found := look()) != expected and time.monotonic() < deadline:
        time.sleep(0.002)
    return found
