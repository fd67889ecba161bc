"""CreatePartitions (37), versions 0 to 3: topics get more partitions, placed by the controller or by hand.

Each topic succeeds or is refused for itself; `validate_only` only checks. Left out: quotas on changes, and a timeout of
its own.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.controller.partitions import create_partitions
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.create_partitions import (
    CreatePartitionsRequest,
    CreatePartitionsResponse,
    CreatePartitionsTopicResult,
)


@api(CreatePartitionsRequest, controller=True)
async def handle(broker: Broker, context: RequestContext, request: CreatePartitionsRequest) -> CreatePartitionsResponse:
    try:
        outcome = await broker.metadata.submit(
            lambda image, environment: create_partitions(image, environment, request)
        )
    except KafkaError as error:
        outcome = [(name, error) for name in dict.fromkeys(topic.name for topic in request.topics)]
    return CreatePartitionsResponse(results=[_result(name, error) for name, error in outcome])


def _result(name: str, error: KafkaError | None) -> CreatePartitionsTopicResult:
    if error is None:
        return CreatePartitionsTopicResult(name=name)
    message = None if error.code is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION else error.message
    return CreatePartitionsTopicResult(name=name, error_code=int(error.code), error_message=message)
