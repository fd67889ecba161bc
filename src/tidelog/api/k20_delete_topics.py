"""DeleteTopics (20), versions 1 to 6: by name or, from version 6, by id; each topic is deleted or refused for itself.

The answer comes when the deletion is committed and this broker serves the partitions no more; their files go some time
later. `delete.topic.enable=false` refuses all. Left out: quotas on changes, and a timeout of its own.
"""

from __future__ import annotations

from collections import Counter

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.controller.topics import delete_topics
from tidelog.metadata.image import MetadataImage
from tidelog.model.uuids import ZERO
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.delete_topics import (
    DeletableTopicResult,
    DeleteTopicsRequest,
    DeleteTopicsResponse,
    DeleteTopicState,
)

STATES_FROM = 6
DISABLED_FROM = 3  # older versions know no error for it


@api(DeleteTopicsRequest, controller=True)
async def handle(broker: Broker, context: RequestContext, request: DeleteTopicsRequest) -> DeleteTopicsResponse:
    wanted = request.topics
    if context.version < STATES_FROM:
        wanted = [DeleteTopicState(name=name) for name in request.topic_names]
    if not broker.metadata.config.delete_topic_enable:
        code = ErrorCode.TOPIC_DELETION_DISABLED if context.version >= DISABLED_FROM else ErrorCode.INVALID_REQUEST
        return DeleteTopicsResponse(responses=[_result(each, KafkaError(code)) for each in wanted])
    responses, ids = _resolve(broker.metadata.image, wanted)
    if ids:
        try:
            await broker.metadata.submit(lambda image, _: delete_topics(image, ids))
        except KafkaError as error:
            for each in responses:
                if not each.error_code:
                    each.error_code, each.error_message = int(error.code), error.message
    return DeleteTopicsResponse(responses=responses)


def _resolve(image: MetadataImage, wanted: list[DeleteTopicState]) -> tuple[list[DeletableTopicResult], list[bytes]]:
    """What is to be deleted, and the answer for each topic; one that is named twice is not deleted at all."""
    keys = Counter(_key(each) for each in wanted)
    responses = []
    ids = []
    refused: set[str | bytes] = set()
    for each in wanted:
        key = _key(each)
        if keys[key] > 1 and key != ZERO:
            if key not in refused:
                refused.add(key)
                word = "name" if each.name is not None else "id"
                responses.append(_result(each, KafkaError(ErrorCode.INVALID_REQUEST, f"Duplicate topic {word}.")))
            continue
        try:
            topic_id, name = _find(image, each)
            ids.append(topic_id)
            responses.append(DeletableTopicResult(name=name, topic_id=topic_id))
        except KafkaError as error:
            responses.append(_result(each, error))
    return responses, ids


def _key(wanted: DeleteTopicState) -> str | bytes:
    return wanted.topic_id if wanted.name is None else wanted.name


def _find(image: MetadataImage, wanted: DeleteTopicState) -> tuple[bytes, str]:
    if wanted.name is None:
        if wanted.topic_id == ZERO:
            raise KafkaError(ErrorCode.INVALID_REQUEST, "Neither topic name nor id were specified.")
        topic = image.topics.by_id.get(wanted.topic_id)
        if topic is None:
            raise KafkaError(ErrorCode.UNKNOWN_TOPIC_ID)
        return topic.id, topic.name
    if wanted.topic_id != ZERO:
        raise KafkaError(ErrorCode.INVALID_REQUEST, "You may not specify both topic name and topic id.")
    topic_id = image.topics.ids.get(wanted.name)
    if topic_id is None:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    return topic_id, wanted.name


def _result(wanted: DeleteTopicState, error: KafkaError) -> DeletableTopicResult:
    return DeletableTopicResult(
        name=wanted.name, topic_id=wanted.topic_id, error_code=int(error.code), error_message=error.message
    )
