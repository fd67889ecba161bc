"""What a command gives back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

from tidelog.config.broker_config import BrokerConfig
from tidelog.metadata.records import MetadataRecord
from tidelog.protocol.errors import ErrorCode, KafkaError

T = TypeVar("T")

RECORDS_MAX = 10_000  # in one batch of the log


class Result(NamedTuple, Generic[T]):
    """`response` goes to the client once `records` are committed.

    Up to RECORDS_MAX of them are one batch, and so there together or not at all; more are several batches.
    """

    records: Sequence[MetadataRecord]
    response: T


class Environment(NamedTuple):
    """What commands need beside the image: the node's settings, and ids that nobody has used."""

    config: BrokerConfig
    new_id: Callable[[], bytes]
    pick: Callable[[int], int]  # a number below its argument, to spread placements
    next_offset: int  # where the first record of the command will stand in the log


def check_one_batch(records: Sequence[MetadataRecord]) -> None:
    if len(records) > RECORDS_MAX:
        raise KafkaError(ErrorCode.POLICY_VIOLATION, "Unable to perform excessively large batch operation.")
