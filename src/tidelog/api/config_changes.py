"""What both APIs that change settings share: checks of the request, and the way to the controller."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tidelog.api.broker_loggers import change_levels
from tidelog.api.context import RequestContext
from tidelog.api.running import INTERNAL
from tidelog.broker.broker import Broker
from tidelog.controller.configs import DELETE, ResourceChange, alter_configs, incremental_alter_configs
from tidelog.metadata import configs
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages import alter_configs as alter
from tidelog.protocol.messages import incremental_alter_configs as incremental_alter
from tidelog.protocol.messages.alter_configs import AlterConfigsRequest
from tidelog.protocol.messages.incremental_alter_configs import IncrementalAlterConfigsRequest

TIMEOUT_MS = 30_000


async def change(
    broker: Broker,
    context: RequestContext,
    resources: Sequence[ResourceChange],
    validate_only: bool,
    incremental: bool,
) -> list[KafkaError | None]:
    """One outcome per resource, in order. A broker checks what is its own, and the active controller the rest."""
    listener = context.connection.listener_name
    is_client = listener != INTERNAL and listener not in (broker.config.controller_listener_names or ())
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
            _check(broker, resource, incremental, is_client)
            if resource.resource_type == configs.BROKER_LOGGER:
                change_levels(resource.changes, validate_only)
            else:
                for_controller.append(index)
        except KafkaError as error:
            outcome[index] = error
    if for_controller:
        chosen = [resources[index] for index in for_controller]
        try:
            if broker.metadata.is_active or not is_client or broker.controller is None:
                results = await _submit(broker, chosen, validate_only, incremental)
            else:
                results = await _ask(broker, chosen, validate_only, incremental)
        except KafkaError as error:
            results = [error] * len(chosen)
        for index, result in zip(for_controller, results):
            outcome[index] = result
    return outcome


async def _submit(
    broker: Broker, chosen: Sequence[ResourceChange], validate_only: bool, incremental: bool
) -> list[KafkaError | None]:
    command = incremental_alter_configs if incremental else alter_configs
    return await broker.metadata.submit(lambda image, environment: command(image, environment, chosen, validate_only))


async def _ask(
    broker: Broker, chosen: Sequence[ResourceChange], validate_only: bool, incremental: bool
) -> list[KafkaError | None]:
    """The active controller is another node."""
    message = _incremental(chosen, validate_only) if incremental else _whole(chosen, validate_only)
    assert broker.controller is not None
    answer = await broker.controller.request(message, TIMEOUT_MS)
    outcomes = {(each.resource_type, each.resource_name): each for each in answer.responses}
    found: list[KafkaError | None] = []
    for resource in chosen:
        each = outcomes[(resource.resource_type, resource.resource_name)]
        code = ErrorCode.of(each.error_code)
        found.append(KafkaError(code, each.error_message or code.message) if each.error_code else None)
    return found


def _incremental(chosen: Sequence[ResourceChange], validate_only: bool) -> IncrementalAlterConfigsRequest:
    resources = [
        incremental_alter.AlterConfigsResource(
            resource_type=each.resource_type,
            resource_name=each.resource_name,
            configs=[
                incremental_alter.AlterableConfig(
                    name=change.name, config_operation=change.operation, value=change.value
                )
                for change in each.changes
            ],
        )
        for each in chosen
    ]
    return IncrementalAlterConfigsRequest(resources=resources, validate_only=validate_only)


def _whole(chosen: Sequence[ResourceChange], validate_only: bool) -> AlterConfigsRequest:
    resources = [
        alter.AlterConfigsResource(
            resource_type=each.resource_type,
            resource_name=each.resource_name,
            configs=[alter.AlterableConfig(name=change.name, value=change.value) for change in each.changes],
        )
        for each in chosen
    ]
    return AlterConfigsRequest(resources=resources, validate_only=validate_only)


def _check(broker: Broker, resource: ResourceChange, incremental: bool, is_client: bool) -> None:
    names = Counter(each.name for each in resource.changes)
    if any(count > 1 for count in names.values()):
        raise KafkaError(ErrorCode.INVALID_REQUEST, "Error due to duplicate config keys")
    nulls = [each.name for each in resource.changes if each.value is None and each.operation != DELETE]
    if nulls:
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"Null value not supported for : {', '.join(nulls)}")
    kind, name = resource.resource_type, resource.resource_name
    if kind == configs.BROKER_LOGGER and not incremental:
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"Unknown resource type {kind}")
    if is_client and ((kind == configs.BROKER and name) or kind == configs.BROKER_LOGGER):
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
