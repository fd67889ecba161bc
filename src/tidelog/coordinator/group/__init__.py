"""pure: the group coordinator, a state machine over one partition of `__consumer_offsets`."""
