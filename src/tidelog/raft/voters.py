"""Who votes: the set in force, and how it came about along the log.

With kraft.version 0 the settings name the voters and a node is known by its id alone. With kraft.version 1 the sets are
control records of the log: each holds from the moment it is appended, committed or not, and goes when it is cut away. A
voter is then a node with one disk.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tidelog.config.endpoints import QuorumVoter
from tidelog.metadata.control import VoterKey
from tidelog.metadata.voters import VoterSet
from tidelog.model.uuids import ZERO
from tidelog.protocol.metadata_records.voters_record import Endpoint, KRaftVersionFeature, VotersRecord
from tidelog.protocol.metadata_records.voters_record import Voter as VoterRecord

Address = tuple[str, int]


class Voter(NamedTuple):
    key: VoterKey
    endpoints: tuple[tuple[str, str, int], ...]  # listener, host, port
    versions: tuple[int, int] = (0, 1)  # of kraft.version

    @property
    def address(self) -> Address | None:
        return self.endpoints[0][1:] if self.endpoints else None


class Voters(NamedTuple):
    members: tuple[Voter, ...] = ()
    kraft_version: int = 0

    @property
    def keys(self) -> tuple[VoterKey, ...]:
        return tuple(each.key for each in self.members)

    @property
    def majority(self) -> int:
        return len(self.members) // 2 + 1

    def known(self, key: VoterKey) -> VoterKey | None:
        """The key under which a replica votes, None if it does not; without directories in the set the id decides."""
        for each in self.members:
            if each.key.id == key.id and each.key.directory_id in (ZERO, key.directory_id):
                return each.key
        return None

    def find(self, node_id: int) -> Voter | None:
        return next((each for each in self.members if each.key.id == node_id), None)

    def address(self, node_id: int) -> Address | None:
        found = self.find(node_id)
        return found.address if found else None

    def with_voter(self, voter: Voter) -> Voters:
        kept = [each for each in self.members if each.key.id != voter.key.id]
        return self._replace(members=tuple(sorted([*kept, voter])))

    def without(self, key: VoterKey) -> Voters:
        return self._replace(members=tuple(each for each in self.members if each.key != key))

    def to_set(self) -> VoterSet:
        """As control records hold it."""
        return VoterSet(self.kraft_version, to_record(self)) if self.kraft_version else VoterSet()


def static_voters(named: Iterable[QuorumVoter], listener: str) -> Voters:
    """As `controller.quorum.voters` names them."""
    return Voters(
        tuple(
            Voter(VoterKey(each.node_id), ((listener, each.host, each.port),))
            for each in sorted(named, key=lambda each: each.node_id)
        )
    )


def logged_voters(found: VoterSet) -> Voters | None:
    """As a control record of the log names them; None when there is none."""
    if found.kraft_version == 0 or found.record is None:
        return None
    members = [
        Voter(
            VoterKey(each.voter_id, each.voter_directory_id),
            tuple((place.name, place.host, place.port) for place in each.endpoints),
            (each.kraft_version_feature.min_supported_version, each.kraft_version_feature.max_supported_version),
        )
        for each in found.record.voters
    ]
    return Voters(tuple(sorted(members)), found.kraft_version)


def to_record(voters: Voters) -> VotersRecord:
    return VotersRecord(
        version=0,
        voters=[
            VoterRecord(
                voter_id=each.key.id,
                voter_directory_id=each.key.directory_id,
                endpoints=[Endpoint(name=name, host=host, port=port) for name, host, port in each.endpoints],
                kraft_version_feature=KRaftVersionFeature(
                    min_supported_version=each.versions[0], max_supported_version=each.versions[1]
                ),
            )
            for each in voters.members
        ],
    )


class VoterHistory:
    """The sets along the log, each with the offset of its record; the first one came from settings or a snapshot."""

    def __init__(self, first: Voters) -> None:
        self._entries: list[tuple[int, Voters]] = [(-1, first)]

    @property
    def current(self) -> Voters:
        return self._entries[-1][1]

    @property
    def current_offset(self) -> int:
        """Where the set in force was appended; -1 for one that is older than the log."""
        return self._entries[-1][0]

    def at(self, end_offset: int) -> Voters:
        """The set in force behind everything before `end_offset`."""
        return next(voters for offset, voters in reversed(self._entries) if offset < end_offset or offset == -1)

    def append(self, offset: int, voters: Voters) -> None:
        assert offset > self.current_offset, f"voters at {offset} follow those at {self.current_offset}"
        self._entries.append((offset, voters))

    def truncate_from_end(self, end_offset: int) -> None:
        while len(self._entries) > 1 and self._entries[-1][0] >= end_offset:
            self._entries.pop()

    def truncate_from_start(self, start_offset: int) -> None:
        """A snapshot holds what was in force before `start_offset`."""
        first = self.at(start_offset)
        self._entries = [(-1, first), *(each for each in self._entries[1:] if each[0] >= start_offset)]

    def restart(self, first: Voters) -> None:
        self._entries = [(-1, first)]
