"""Nodes that form a quorum over real connections: elections, followers, observers, snapshots, changes of the voters."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from support.quorum import Quorum
from tidelog.controller.result import Result
from tidelog.metadata import records as r
from tidelog.metadata.configs import BROKER
from tidelog.metadata.control import VoterKey
from tidelog.node.node import Node
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.raft.voters import Voter


def run(story: Callable[[Quorum], Awaitable[None]], quorum: Quorum) -> None:
    async def main() -> None:
        async with quorum:
            await story(quorum)

    asyncio.run(main())


async def note(node: Node, name: str, value: str = "x") -> None:
    record = r.ConfigRecord(resource_type=BROKER, resource_name="99", name=name, value=value)
    await node.metadata.submit(lambda image, environment: Result([record], None))


def noted(node: Node) -> dict[str, str]:
    return dict(node.metadata.image.configs.get(BROKER, "99"))


def test_three_controllers_elect_one_and_go_on_without_it(tmp_path: Path) -> None:
    async def story(quorum: Quorum) -> None:
        await quorum.start(1, 2, 3)
        leader = await quorum.leader()
        await note(leader, "first")
        await quorum.agreed()
        assert all(noted(each) == {"first": "x"} for each in quorum.nodes.values())
        follower = next(each for each in quorum.nodes.values() if each is not leader)
        assert follower.metadata.leader() == (leader.config.node_id, "127.0.0.1", leader.endpoints[0].port)
        with pytest.raises(KafkaError) as refused:
            await note(follower, "elsewhere")
        assert refused.value.code is ErrorCode.NOT_CONTROLLER

        epoch = leader.metadata.quorum.epoch
        await quorum.stop(leader.config.node_id)
        successor = await quorum.leader()
        assert successor.metadata.quorum.epoch > epoch
        await note(successor, "second")
        await quorum.start(leader.config.node_id)
        await quorum.agreed()
        assert all(noted(each) == {"first": "x", "second": "x"} for each in quorum.nodes.values())

    run(story, Quorum(tmp_path, voters=3))


def test_all_stop_and_start_again_with_what_they_knew(tmp_path: Path) -> None:
    async def story(quorum: Quorum) -> None:
        await quorum.start(1, 2, 3)
        await note(await quorum.leader(), "kept")
        epoch = (await quorum.leader()).metadata.quorum.epoch
        await quorum.stop()
        await quorum.start(1, 2)
        leader = await quorum.leader()
        assert noted(leader) == {"kept": "x"}
        assert leader.metadata.quorum.epoch > epoch

    run(story, Quorum(tmp_path, voters=3))


def test_what_a_lost_leader_had_not_committed_is_refused(tmp_path: Path) -> None:
    async def story(quorum: Quorum) -> None:
        await quorum.start(1, 2, 3)
        leader = await quorum.leader()
        others = [each for each in quorum.nodes if each != leader.config.node_id]
        pending = []
        # Both others end without a word, as killed processes do.
        for each in others:
            node = quorum.nodes[each]
            node.metadata.quorum._closed = True
            await node.server.close(0.1)
        pending.append(asyncio.ensure_future(note(leader, "lost")))
        with pytest.raises(KafkaError) as refused:
            await asyncio.wait_for(pending[0], 30)
        assert refused.value.code is ErrorCode.NOT_CONTROLLER
        assert not leader.metadata.is_active
        assert leader.metadata.latest is leader.metadata.image
        assert noted(leader) == {}

    settings = {"controller_quorum_fetch_timeout_ms": "400", "controller_quorum_election_timeout_ms": "200"}
    run(story, Quorum(tmp_path, voters=3, **settings))


def test_a_broker_follows_and_a_late_one_begins_from_a_snapshot(tmp_path: Path) -> None:
    async def story(quorum: Quorum) -> None:
        await quorum.start(1)
        leader = await quorum.leader()
        await quorum.start(2, roles="broker")
        broker = quorum.nodes[2].metadata
        for index in range(60):
            await note(leader, f"n{index}", "y" * 50)
        await quorum.agreed()
        assert len(noted(quorum.nodes[2])) == 60
        assert not broker.is_active
        await leader.metadata.snapshots.close()
        await leader.metadata.snapshots.take(leader.metadata.image)
        assert leader.metadata.quorum.log.start_offset > 0, "the log before the snapshot is gone"

        await quorum.start(3, roles="broker")
        await quorum.agreed()
        assert quorum.nodes[3].metadata.image.same_state(leader.metadata.image)
        assert quorum.nodes[3].metadata.quorum.log.start_offset > 0, (
            "it cannot have replayed the log from its beginning"
        )
        assert 3 in leader.metadata.image.cluster.brokers

    settings = {
        "metadata_log_max_record_bytes_between_snapshots": "1000",
        "metadata_max_retention_bytes": "3000",
        "internal_metadata_log_segment_bytes": "2000",
        "controller_quorum_fetch_snapshot_max_bytes": "500",
    }
    run(story, Quorum(tmp_path, voters=1, others=2, **settings))


def test_voters_come_and_go(tmp_path: Path) -> None:
    async def story(quorum: Quorum) -> None:
        await quorum.start(1)
        leader = await quorum.leader()
        await quorum.start(2)
        joined = quorum.nodes[2].metadata.quorum
        key = joined.settings.node
        assert [each.id for each in leader.metadata.quorum.voters] == [1]
        voter = Voter(key, (("CONTROLLER", "127.0.0.1", quorum.ports[2]),))
        change = leader.metadata.quorum.change_voters
        assert await change(key, voter, 30_000) == (ErrorCode.NONE, "")
        assert (await change(key, voter, 30_000))[0] is ErrorCode.DUPLICATE_VOTER
        await quorum.agreed()
        assert joined.voters == leader.metadata.quorum.voters
        assert joined.raft.is_voter
        stranger = VoterKey(2, bytes(15) + b"\7")
        assert (await change(stranger, None, 30_000))[0] is ErrorCode.VOTER_NOT_FOUND

        # The leader leaves: the one that is left leads a quorum of its own.
        own = leader.metadata.quorum.settings.node
        assert (await change(own, None, 30_000))[0] is ErrorCode.NONE
        await quorum.until(lambda: quorum.nodes[2].metadata.is_active)
        assert [each.id for each in joined.voters] == [2]
        await note(quorum.nodes[2], "alone")
        await quorum.agreed()
        assert noted(leader) == {"alone": "x"}, "who is no voter any more still follows"

    run(story, Quorum(tmp_path, voters=1, others=1, dynamic=True))
