"""A query's position as Spark keeps it in the checkpoint: JSON of offsets, with topic ids and the group beside them.

`{"clicks": {"0": 23, "1": 7}, "@": {"group": "spark-clicks", "ids": {"clicks": "…"}, "lost": 0}}`: no topic can be
called `@`. Equal positions give equal text, which is how Spark sees that nothing has arrived.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tidelog.client.blocking_offsets import TopicPartition
from tidelog.model.uuids import from_text, to_text
from tidelog.spark.options import OptionError

ABOUT = "@"


class Position(NamedTuple):
    offsets: dict[TopicPartition, int]
    ids: dict[str, bytes]
    group: str = ""
    lost: int = 0

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for (topic, partition), offset in sorted(self.offsets.items()):
            found.setdefault(topic, {})[str(partition)] = offset
        ids = {topic: to_text(value) for topic, value in sorted(self.ids.items())}
        found[ABOUT] = {"group": self.group, "ids": ids, "lost": self.lost}
        return found

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Position:
        try:
            about = found.get(ABOUT, {})
            offsets = {
                (topic, int(part)): int(offset)
                for topic, rows in found.items()
                if topic != ABOUT
                for part, offset in rows.items()
            }
            ids = {topic: from_text(text) for topic, text in about.get("ids", {}).items()}
            return cls(offsets, ids, str(about.get("group", "")), int(about.get("lost", 0)))
        except (AttributeError, TypeError, ValueError):
            raise OptionError(
                "The checkpoint was not written by format('tidelog'); give this query a checkpointLocation of its own"
            ) from None
