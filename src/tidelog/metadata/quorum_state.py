"""The `quorum-state` file: the epoch this node has seen, its vote, and the leader. JSON, as Apache Kafka writes it."""

from __future__ import annotations

import json
from typing import NamedTuple

from tidelog.model import uuids

FILE_NAME = "quorum-state"


class QuorumState(NamedTuple):
    leader_id: int
    leader_epoch: int
    voted_id: int = -1
    voted_directory_id: bytes = uuids.ZERO
    voters: tuple[int, ...] = ()
    data_version: int = 0  # 1 from kraft.version 1 on: voters are then in the log


def format_quorum_state(state: QuorumState) -> bytes:
    if state.data_version == 0:
        fields: dict[str, object] = {
            "clusterId": "",
            "leaderId": state.leader_id,
            "leaderEpoch": state.leader_epoch,
            "votedId": state.voted_id,
            "appliedOffset": 0,
            "currentVoters": [{"voterId": each} for each in state.voters],
        }
    else:
        fields = {
            "leaderId": state.leader_id,
            "leaderEpoch": state.leader_epoch,
            "votedId": state.voted_id,
            "votedDirectoryId": uuids.to_text(state.voted_directory_id),
        }
    return json.dumps({**fields, "data_version": state.data_version}, separators=(",", ":")).encode()


def parse_quorum_state(data: bytes) -> QuorumState:
    """ValueError when the file is not one that this software reads."""
    try:
        fields = json.loads(data)
        version = int(fields["data_version"])
        directory = fields.get("votedDirectoryId")
        state = QuorumState(
            leader_id=int(fields["leaderId"]),
            leader_epoch=int(fields["leaderEpoch"]),
            voted_id=int(fields["votedId"]),
            voted_directory_id=uuids.from_text(directory) if directory else uuids.ZERO,
            voters=tuple(int(each["voterId"]) for each in fields.get("currentVoters") or ()),
            data_version=version,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"the quorum-state file cannot be read ({error}); restore it from a backup") from error
    if version not in (0, 1):
        raise ValueError(f"the quorum-state file has data_version {version}, which this software does not know")
    return state
