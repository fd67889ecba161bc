"""CreateTopics (19), versions 2 to 7: each topic is created or refused for itself.

Names, counts, manual assignments and settings are checked as Apache Kafka checks them; `validate_only` stops there. The
answer comes when the topics are committed and this broker hosts its partitions; from version 5 it tells the counts and
settings that the topic has. Left out: policies in Java classes, quotas on changes, and a timeout of its own.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.config.describe import describe_topic
from tidelog.config.effective import TopicDefaults
from tidelog.controller.topics import CreatedTopic, create_topics
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages.create_topics import (
    CreatableTopicConfigs,
    CreatableTopicResult,
    CreateTopicsRequest,
    CreateTopicsResponse,
)

DETAILS_FROM = 5


@api(CreateTopicsRequest, controller=True)
async def handle(broker: Broker, context: RequestContext, request: CreateTopicsRequest) -> CreateTopicsResponse:
    try:
        outcome = await broker.metadata.submit(lambda image, environment: create_topics(image, environment, request))
    except KafkaError as error:
        outcome = [CreatedTopic(name, error) for name in dict.fromkeys(topic.name for topic in request.topics)]
    defaults = TopicDefaults(broker.metadata.config)
    return CreateTopicsResponse(topics=[_result(broker, context, defaults, each) for each in outcome])


def _result(
    broker: Broker, context: RequestContext, defaults: TopicDefaults, topic: CreatedTopic
) -> CreatableTopicResult:
    if topic.error is not None:
        return CreatableTopicResult(
            name=topic.name, error_code=int(topic.error.code), error_message=topic.error.message
        )
    result = CreatableTopicResult(name=topic.name, error_message=None)
    if context.version >= DETAILS_FROM:
        result.topic_id = topic.topic_id
        result.num_partitions = topic.partitions
        result.replication_factor = topic.replication_factor
        result.configs = [
            CreatableTopicConfigs(
                name=each.name,
                value=each.value,
                read_only=each.read_only,
                config_source=int(each.source),
                is_sensitive=each.sensitive,
            )
            for each in describe_topic(broker.metadata.config, defaults, topic.configs)
        ]
    return result
