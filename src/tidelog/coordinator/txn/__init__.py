"""pure: the transaction coordinator, a state machine over one partition of `__transaction_state`."""
