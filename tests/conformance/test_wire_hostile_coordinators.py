"""Requests to coordinators that no client of good will sends: forged producers, replayed markers, stolen instances."""

from typing import Any

import pytest

from conformance.batches import batch
from conformance.brokers import Both, Broker
from conformance.groups import Member, commit, coordinator_ready, fetch_offsets, subscription
from conformance.requests import fetch
from conformance.transactions import Transaction, settled, stable_offset
from tidelog.protocol.messages.add_partitions_to_txn import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
    AddPartitionsToTxnTransaction,
)
from tidelog.protocol.messages.consumer_group_describe import ConsumerGroupDescribeRequest
from tidelog.protocol.messages.delete_groups import DeleteGroupsRequest
from tidelog.protocol.messages.describe_groups import DescribeGroupsRequest
from tidelog.protocol.messages.heartbeat import HeartbeatRequest
from tidelog.protocol.messages.init_producer_id import InitProducerIdRequest
from tidelog.protocol.messages.leave_group import LeaveGroupRequest, MemberIdentity
from tidelog.protocol.messages.offset_delete import (
    OffsetDeleteRequest,
    OffsetDeleteRequestPartition,
    OffsetDeleteRequestTopic,
)
from tidelog.protocol.messages.offset_fetch import OffsetFetchRequest, OffsetFetchRequestGroup
from tidelog.protocol.messages.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from tidelog.protocol.messages.sync_group import SyncGroupRequest, SyncGroupRequestAssignment
from tidelog.protocol.messages.write_txn_markers import (
    WritableTxnMarker,
    WritableTxnMarkerTopic,
    WriteTxnMarkersRequest,
)


@pytest.fixture
def group(both: Both, topic: str) -> str:
    for broker in (both.ours, both.apache):
        coordinator_ready(broker, topic)
        broker.create(topic, 4)
    return topic


def codes(answer: Any) -> Any:
    """Every error code of an answer, in the order of the fields."""
    if isinstance(answer, list):
        return [codes(each) for each in answer]
    found = [
        codes(value) for name in getattr(answer, "__slots__", ()) if isinstance(value := getattr(answer, name), list)
    ]
    own = getattr(answer, "error_code", getattr(answer, "partition_error_code", None))
    return found if own is None else [own, *found] if found else own


class TestForgedProducers:
    """A batch of one transaction, and in the same request, or under the same name, something that is none of it."""

    def produce(self, broker: Broker, name: str | None, *batches: bytes, topic: str, version: int = 12) -> Any:
        parts = [PartitionProduceData(index=index, records=data) for index, data in enumerate(batches)]
        data = [TopicProduceData(name=topic, partition_data=parts)]
        request = ProduceRequest(transactional_id=name, acks=-1, timeout_ms=5000, topic_data=data)
        answer = broker.call(request, version).responses[0].partition_responses
        return sorted((part.index, part.error_code) for part in answer)

    @pytest.mark.parametrize("version", [1, 2], ids=["v1", "v2"])
    def test_batches_of_others(self, both: Both, topic: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic, 3)
            mine, other = Transaction(broker, topic, version), Transaction(broker, f"{topic}-o", version)
            mine.init()
            other.init()
            mine.send(topic)
            own = {"producer_id": mine.id, "producer_epoch": mine.epoch, "base_sequence": 2}
            theirs = {"producer_id": other.id, "producer_epoch": other.epoch, "base_sequence": 0}
            asked = 11 if version == 1 else 12

            def send(*batches: bytes, name: str | None = topic) -> Any:
                return self.produce(broker, name, *batches, topic=topic, version=asked)

            story = [
                send(batch(1, transactional=True, **own), batch(1)),
                send(batch(1, **{**own, "base_sequence": 3})),
                send(batch(1, transactional=True, **theirs)),
                send(batch(1, transactional=True, **{**own, "base_sequence": 3}), name=None),
                send(batch(1, transactional=True, **{**own, "base_sequence": 3}), name=""),
                send(batch(1, transactional=True, **{**own, "base_sequence": 3}), name=f"{topic}-o"),
                send(batch(1, transactional=True, **{**own, "producer_epoch": mine.epoch + 5})),
                send(batch(1, transactional=True, **{**own, "producer_id": mine.id + 1_000_000})),
                send(batch(1, transactional=True, **own), batch(1, transactional=True, **theirs)),
            ]
            ended = mine.end(True).error_code
            return story, ended, settled(broker, topic)["latest"]

        both.same(step)

    @pytest.mark.parametrize(
        "fields",
        [
            {"producer_id": 5, "producer_epoch": -1, "base_sequence": 0},
            {"producer_id": -1, "producer_epoch": 5, "base_sequence": 0},
            {"producer_id": -1, "producer_epoch": -1, "base_sequence": 7},
            {"producer_id": 5, "producer_epoch": 0, "base_sequence": -1},
            {"producer_id": -7, "producer_epoch": 0, "base_sequence": 0},
            {"producer_id": 5, "producer_epoch": 0, "base_sequence": -9},
            {"producer_id": (1 << 63) - 1, "producer_epoch": 32767, "base_sequence": (1 << 31) - 1},
        ],
        ids=str,
    )
    @pytest.mark.parametrize("transactional", [False, True], ids=["plain", "transactional"])
    def test_numbers_out_of_bounds(self, both: Both, topic: str, fields: dict[str, int], transactional: bool) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            data = batch(1, transactional=transactional, **fields)
            answer = self.produce(broker, topic if transactional else None, data, topic=topic, version=11)
            return answer, fetch(broker, topic, 0).high_watermark

        both.same(step)


