"""Options that a declaration hands on to the source or the sink: their names are checked when the file is loaded."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from tidelog.spark.options import SINK_OPTIONS, SOURCE_OPTIONS, advice
from tidelog.spark.pipeline.errors import PipelineError

_STARTS = {name for name in SOURCE_OPTIONS if name.startswith("starting")}
_ENDS = {name for name in SOURCE_OPTIONS if name.startswith("ending")}
_SAID_BY_THE_PIPELINE = {"subscribe", "subscribePattern", "assign", "groupIdPrefix"}
_LIVE_ONLY = {name.lower() for name in SOURCE_OPTIONS if name.endswith("PerTrigger")} | {"maxtriggerdelay"}
STREAM_OPTIONS = SOURCE_OPTIONS - _ENDS - _SAID_BY_THE_PIPELINE
TABLE_OPTIONS = STREAM_OPTIONS - _STARTS - {"includeHeaders"}
"""A table is read from its beginning, or entries would be missing."""
TOPIC_OPTIONS = SINK_OPTIONS - {"topic", "includeHeaders", "transactionalIdPrefix"}
LAKE_OPTIONS = {"compactEvery"}
Pairs = tuple[tuple[str, str], ...]


def options_of(given: Mapping[str, Any], known: set[str], declaration: Callable[..., Any]) -> Pairs:
    """`known` are the options that can be handed on; what was meant may be an argument of the declaration itself."""
    names = {name.lower() for name in known}
    said = set(inspect.signature(declaration).parameters) - {"options"}
    for name in given:
        if name.lower() not in names and not name.lower().startswith("kafka."):
            raise PipelineError(f"there is no option '{name}'; {advice(name, known | said)}")
    return tuple((name, str(value).lower() if isinstance(value, bool) else str(value)) for name, value in given.items())


def of_a_range(given: Pairs) -> dict[str, str]:
    """Those that mean something to a batch whose range is said otherwise."""
    starts = {name.lower() for name in _STARTS}
    return {name: text for name, text in given if name.lower() not in _LIVE_ONLY | starts}
