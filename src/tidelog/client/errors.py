"""What goes wrong on the client's side: a peer's refusal is a `KafkaError`, everything else is one of these."""

from __future__ import annotations


class ClientError(Exception):
    """A failure that a person reads: its text is a sentence that says what to do next."""


class SettingError(ClientError):
    """A setting has a name or value that cannot be used."""


class Unreachable(ClientError):
    """No broker answered at the address."""


class ConnectionClosed(ClientError):
    """The connection ended before the answer arrived; the request may or may not have been carried out."""


class RequestTimeout(ClientError):
    """The broker took longer than the time limit."""


class UnsupportedApi(ClientError):
    """The broker does not serve an API, or no version of it that this client speaks."""


class BufferExhausted(ClientError):
    """The producer's buffer.memory is full of records that were not sent yet."""


class LogTruncated(ClientError):
    """Records that this consumer has read are gone from the partition, and no `auto.offset.reset` says what to do."""


class UnknownTopic(ClientError):
    """The cluster has no topic of this name."""
