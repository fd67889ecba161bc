"""A refusal by the cluster's ACLs, with what to grant."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tidelog.client.errors import ClientError
from tidelog.protocol.errors import ErrorCode, KafkaError

NEEDED = {
    ErrorCode.TOPIC_AUTHORIZATION_FAILED: "Describe and Read on what it reads, Describe and Write on what it writes",
    ErrorCode.GROUP_AUTHORIZATION_FAILED: "Read on the group that shows the query's progress",
    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED: "Describe and Write on transactional ids with the query's prefix",
    ErrorCode.CLUSTER_AUTHORIZATION_FAILED: "IdempotentWrite and Create on the cluster",
}


class NotAllowed(ClientError):
    """The principal of this client lacks a right."""


@contextmanager
def told_with_advice() -> Iterator[None]:
    try:
        yield
    except KafkaError as error:
        if error.code not in NEEDED:
            raise
        raise NotAllowed(f"{error} Grant it {NEEDED[error.code]}, for example with kafka-acls --add") from None