class TestMarkers:
    def markers(self, broker: Broker, topic: str, *asked: dict[str, Any]) -> Any:
        topics = [WritableTxnMarkerTopic(name=topic, partition_indexes=[0])]
        wanted = [WritableTxnMarker(topics=topics, **each) for each in asked]
        return codes(broker.call(WriteTxnMarkersRequest(markers=wanted), 1))

    def test_replayed_by_an_old_coordinator(self, both: Both, topic: str) -> None:
        """The epoch of the coordinator only grows, and a marker without a transaction changes nothing."""

        def step(broker: Broker) -> Any:
            broker.create(topic)
            transaction = Transaction(broker, topic, 1)
            transaction.init()
            transaction.send(topic)
            who = {"producer_id": transaction.id, "producer_epoch": transaction.epoch}

            def mark(commit: bool, coordinator: int, **other: int) -> Any:
                marker = {**who, "transaction_result": commit, "coordinator_epoch": coordinator, **other}
                return self.markers(broker, topic, marker)

            story = [
                mark(True, 10, producer_epoch=transaction.epoch + 1),
                mark(True, 9),
                mark(False, 10),
                mark(False, 10),
                mark(True, -1),
                self.markers(broker, topic),
            ]
            stable = stable_offset(broker, topic, 3)
            story.append(self.markers(broker, f"{topic}-none", {**who, "coordinator_epoch": 12}))
            return story, stable, settled(broker, topic)["latest"]

        both.same(step)


