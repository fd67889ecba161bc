"""A client that changes the cluster: topics come and go, settings change, replicas move, leaders and voters change."""

from __future__ import annotations

from random import Random

from tidelog.client.admin import Admin
from tidelog.client.admin_configs import ResourceType
from tidelog.client.cluster import raise_for
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.add_raft_voter import AddRaftVoterRequest, Listener
from tidelog.protocol.messages.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from tidelog.protocol.messages.describe_quorum import DescribeQuorumRequest, RequestPartitionData, RequestTopicData
from tidelog.protocol.messages.elect_leaders import ElectLeadersRequest, TopicPartitions
from tidelog.protocol.messages.remove_raft_voter import RemoveRaftVoterRequest
from tidelog.protocol.messages.update_features import FeatureUpdateKey, UpdateFeaturesRequest
from tidelog.sim.cluster import CONTROLLER_PORT
from tidelog.sim.profile import Profile
from tidelog.sim.workloads import Setting, until_stopped

VOTERS_LEAST = 3
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
                    elif profile.shelves and random.random() < profile.shelves:
                        await _shelve(setting, admin, profile, random)
                    elif profile.ballots and random.random() < profile.ballots:
                        await _ballot(setting, admin, profile, random)
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


async def _shelve(setting: Setting, admin: Admin, profile: Profile, random: Random) -> None:
    """A replica goes to a directory of its broker, maybe the one where it lies, or back before it has arrived."""
    topic = random.choice([*setting.partitions, "__consumer_offsets"])
    partition = setting.any_partition(random, topic) if topic in setting.partitions else (topic, random.randrange(2))
    node_id, path = random.randint(1, profile.brokers), random.choice(profile.directories)
    setting.note(f"{partition} of node{node_id} goes to {path}")
    await admin.brokers.alter_log_dirs(node_id, {partition: path})


async def _ballot(setting: Setting, admin: Admin, profile: Profile, random: Random) -> None:
    """A controller that only listens becomes a voter, or a voter goes; three stay. Before, the quorum must allow it."""
    if not profile.first_voters and random.random() < 0.3:
        await _allow_ballots(setting, admin)
        return
    asked = DescribeQuorumRequest(
        topics=[RequestTopicData(topic_name="__cluster_metadata", partitions=[RequestPartitionData(partition_index=0)])]
    )
    answer = await admin.cluster.ask_any(asked)
    raise_for(answer.error_code, answer.error_message)
    quorum = answer.topics[0].partitions[0]
    raise_for(quorum.error_code, quorum.error_message)
    listening = [each for each in quorum.observers if each.replica_id in profile.voter_ids]
    if listening and (len(quorum.current_voters) <= VOTERS_LEAST or random.random() < 0.5):
        chosen = random.choice(listening)
        place = Listener(name="CONTROLLER", host=f"node{chosen.replica_id}", port=CONTROLLER_PORT)
        setting.note(f"node{chosen.replica_id} is to vote")
        request: AddRaftVoterRequest | RemoveRaftVoterRequest = AddRaftVoterRequest(
            cluster_id=None,
            timeout_ms=20_000,
            voter_id=chosen.replica_id,
            voter_directory_id=chosen.replica_directory_id,
            listeners=[place],
        )
    elif len(quorum.current_voters) > VOTERS_LEAST:
        chosen = random.choice(quorum.current_voters)
        setting.note(f"node{chosen.replica_id} is to vote no more")
        request = RemoveRaftVoterRequest(
            cluster_id=None, voter_id=chosen.replica_id, voter_directory_id=chosen.replica_directory_id
        )
    else:
        return
    answer = await admin.cluster.ask_any(request)
    setting.note(f"the voters were changed: {ErrorCode.of(answer.error_code).name} {answer.error_message or ''}")


async def _allow_ballots(setting: Setting, admin: Admin) -> None:
    """The voters move from the settings into the log."""
    update = FeatureUpdateKey(feature="kraft.version", max_version_level=1, upgrade_type=1)
    answer = await admin.cluster.ask_controller(UpdateFeaturesRequest(feature_updates=[update]))
    codes = [answer.error_code, *(each.error_code for each in answer.results or ())]
    setting.note(f"kraft.version is to be 1: {[ErrorCode.of(each).name for each in codes]}")


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
