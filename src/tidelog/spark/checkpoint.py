"""What the sink reads of a query's checkpoint: who the query is, and how far its sources are read by a batch."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlparse

from tidelog.client.errors import ClientError
from tidelog.spark.positions import ABOUT, Position


def local_folder(location: str) -> Path | None:
    """The checkpoint's folder when this machine has it."""
    found = urlparse(location)
    if found.scheme not in ("", "file") or not location:
        return None
    return Path(unquote(found.path))


def query_id(location: str) -> str:
    """The id that Spark gave the query, which stays the same when it is started again; empty when unknown."""
    folder = local_folder(location)
    with suppress(OSError, ValueError, KeyError, TypeError):
        if folder is not None:
            return str(json.loads((folder / "metadata").read_text())["id"])
    return ""


def source_positions(location: str, batch: int) -> list[Position]:
    """Where the sources of format("tidelog") stand after a batch; nothing when the checkpoint is elsewhere."""
    folder = local_folder(location)
    if folder is None:
        return []
    try:
        lines = (folder / "offsets" / str(batch)).read_text().splitlines()[2:]
    except OSError:
        return []
    found = []
    for line in lines:
        with suppress(ValueError, ClientError, AttributeError, TypeError):
            offset = json.loads(line)
            if ABOUT in offset:
                found.append(Position.from_json(offset))
    return [position for position in found if position.group]
