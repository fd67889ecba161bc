"""pure: the quorum's state."""
