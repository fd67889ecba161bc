"""ListConfigResources (74), versions 0 to 1: the resources that can have settings.

Version 0 lists subscriptions to client metrics; version 1 what is asked for, or everything: groups and subscriptions
that have settings, all brokers, their loggers, and all topics.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.metadata import configs
from tidelog.metadata.image import MetadataImage
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.list_config_resources import (
    ConfigResource,
    ListConfigResourcesRequest,
    ListConfigResourcesResponse,
)

KNOWN = (configs.GROUP, configs.CLIENT_METRICS, configs.BROKER_LOGGER, configs.BROKER, configs.TOPIC)


@api(ListConfigResourcesRequest)
def handle(broker: Broker, context: RequestContext, request: ListConfigResourcesRequest) -> ListConfigResourcesResponse:
    wanted = set(request.resource_types or KNOWN) if context.version else {configs.CLIENT_METRICS}
    if not wanted <= set(KNOWN):
        return ListConfigResourcesResponse(error_code=int(ErrorCode.UNSUPPORTED_VERSION))
    image = broker.metadata.image
    return ListConfigResourcesResponse(
        config_resources=[
            ConfigResource(resource_name=name, resource_type=kind)
            for kind in KNOWN
            if kind in wanted
            for name in _names(image, kind)
        ]
    )


def _names(image: MetadataImage, kind: int) -> list[str]:
    if kind == configs.TOPIC:
        return image.topics.names()
    if kind in (configs.BROKER, configs.BROKER_LOGGER):
        return [str(each) for each in sorted(image.cluster.brokers)]
    return image.configs.resources(kind)