class TestTransactions:
    @pytest.mark.parametrize("name", ["", "x" * 300, "né\u0000w"], ids=["empty", "long", "odd"])
    def test_names(self, both: Both, topic: str, name: str) -> None:
        def step(broker: Broker) -> Any:
            Transaction(broker, topic, 1).init()
            request = InitProducerIdRequest(transactional_id=name, transaction_timeout_ms=1000)
            return broker.call(request, 4).error_code

        both.same(step)

    @pytest.mark.parametrize("version", [1, 2], ids=["v1", "v2"])
    def test_offsets_for_groups_that_are_not_in_it(self, both: Both, group: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            transaction = Transaction(broker, group, version)
            transaction.init()
            story = [
                transaction.commit_offsets(group, group, {0: 1}, producer_id=transaction.id + 1_000_000),
                transaction.commit_offsets(group, group, {0: 1}, producer_epoch=transaction.epoch + 3),
                transaction.commit_offsets("", group, {0: 1}),
                transaction.commit_offsets(group, f"{group}-none", {0: 1}),
                transaction.commit_offsets(group, group, {99: 1}),
                transaction.commit_offsets(group, group, {0: 1}, member_id="nobody", generation_id=3),
                transaction.commit_offsets(group, group, {0: 1}, group_instance_id="stolen"),
                transaction.add_offsets("").error_code,
            ]
            ended = transaction.end(False).error_code
            return story, ended, fetch_offsets(broker, group, {group: [0]})

        both.same(step)

    def test_partitions_twice_and_in_a_crowd(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic, 2)
            transaction = Transaction(broker, topic, 1)
            transaction.init()
            many = AddPartitionsToTxnTopic(name=topic, partitions=list(range(50)))
            own = {f"v3_and_below_{key}": value for key, value in transaction.who.items()}
            crowd = broker.call(AddPartitionsToTxnRequest(**own, v3_and_below_topics=[many]), 3)
            parts = [part for each in crowd.results_by_topic_v3_and_below for part in each.results_by_partition]
            story = [
                sorted((part.partition_index, part.partition_error_code) for part in parts),
                transaction.add((topic, [0, 0, 1])),
                transaction.add((topic, [])),
                transaction.add(),
                transaction.add((topic, [-1])),
            ]
            topics = [AddPartitionsToTxnTopic(name=topic, partitions=[0])]
            one = AddPartitionsToTxnTransaction(**transaction.who, verify_only=True, topics=topics)
            twice = broker.call(AddPartitionsToTxnRequest(transactions=[one, one]), 4)
            return story, codes(twice), transaction.end(False).error_code

        both.same(step)


class TestStolenInstances:
    def test_requests_in_the_name_of_another(self, both: Both, group: str) -> None:
        """Whoever knows an instance id but not the member id behind it is fenced, and changes nothing."""

        def step(broker: Broker) -> Any:
            member = Member(broker, group, "inst")
            member.protocols = {"range": subscription(group)}
            member.send_join()
            member.receive_join()
            own: dict[str, Any] = {"group_id": group, "generation_id": member.generation, "member_id": member.id}
            given = [SyncGroupRequestAssignment(member_id=member.id, assignment=b"mine")]
            protocol: dict[str, Any] = {"protocol_type": "consumer", "protocol_name": "range"}
            unnamed = SyncGroupRequest(**own, group_instance_id="inst", assignments=given)
            named = SyncGroupRequest(**own, **protocol, group_instance_id="inst", assignments=given)
            story: list[Any] = [broker.call(request, 5).error_code for request in (unnamed, named)]
            for stolen in ({"member_id": "thief"}, {"member_id": ""}, {"group_instance_id": "other"}):
                who = {**own, "group_instance_id": "inst", **stolen}
                forged = [SyncGroupRequestAssignment(member_id=who["member_id"], assignment=b"forged")]
                leaver = MemberIdentity(member_id=who["member_id"], group_instance_id=who["group_instance_id"])
                story += [
                    broker.call(HeartbeatRequest(**who), 4).error_code,
                    broker.call(SyncGroupRequest(**who, **protocol, assignments=forged), 5).error_code,
                    codes(
                        commit(
                            broker,
                            group,
                            group,
                            {0: 9},
                            generation_id_or_member_epoch=member.generation,
                            member_id=who["member_id"],
                            group_instance_id=who["group_instance_id"],
                        )
                    ),
                ]
                if stolen["member_id" if "member_id" in stolen else "group_instance_id"]:
                    story.append(codes(broker.call(LeaveGroupRequest(group_id=group, members=[leaver]), 5)))
            alive = broker.call(HeartbeatRequest(**own, group_instance_id="inst"), 4).error_code
            member.wire.close()
            return story, alive, fetch_offsets(broker, group, {group: [0]})

        both.same(step)

    def test_the_same_member_leaves_many_times(self, both: Both, group: str) -> None:
        def step(broker: Broker) -> Any:
            member = Member(broker, group)
            member.send_join(3)
            joined = member.receive_join(3).error_code
            one = MemberIdentity(member_id=member.id)
            crowd = [MemberIdentity(member_id=f"m{number}") for number in range(2000)]
            story = [
                codes(broker.call(LeaveGroupRequest(group_id=group, members=members), 5))
                for members in ([], [one, one], [one], crowd[:3])
            ]
            many = codes(broker.call(LeaveGroupRequest(group_id=group, members=crowd), 5))
            member.wire.close()
            return joined, story, len(many[1]), set(many[1])

        both.same(step)


class TestTwice:
    """Things named twice, and things without a name."""

    def test_groups(self, both: Both, group: str) -> None:
        def step(broker: Broker) -> Any:
            commit(broker, group, group, {0: 1})
            names = [group, group, "", f"{group}-none"]
            wanted = [OffsetFetchRequestGroup(group_id=name, topics=None) for name in names[:2] + names[3:]]
            return [
                sorted((each.group_id == group, each.error_code) for each in broker.call(request, version).groups)
                for request, version in (
                    (DescribeGroupsRequest(groups=names), 5),
                    (ConsumerGroupDescribeRequest(group_ids=names), 1),
                    (OffsetFetchRequest(groups=wanted), 9),
                )
            ] + [sorted(codes(broker.call(DeleteGroupsRequest(groups_names=[*names[2:], group]), 2))[0])]

        both.same(step)

    def test_partitions(self, both: Both, group: str) -> None:
        def step(broker: Broker) -> Any:
            commit(broker, group, group, {0: 1, 1: 2})
            parts = [OffsetDeleteRequestPartition(partition_index=index) for index in (0, 0, 99, -1)]
            topics = [OffsetDeleteRequestTopic(name=name, partitions=parts) for name in (group, f"{group}-none")]
            gone = broker.call(OffsetDeleteRequest(group_id=group, topics=topics), 0)
            none = broker.call(OffsetDeleteRequest(group_id=group, topics=[]), 0)
            rows = sorted((part.partition_index, part.error_code) for each in gone.topics for part in each.partitions)
            return gone.error_code, rows, codes(none), fetch_offsets(broker, group, {group: [0, 1]})

        both.same(step)
