"""The node makes itself known in the metadata: who it is, where it listens, which directories it has."""

from __future__ import annotations

from collections.abc import Sequence

from tidelog.config.broker_config import BrokerConfig
from tidelog.config.endpoints import Endpoint
from tidelog.controller.brokers import Registration, register_broker, register_controller, unfence_broker
from tidelog.runtime.metadata import MetadataRuntime


async def register(
    metadata: MetadataRuntime,
    config: BrokerConfig,
    advertised: Sequence[Endpoint],
    listening: Sequence[Endpoint],
    directories: Sequence[bytes],
    incarnation_id: bytes,
) -> int:
    """Registers and unfences this node; gives its broker epoch."""
    node_id = config.node_id
    private = set(config.controller_listener_names or ())
    controller = Registration(
        node_id, incarnation_id, [each for each in listening if each.listener_name in private], None, []
    )
    await metadata.submit(lambda image, _: register_controller(image, controller))
    broker = Registration(node_id, incarnation_id, advertised, config.broker_rack, directories)
    epoch = await metadata.submit(lambda image, environment: register_broker(image, environment, broker))
    await metadata.submit(lambda image, environment: unfence_broker(image, environment, node_id, epoch))
    return epoch
