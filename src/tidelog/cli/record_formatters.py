"""The console consumer's formatters for internal topics: each record as JSON, without a line end, as Apache's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tidelog.cli.record_decoders import UnknownType, coordinator_key, coordinator_value
from tidelog.protocol import group_records, share_records, txn_records
from tidelog.protocol.primitives import DecodeError

if TYPE_CHECKING:
    from tidelog.client.fetched import ConsumerRecord


def _formatter(package: Any, wanted: Callable[[int], bool]) -> Callable[[ConsumerRecord], bytes]:
    def show(record: ConsumerRecord) -> bytes:
        if record.key is None:
            return b""
        try:
            number, key = coordinator_key(package, record.key)
            if not wanted(number):
                return b""
            shown = "null"
            if record.value is not None:
                version, value = coordinator_value(package, number, record.value, opened=False)
                shown = f'{{"version":{version},"data":{value}}}'
        except (UnknownType, DecodeError):
            return b""
        return f'{{"key":{{"type":{number},"data":{key}}},"value":{shown}}}'.encode()

    return show


RECORD_FORMATTERS: dict[str, Callable[[ConsumerRecord], bytes]] = {
    "OffsetsMessageFormatter": _formatter(group_records, lambda number: number in (0, 1)),
    "GroupMetadataMessageFormatter": _formatter(group_records, lambda number: number == 2),
    "TransactionLogMessageFormatter": _formatter(txn_records, lambda number: number == 0),
    "ShareGroupStateMessageFormatter": _formatter(share_records, lambda number: number in (0, 1)),
}
