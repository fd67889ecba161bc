"""A progress bar on a terminal; one line per step elsewhere."""

import sys
import time


class Progress:
    """Counts seconds of expected work, which is all that a bar of benchmarks can know."""

    def __init__(self, expected_s: float, quiet: bool = False) -> None:
        self._expected_s = max(expected_s, 1.0)
        self._done_s = 0.0
        self._started = time.monotonic()
        self._terminal = sys.stderr.isatty()
        self._quiet = quiet

    def step(self, label: str, seconds: float = 0.0) -> None:
        """Say what begins now; `seconds` of the expected work are behind us."""
        self._done_s += seconds
        if self._quiet:
            return
        elapsed_s = time.monotonic() - self._started
        share = min(self._done_s / self._expected_s, 1.0)
        if self._terminal:
            bar = "█" * round(share * 24)
            sys.stderr.write(f"\r\x1b[2K{bar:·<24} {share:4.0%} {elapsed_s:4.0f} s  {label}")
        else:
            sys.stderr.write(f"{share:4.0%} {elapsed_s:4.0f} s  {label}\n")
        sys.stderr.flush()

    def close(self) -> None:
        if self._terminal and not self._quiet:
            sys.stderr.write("\r\x1b[2K")
