"""The parts a node can play in the quorum."""

from __future__ import annotations

from enum import Enum


class Role(Enum):
    UNATTACHED = "unattached"  # looks for a leader
    PROSPECTIVE = "prospective"  # asks whether it would be elected, without touching the epoch
    CANDIDATE = "candidate"  # asks for votes in a new epoch
    LEADER = "leader"
    FOLLOWER = "follower"  # fetches from the leader
    RESIGNED = "resigned"  # led, and waits for the next election
