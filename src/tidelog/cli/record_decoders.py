"""Keys and values of internal topics as text: what the dump tool's decoders print."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidelog.cli.deserializers import Show, deserializer
from tidelog.cli.record_json import to_json
from tidelog.protocol.primitives import DecodeError, read_uvarint
from tidelog.protocol.record_batch import Record

Decoded = tuple[bytes | None, bytes | None]
Decoder = Callable[[Record], Decoded]

_CONSUMER = "consumer"


class UnknownType(ValueError):
    """A record type that this release does not know."""


def read_typed(table: dict[int, str], package: Any, number: int, data: bytes, version: int) -> Any:
    """The message that class `table[number]` reads from `data`."""
    if number not in table:
        raise UnknownType(number)
    return getattr(package, table[number]).decode(data, version)


def coordinator_key(package: Any, data: bytes) -> tuple[int, str]:
    """Type of a coordinator's record, and its key as JSON."""
    number = int.from_bytes(data[:2], "big")
    if number not in package.KEYS:
        raise UnknownType(number)
    cls = getattr(package, package.KEYS[number])
    version = cls.VERSIONS[1]
    return number, to_json(cls.decode(data[2:], version), version)


def coordinator_value(package: Any, number: int, data: bytes, opened: bool = True) -> tuple[int, str]:
    """Version of a coordinator's value, and the value as JSON, what is inside a group's members opened too."""
    version = int.from_bytes(data[:2], "big")
    message = read_typed(package.VALUES, package, number, data[2:], version)
    if opened and type(message).__name__ == "GroupMetadataValue" and message.protocol_type == _CONSUMER:
        return version, _group_metadata(message, version)
    return version, to_json(message, version)


def _group_metadata(message: Any, version: int) -> str:
    """With members' subscriptions and assignments opened, where they are in the consumer protocol's form."""
    text = to_json(message, version)
    from base64 import b64encode

    from tidelog.protocol import group_records

    for member in message.members:
        for attribute, name in (
            ("subscription", "ConsumerProtocolSubscription"),
            ("assignment", "ConsumerProtocolAssignment"),
        ):
            data = bytes(getattr(member, attribute))
            opened = _opened(getattr(group_records, name), data)
            if opened is not None:
                text = text.replace(f'"{attribute}":"{b64encode(data).decode()}"', f'"{attribute}":{opened}', 1)
    return text


def _opened(cls: Any, data: bytes) -> str | None:
    if len(data) < 2:
        return None
    version = min(int.from_bytes(data[:2], "big"), cls.VERSIONS[1])
    try:
        return to_json(cls.decode(data[2:], version), version)
    except DecodeError:
        return None


def _typed(number: int, text: str, word: str = "type") -> str:
    return f'{{"{word}":"{number}","data":{text}}}'


def _from_coordinator(package: Any, value_word: str) -> Decoder:
    def decode(record: Record) -> Decoded:
        if record.key is None:
            raise ValueError(f"Failed to decode message at offset {record.offset}: it has no key")
        try:
            number, key = coordinator_key(package, record.key)
            if record.value is None:
                return _typed(number, key).encode(), b"<DELETE>"
            version, value = coordinator_value(package, number, record.value)
            shown = version if value_word == "version" else number
            return _typed(number, key).encode(), _typed(shown, value, value_word).encode()
        except UnknownType as error:
            return f"Unknown record type {error} at offset {record.offset}, skipping.".encode(), None
        except DecodeError as error:
            return f"Error at offset {record.offset}, skipping. {error}".encode(), None

    return decode


def offsets_decoder() -> Decoder:
    from tidelog.protocol import group_records

    return _from_coordinator(group_records, "version")


def transaction_decoder() -> Decoder:
    from tidelog.protocol import txn_records

    return _from_coordinator(txn_records, "version")


def share_state_decoder() -> Decoder:
    from tidelog.protocol import share_records

    return _from_coordinator(share_records, "type")


def remote_metadata_decoder() -> Decoder:
    from tidelog.cli.remote_metadata_text import as_text
    from tidelog.tier.records import decode as read

    def decode(record: Record) -> Decoded:
        try:
            event = read(record.value or b"")
        except DecodeError as error:
            return None, f"Error at offset {record.offset}, skipping. {error}".encode()
        return None, as_text(event).encode() if event is not None else b""

    return decode


def metadata_decoder() -> Decoder:
    from tidelog.protocol import metadata_records

    def decode(record: Record) -> Decoded:
        try:
            return None, _metadata_json(metadata_records, record.value or b"").encode()
        except (DecodeError, UnknownType, IndexError) as error:
            return None, f"Error at {record.offset}, skipping. {error}".encode()

    return decode


def _metadata_json(package: Any, data: bytes) -> str:
    """A metadata record: frame version, type and version as varints, then the message."""
    _, pos = read_uvarint(data, 0)
    number, pos = read_uvarint(data, pos)
    version, pos = read_uvarint(data, pos)
    message = read_typed(package.RECORDS, package, number, data[pos:], version)
    return f'{{"type":"{upper_name(type(message).__name__)}","version":{version},"data":{to_json(message, version)}}}'


def upper_name(name: str) -> str:
    """RegisterBrokerRecord as REGISTER_BROKER_RECORD."""
    return "".join(f"_{c}" if c.isupper() and i else c for i, c in enumerate(name)).upper()


def plain_decoder(key_class: str, value_class: str) -> Decoder:
    show_key, show_value = (_lenient(name) for name in (key_class, value_class))

    def decode(record: Record) -> Decoded:
        key = None if record.key is None else show_key(record.key)
        return key, None if record.value is None else show_value(record.value)

    return decode


def _lenient(name: str) -> Show:
    """The dump tool's decoders read the first bytes of a number and ignore the rest."""
    short = name.rpartition(".")[2]
    size = {"LongDecoder": 8, "IntegerDecoder": 4}.get(short)
    show = deserializer(name)
    return show if size is None else lambda data: show(data[:size])
