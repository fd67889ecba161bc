"""Where everything that tests download or build is kept, and how two test processes agree on who makes it."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


def home() -> Path:
    """The cache: TIDELOG_PEER_HOME, or a folder of the user's cache directory."""
    chosen = os.environ.get("TIDELOG_PEER_HOME")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = Path(chosen) if chosen else cache / "tidelog" / "peer"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Hold a lock among all processes that share the cache."""
    with (home() / f"{name}.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def once(name: str, build: Callable[[Path], None]) -> Path:
    """The cached folder `name`, made by `build` the first time. A build that fails leaves no marker and runs again."""
    folder = home() / name
    marker = folder / ".complete"
    if marker.exists():
        return folder
    with locked(name):
        if not marker.exists():
            folder.mkdir(parents=True, exist_ok=True)
            build(folder)
            marker.touch()
    return folder
