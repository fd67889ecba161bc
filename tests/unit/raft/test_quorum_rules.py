"""The rules of the quorum one at a time, on one machine: votes, pre-votes, the high watermark, amnesia, addresses."""

from random import Random

from support.raft_world import CONFIG, Entry, MemoryLog
from tidelog.metadata.control import VoterKey
from tidelog.protocol.errors import ErrorCode
from tidelog.raft import messages as m
from tidelog.raft.messages import LeaderInfo
from tidelog.raft.quorum import Raft
from tidelog.raft.roles import Role
from tidelog.raft.voters import Voter, VoterHistory, Voters

DIRECTORIES = {node: bytes([node]) * 16 for node in (1, 2, 3)}


def voters(dynamic: bool) -> Voters:
    members = [
        Voter(VoterKey(node, DIRECTORIES[node] if dynamic else bytes(16)), (("CONTROLLER", "host", node),))
        for node in (1, 2, 3)
    ]
    return Voters(tuple(members), 1 if dynamic else 0)


def machine(log: MemoryLog | None = None, dynamic: bool = False) -> Raft:
    log = log or MemoryLog(DIRECTORIES[1])
    history = VoterHistory(voters(dynamic))
    return Raft(VoterKey(1, log.directory), CONFIG, log, history, log.state, [], Random(1).randrange, 0)


def replies(effects: list[m.Effect]) -> list:
    return [each.reply for each in effects if isinstance(each, m.Reply)]


def vote(candidate: int, epoch: int, end: int = 0, last_epoch: int = 0, pre_vote: bool = False, **voter) -> m.Vote:
    key = VoterKey(1, voter.get("directory", bytes(16)))
    return m.Vote(VoterKey(candidate, DIRECTORIES[candidate]), key, epoch, last_epoch, end, pre_vote)


def written(entries: int, epoch: int) -> MemoryLog:
    log = MemoryLog(DIRECTORIES[1])
    log.entries = [Entry(epoch, index) for index in range(entries)]
    log.durable_offset = entries
    raft = machine(log)
    raft.epoch = epoch
    raft.save()
    log.state = next(each.state for each in raft._take() if isinstance(each, m.Save))
    return log


def test_a_vote_is_saved_before_it_is_told_and_given_once_an_epoch() -> None:
    raft = machine()
    effects = raft.step(vote(2, 5), 0)
    kinds = [type(each) for each in effects]
    assert kinds.index(m.Save) < kinds.index(m.Reply)
    assert [each.state.voted_id for each in effects if isinstance(each, m.Save)][-1] == 2
    assert replies(effects)[0].granted
    assert not replies(raft.step(vote(3, 5), 1))[0].granted
    assert replies(raft.step(vote(2, 5), 2))[0].granted, "the same one may ask again"
    assert replies(raft.step(vote(3, 4), 3))[0].error is ErrorCode.FENCED_LEADER_EPOCH


def test_a_shorter_log_gets_no_vote() -> None:
    raft = machine(written(10, epoch=3))
    assert not replies(raft.step(vote(2, 7, end=9, last_epoch=3), 0))[0].granted
    assert not replies(raft.step(vote(2, 7, end=20, last_epoch=2), 0))[0].granted
    assert replies(raft.step(vote(2, 7, end=10, last_epoch=3), 0))[0].granted


def test_a_disk_without_memory_does_not_vote_in_a_quorum_with_a_history() -> None:
    raft = machine()
    assert not replies(raft.step(vote(2, 7, end=10, last_epoch=3), 0))[0].granted
    assert replies(raft.step(vote(3, 7), 0))[0].granted, "on the first start nobody has a history"


def test_a_new_disk_does_not_answer_for_the_lost_one() -> None:
    raft = machine(dynamic=True)
    lost = bytes([9]) * 16
    assert replies(raft.step(vote(2, 7, directory=lost), 0))[0].error is ErrorCode.INVALID_VOTER_KEY
    assert raft.epoch == 0, "a request for somebody else changes nothing"
    assert replies(raft.step(vote(2, 7, directory=DIRECTORIES[1]), 0))[0].granted


def following(raft: Raft, epoch: int = 4) -> None:
    effects = raft.step(m.BeginEpoch(LeaderInfo(2, epoch, ("host", 2)), VoterKey(1)), 0)
    fetch = next(each.request for each in effects if isinstance(each, m.Send))
    reply = m.FetchReply(ErrorCode.NONE, LeaderInfo(2, epoch, ("host", 2)), 0, 0)
    raft.step(m.Answered(("host", 2), fetch, reply), 10)
    assert raft.role is Role.FOLLOWER


def test_who_hears_its_leader_helps_no_other_to_the_lead() -> None:
    raft = machine(written(3, epoch=2))
    following(raft)
    asked = vote(3, 4, end=50, last_epoch=4, pre_vote=True)
    assert not replies(raft.step(asked, 20))[0].granted
    fetch = m.FetchLog(raft.node, 4, 3, 2, 3)
    raft.step(m.Answered(("host", 2), fetch, None, refused=True), 30)
    assert replies(raft.step(asked, 40))[0].granted, "the leader's process is known to be gone"
    assert raft.deadline_ms <= 30 + 150, "and this node does not wait for the timeout either"


