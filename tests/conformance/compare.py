"""Answers as plain values, less what two brokers may choose for themselves, and the differences between two of them."""

import time
from collections.abc import Iterator
from typing import Any

from tidelog.protocol.primitives import Struct
from tidelog.protocol.record_batch import decode_records, iter_batches

MINUTE_MS = 60_000
UNKNOWN_SERVER_ERROR = -1

# Fields that two brokers may fill differently: chosen ids, places and sentences. What remains is whether they are set.
IDS = {
    "topic_id",
    "directory_id",
    "cluster_id",
    "producer_id",
    "session_id",
    "incarnation_id",
    "topic_ids",
    "member_id",
}
SENTENCES = {"error_message", "batch_index_error_message", "documentation"}
TIMES = {"log_append_time_ms", "log_append_time", "last_timestamp"}
LEFT_OUT = {"throttle_time_ms", "finalized_features_epoch"}
PLACES = {"host", "port", "log_dir", "total_bytes", "usable_bytes"}


def plain(value: Any, name: str = "") -> Any:
    """Messages as dictionaries, records as their batches, everything else as it is."""
    if name == "session_id":
        return value and "an id"
    if name in IDS and not isinstance(value, list):
        return _shown(value, "an id")
    if name in SENTENCES:
        return None if value is None else "a sentence"
    if name in TIMES and isinstance(value, int) and value >= 0:
        return "now" if abs(value - time.time() * 1000) < 10 * MINUTE_MS else value
    if name in PLACES and isinstance(value, (int, str)):
        return _shown(value, "a place")
    if name == "records" and isinstance(value, (bytes, memoryview)):
        return batches(value)
    return _plain_container(value)


def _plain_container(value: Any) -> Any:
    if isinstance(value, Struct):
        return {field: plain(getattr(value, field), field) for field in value.__slots__ if field not in LEFT_OUT}
    if isinstance(value, dict):
        shared = [key for key in value if not _is_our_own(key)]
        return {key: plain(value[key], key if isinstance(key, str) else "") for key in shared}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value if not _is_our_own(each)]
    if isinstance(value, (bytes, memoryview)):
        return bytes(value).hex()
    return value


def _is_our_own(value: Any) -> bool:
    """A setting that only our node has; its name says so."""
    if isinstance(value, (list, tuple)) and value:
        value = value[0]
    name = getattr(value, "name", "") if isinstance(value, Struct) else value
    return isinstance(name, str) and name.startswith("tidelog.")


def _shown(value: Any, word: str) -> Any:
    unset = value is None or value in (-1, "") or (isinstance(value, bytes) and not any(value))
    return value.hex() if unset and isinstance(value, bytes) else value if unset else word


def batches(data: Any) -> list[dict[str, Any]]:
    """What a fetch carries: each whole batch's header and records; checksums and lengths are the codec's own affair."""
    found = []
    for pos, header in iter_batches(data):
        shown = header._asdict()
        for derived in ("crc", "batch_length", "producer_id"):
            shown.pop(derived)
        if header.timestamp_type:
            shown["max_timestamp"] = plain(header.max_timestamp, "log_append_time_ms")
        records = decode_records(data, pos)
        shown["records"] = [
            (r.offset, r.key, r.value, r.headers, "" if header.timestamp_type else r.timestamp) for r in records
        ]
        found.append(_plain_container(shown))
    return found


def differences(ours: Any, theirs: Any, path: str = "") -> Iterator[str]:
    """One line for each place where two plain values differ."""
    if _better(ours, theirs, path):
        return
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted({*ours, *theirs}, key=str):
            if key not in ours or key not in theirs:
                left, right = ours.get(key, "nothing"), theirs.get(key, "nothing")
                yield f"{path}.{key}: ours {_brief(left)}, Apache {_brief(right)}"
            else:
                yield from differences(ours[key], theirs[key], f"{path}.{key}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for index, (left, right) in enumerate(zip(ours, theirs)):
            yield from differences(left, right, f"{path}[{index}]")
    elif ours != theirs:
        yield f"{path}: ours {_brief(ours)}, Apache {_brief(theirs)}"


def _better(ours: Any, theirs: Any, path: str) -> bool:
    """Where we may do more: a sentence where Apache has none, a typed error where it fails for an unknown reason."""
    if path.endswith("error_message"):
        return theirs is None
    return path.endswith("error_code") and theirs == UNKNOWN_SERVER_ERROR and ours != 0


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 300 else f"{text[:300]}…"
