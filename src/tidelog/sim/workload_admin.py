"""A client that changes the cluster: topics come and go, settings change, replicas move, leaders are elected."""

from __future__ import annotations

from random import Random

from tidelog.client.admin import Admin
from tidelog.client.admin_configs import ResourceType
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from tidelog.protocol.messages.elect_leaders import ElectLeadersRequest, TopicPartitions
from tidelog.sim.profile import Profile
from tidelog.sim.workloads import Setting, until_stopped

EXPECTED = {
    ErrorCode.TOPIC_ALREADY_EXISTS,
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    ErrorCode.INVALID_PARTITIONS,
    ErrorCode.INVALID_REPLICATION_FACTOR,
}


async def administrate(setting: Setting, name: str, profile: Profile) -> None:
    random = setting.random(name)

    async def life(who: str) -> None:
        async with Admin(setting.common(who)) as admin:
            while not setting.stopping:
                await setting.pause(random)
                await setting.pause(random)
                try:
                    if profile.moves and random.random() < profile.moves:
                        await _move(setting, admin, profile, random)
                    else:
                        await _act(setting, admin, profile, random.random(), f"scratch{random.randrange(3)}")
                except KafkaError as error:
                    if error.code not in EXPECTED:
                        raise

    await until_stopped(setting, name, life)


async def _move(setting: Setting, admin: Admin, profile: Profile, random: Random) -> None:
    """A partition gets other replicas, goes back to where it was going from, or to its preferred leader."""
    topic, index = setting.any_partition(random, random.choice(list(setting.partitions)))
    chance = random.random()
    request: AlterPartitionReassignmentsRequest | ElectLeadersRequest
    if chance < 0.3:
        request = ElectLeadersRequest(topic_partitions=[TopicPartitions(topic=topic, partitions=[index])])
    else:
        replicas = random.sample(range(1, profile.brokers + 1), profile.replication) if chance < 0.9 else None
        partition = ReassignablePartition(partition_index=index, replicas=replicas)
        request = AlterPartitionReassignmentsRequest(topics=[ReassignableTopic(name=topic, partitions=[partition])])
        setting.note(f"{topic}-{index} moves to {replicas}")
    await admin.cluster.ask_controller(request, lambda answer: int(answer.error_code))


async def _act(setting: Setting, admin: Admin, profile: Profile, chance: float, topic: str) -> None:
    if chance < 0.3:
        await admin.topics.create(topic, partitions=1, replication_factor=profile.replication)
    elif chance < 0.45:
        await admin.topics.delete([topic])
    elif chance < 0.55:
        await admin.topics.add_partitions(topic, 2)
    elif chance < 0.75:
        value = str(int(chance * 10_000_000))
        await admin.configs.alter(ResourceType.TOPIC, "log", {"retention.bytes": "-1", "flush.ms": value})
    elif chance < 0.9:
        await admin.topics.describe(list(setting.partitions))
    else:
        await admin.groups.list()
