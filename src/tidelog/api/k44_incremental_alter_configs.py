"""IncrementalAlterConfigs (44), versions 0 to 1: sets, deletes, appends to or subtracts from single settings.

Of topics, of this broker or all brokers (an empty name), of groups, of subscriptions to client metrics, and of the log
levels of this process. All changes of one resource are made together or not at all.
"""

from __future__ import annotations

from tidelog.api.config_changes import change
from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.controller.configs import Change, ResourceChange
from tidelog.protocol.messages.incremental_alter_configs import (
    AlterConfigsResourceResponse,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
)


@api(IncrementalAlterConfigsRequest)
async def handle(
    broker: Broker, context: RequestContext, request: IncrementalAlterConfigsRequest
) -> IncrementalAlterConfigsResponse:
    resources = [
        ResourceChange(
            each.resource_type,
            each.resource_name,
            [Change(config.name, config.config_operation, config.value) for config in each.configs],
        )
        for each in request.resources
    ]
    outcome = await change(broker, context, resources, request.validate_only, incremental=True)
    return IncrementalAlterConfigsResponse(
        responses=[
            AlterConfigsResourceResponse(
                error_code=int(error.code) if error else 0,
                error_message=error.message if error else None,
                resource_type=resource.resource_type,
                resource_name=resource.resource_name,
            )
            for resource, error in zip(resources, outcome)
        ]
    )
