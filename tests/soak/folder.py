"""The folder of a long run: gone when the run ends well, kept and named when it does not."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def soak_folder(name: str) -> Iterator[Path]:
    """Leave the block with an exception, such as `SystemExit`, and everything stays for whoever looks for a reason."""
    folder = Path(tempfile.mkdtemp(prefix=f"tidelog-{name}-"))
    try:
        yield folder
    except BaseException:
        print(f"everything that the run wrote is in {folder}", file=sys.stderr, flush=True)
        raise
    shutil.rmtree(folder)
