"""What both APIs that change settings share: checks of the request, and the way to the controller."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tidelog.api.broker_loggers import change_levels
from tidelog.broker.broker import Broker
from tidelog.controller.configs import DELETE, ResourceChange, alter_configs, incremental_alter_configs
from tidelog.metadata import configs
from tidelog.protocol.errors import ErrorCode, KafkaError


async def change(
    broker: Broker, resources: Sequence[ResourceChange], validate_only: bool, incremental: bool
) -> list[KafkaError | None]:
    """One outcome per resource, in order."""
    outcome: list[KafkaError | None] = [None] * len(resources)
    doubled = {
        key
        for key, count in Counter((each.resource_type, each.resource_name) for each in resources).items()
        if count > 1
    }
    for_controller = []
    for index, resource in enumerate(resources):
        try:
            if (resource.resource_type, resource.resource_name) in doubled:
                raise KafkaError(ErrorCode.INVALID_REQUEST, "Each resource must appear at most once.")
            _check(broker, resource, incremental)
            if resource.resource_type == configs.BROKER_LOGGER:
                change_levels(resource.changes, validate_only)
            else:
                for_controller.append(index)
        except KafkaError as error:
            outcome[index] = error
    if for_controller:
        command = incremental_alter_configs if incremental else alter_configs
        chosen = [resources[index] for index in for_controller]
        try:
            results = await broker.metadata.submit(
                lambda image, environment: command(image, environment, chosen, validate_only)
            )
        except KafkaError as error:
            results = [error] * len(chosen)
        for index, result in zip(for_controller, results):
            outcome[index] = result
    return outcome


def _check(broker: Broker, resource: ResourceChange, incremental: bool) -> None:
    names = Counter(each.name for each in resource.changes)
    if any(count > 1 for count in names.values()):
        raise KafkaError(ErrorCode.INVALID_REQUEST, "Error due to duplicate config keys")
    nulls = [each.name for each in resource.changes if each.value is None and each.operation != DELETE]
    if nulls:
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"Null value not supported for : {', '.join(nulls)}")
    kind, name = resource.resource_type, resource.resource_name
    if kind == configs.BROKER_LOGGER and not incremental:
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"Unknown resource type {kind}")
    if (kind == configs.BROKER and name) or kind == configs.BROKER_LOGGER:
        _check_own_id(broker, name)


def _check_own_id(broker: Broker, name: str) -> None:
    try:
        node_id = int(name)
    except ValueError:
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"Node id must be an integer, but it is: {name}") from None
    if node_id != broker.node_id:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST, f"Unexpected broker id, expected {broker.node_id}, but received {name}"
        )
