"""What happened, in order: for the person who reads a seed, and for the test that compares two runs of one."""

from __future__ import annotations

import hashlib
import logging
import traceback
import zlib

from tidelog.sim.connection import Item
from tidelog.sim.loop import SimLoop


class Story(logging.Handler):
    """Lines of simulated time, who and what. With `packets`, every arrival on the network too."""

    def __init__(self, loop: SimLoop, packets: bool = False, level: int = logging.ERROR) -> None:
        super().__init__(level)
        self._loop = loop
        self.lines: list[str] = []
        self.packets = packets
        # Errors that the code under test did not expect: each is a defect.
        self.defects: list[str] = []

    def tell(self, text: str) -> None:
        self.lines.append(f"{self._loop.time():10.4f}  {text}")

    def arrival(self, time: float, source: str, target: str, item: Item) -> None:
        what = f"{len(item)} bytes {zlib.crc32(item):08x}" if isinstance(item, bytes) else repr(item)
        self.lines.append(f"{time:10.4f}  {source} -> {target}: {what}")

    def emit(self, record: logging.LogRecord) -> None:
        who = self._loop.process.name
        text = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None and record.levelno >= logging.ERROR:
            where = "".join(traceback.format_exception(record.exc_info[1]))
            self.defects.append(f"{self._loop.time():.4f} {who}: {text}: {where}")
        self.tell(f"{who} {record.levelname.lower()} {text}")

    def digest(self) -> str:
        return hashlib.sha256("\n".join(self.lines).encode()).hexdigest()
