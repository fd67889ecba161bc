"""AlterConfigs (33), versions 0 to 2: sets all settings of a resource; what is not named returns to its default.

Kept for older clients: two of them can undo each other's changes, which IncrementalAlterConfigs (44) avoids.
"""

from __future__ import annotations

from tidelog.api.config_changes import change
from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.controller.configs import SET, Change, ResourceChange
from tidelog.protocol.messages.alter_configs import (
    AlterConfigsRequest,
    AlterConfigsResourceResponse,
    AlterConfigsResponse,
)


@api(AlterConfigsRequest)
async def handle(broker: Broker, context: RequestContext, request: AlterConfigsRequest) -> AlterConfigsResponse:
    resources = [
        ResourceChange(
            each.resource_type, each.resource_name, [Change(config.name, SET, config.value) for config in each.configs]
        )
        for each in request.resources
    ]
    outcome = await change(broker, context, resources, request.validate_only, incremental=False)
    return AlterConfigsResponse(
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
