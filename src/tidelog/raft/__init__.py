"""raft: the quorum that orders the metadata log, as a pure machine."""