def test_silence_alone_is_waited_out() -> None:
    raft = machine(written(3, epoch=2))
    following(raft)
    raft.step(m.Answered(("host", 2), m.FetchLog(raft.node, 4, 3, 2, 3), None), 30)
    assert raft.deadline_ms == 10 + CONFIG.fetch_timeout_ms


def leading(log: MemoryLog) -> Raft:
    raft = machine(log)
    raft.tick(raft.deadline_ms)
    now_ms = raft.deadline_ms - CONFIG.election_timeout_ms
    for pre_vote in (True, False):
        asked = m.Vote(raft.node, VoterKey(2), raft.epoch, raft.last_epoch(), log.end_offset, pre_vote)
        granted = m.VoteReply(ErrorCode.NONE, LeaderInfo(-1, raft.epoch), True)
        effects = raft.step(m.Answered(("host", 2), asked, granted), now_ms)
    assert any(isinstance(each, m.OpenEpoch) for each in effects)
    log.entries.append(Entry(raft.epoch, "leader"))
    return raft


def test_records_of_earlier_epochs_are_committed_only_with_one_of_the_leaders_own() -> None:
    log = written(10, epoch=3)
    raft = leading(log)
    epoch = raft.epoch
    raft.step(m.FetchLog(VoterKey(2), epoch, 10, 3, 0), 100)
    assert raft.high_watermark == 0, "a majority has ten records, but none of this epoch"
    raft.step(m.FetchLog(VoterKey(2), epoch, 11, epoch, 0), 101)
    assert raft.high_watermark == 0, "the leader's own copy is not durable yet"
    log.durable_offset = 11
    raft.step(m.Durable(), 102)
    assert raft.high_watermark == 11


def test_a_leader_without_a_majority_gives_up() -> None:
    raft = leading(written(2, epoch=1))
    raft.step(m.FetchLog(VoterKey(3), raft.epoch, 2, 1, 0), 1000)
    limit_ms = 1000 + CONFIG.fetch_timeout_ms * 3 // 2
    raft.tick(limit_ms - 1)
    assert raft.role is Role.LEADER
    effects = raft.tick(limit_ms)
    assert raft.role is Role.RESIGNED
    assert m.LeaderChanged(False, LeaderInfo(-1, raft.epoch)) in effects


def test_a_log_that_goes_on_differently_is_told_where_they_part() -> None:
    raft = leading(written(10, epoch=3))
    found = replies(raft.step(m.FetchLog(VoterKey(2), raft.epoch, 14, 3, 0), 0))[0]
    assert found.diverging == (3, 10)
    found = replies(raft.step(m.FetchLog(VoterKey(2), raft.epoch, 14, 2, 0), 0))[0]
    assert found.diverging == (0, 0), "nothing of epoch 2 is here"


def test_a_voter_that_moved_tells_the_leader() -> None:
    raft = machine(dynamic=True)
    raft.endpoints = (("CONTROLLER", "elsewhere", 7),)
    effects = raft.step(m.BeginEpoch(LeaderInfo(2, 1, ("host", 2)), VoterKey(1)), 0)
    fetch = next(each.request for each in effects if isinstance(each, m.Send))
    effects = raft.step(
        m.Answered(("host", 2), fetch, m.FetchReply(ErrorCode.NONE, LeaderInfo(2, 1, ("host", 2)), 0, 0)), 1
    )
    sent = [each.request for each in effects if isinstance(each, m.Send)]
    assert m.UpdateVoter(1, Voter(raft.node, raft.endpoints)) in sent


def settled(log: MemoryLog, dynamic: bool) -> Raft:
    """A leader whose first record is committed, followed by node 2 alone."""
    raft = machine(log, dynamic)
    raft.epoch = 1
    raft.become_leader((), 0)
    raft._take()
    log.entries = [Entry(1, 0)]
    log.durable_offset = 1
    follow(raft, 2, 1)
    assert raft.high_watermark == 1
    return raft


def follow(raft: Raft, node: int, offset: int) -> list[m.Effect]:
    return raft.step(m.FetchLog(VoterKey(node, DIRECTORIES[node]), raft.epoch, offset, 1, 0), 1)


def test_voters_of_the_settings_go_into_the_log_with_the_disks_they_follow_on() -> None:
    raft = settled(MemoryLog(DIRECTORIES[1]), dynamic=False)
    refused = [each for each in raft.step(m.UpgradeVoters(1, 1000), 2) if isinstance(each, m.VotersChanged)]
    assert refused[0].error is ErrorCode.INVALID_UPDATE_VERSION, "nobody knows the disk of node 3"
    follow(raft, 3, 1)
    effects = raft.step(m.UpgradeVoters(2, 1000), 3)
    assert [each for each in effects if isinstance(each, m.AppendVoters)] == [m.AppendVoters(voters(True), True)]
    assert raft.current == voters(True)
    assert raft.voters.current_offset == 2, "behind the record of the version"
    assert raft.leadership is not None
    assert raft.leadership.replicas[VoterKey(2, DIRECTORIES[2])].end_offset == 1, "what they have still counts"
    assert raft.is_voter


def test_voters_that_are_in_the_log_stay_there() -> None:
    raft = settled(MemoryLog(DIRECTORIES[1]), dynamic=True)
    answers = [each for each in raft.step(m.UpgradeVoters(1, 1000), 2) if isinstance(each, m.VotersChanged)]
    assert [(each.token, each.error) for each in answers] == [(1, ErrorCode.NONE)]
