"""Writing a batch anew with the codec that the topic's `compression.type` asks for."""

from __future__ import annotations

from typing import Any

from tidelog.log.config import LogConfig
from tidelog.log.validation import too_large
from tidelog.ports import Buffer
from tidelog.protocol.compression import compress
from tidelog.protocol.record_batch import CODEC_MASK, HEADER_BYTES, LOG_OVERHEAD, BatchHeader, records_body, seal


def recompress(records: Buffer, header: tuple[Any, ...], config: LogConfig) -> bytearray:
    """The records keep their bytes; only what wraps them changes."""
    assert config.compression is not None
    old = BatchHeader._make(header)
    body: Buffer = records_body(records, 0, old, config.inflated_bytes_max)
    if config.compression:
        body = compress(config.compression, body, config.compression_level)
    new = old._replace(
        batch_length=HEADER_BYTES - LOG_OVERHEAD + len(body),
        attributes=old.attributes & ~CODEC_MASK | config.compression,
    )
    batch = bytearray(seal(new, body))
    if len(batch) > config.max_message_bytes:
        raise too_large(len(batch), config)
    return batch
