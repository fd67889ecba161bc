"""Who votes: from the settings (kraft.version 0), or from control records of the log itself (kraft.version 1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tidelog.metadata.control import ControlRecord, VoterKey
from tidelog.protocol.metadata_records.kraft_version_record import KRaftVersionRecord
from tidelog.protocol.metadata_records.voters_record import VotersRecord


class VoterSet(NamedTuple):
    kraft_version: int = 0
    record: VotersRecord | None = None

    def replay(self, controls: Iterable[ControlRecord | None]) -> VoterSet:
        found = self
        for control in controls:
            if isinstance(control, KRaftVersionRecord):
                found = found._replace(kraft_version=control.kraft_version)
            elif isinstance(control, VotersRecord):
                found = found._replace(record=control)
        return found

    def controls(self) -> list[ControlRecord]:
        """What a snapshot must carry so that the set is not lost."""
        if self.kraft_version == 0:
            return []
        version = KRaftVersionRecord(version=0, kraft_version=self.kraft_version)
        return [version] if self.record is None else [version, self.record]

    def voter_keys(self) -> list[VoterKey]:
        voters = self.record.voters if self.record else []
        return [VoterKey(each.voter_id, each.voter_directory_id) for each in voters]
