"""Produce requests from batches, and answers by partition."""

from __future__ import annotations

from typing import Any

from tidelog.client.accumulator import Batch
from tidelog.client.metadata import ClusterView
from tidelog.client.producer_ids import ProducerIdentity
from tidelog.client.settings import ClientSettings
from tidelog.protocol.compression import Codec
from tidelog.protocol.messages.produce import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from tidelog.protocol.record_batch import build_batch

_BY_TOPIC_ID = 13
"""From this version Produce names topics by their id."""


class ProduceEncoder:
    def __init__(self, settings: ClientSettings, identity: ProducerIdentity) -> None:
        self._codec = Codec[settings["compression.type"].upper()]
        name = f"compression.{settings['compression.type']}.level"
        self._level = settings[name] if name in settings.given else None
        self._acks = settings["acks"]
        self._timeout_ms = settings["request.timeout.ms"]
        self._transactional_id = settings["transactional.id"] or None
        self._identity = identity

    def request(self, view: ClusterView, batches: list[Batch], version: int) -> ProduceRequest:
        by_id = version >= _BY_TOPIC_ID
        topics: dict[str, TopicProduceData] = {}
        for batch in batches:
            topic = topics.get(batch.topic)
            if topic is None:
                topic = topics[batch.topic] = TopicProduceData(name=batch.topic, partition_data=[])
                if by_id:
                    topic.topic_id = view.topics[batch.topic].topic_id
            topic.partition_data.append(PartitionProduceData(index=batch.partition, records=self._bytes(batch)))
        return ProduceRequest(
            transactional_id=self._transactional_id,
            acks=self._acks,
            timeout_ms=self._timeout_ms,
            topic_data=list(topics.values()),
        )

    def _bytes(self, batch: Batch) -> memoryview:
        sequenced = batch.sequence >= 0
        return memoryview(
            build_batch(
                batch.records,
                codec=self._codec,
                level=self._level,
                producer_id=self._identity.producer_id if sequenced else -1,
                producer_epoch=self._identity.epoch if sequenced else -1,
                base_sequence=batch.sequence,
                transactional=self._transactional_id is not None,
            )
        )


def produce_answers(answer: Any, view: ClusterView) -> dict[tuple[str, int], Any]:
    """The answer's rows by topic and partition."""
    found = {}
    for topic in answer.responses:
        name = topic.name or view.names_by_id.get(topic.topic_id, "")
        for row in topic.partition_responses:
            found[(name, row.index)] = row
    return found
