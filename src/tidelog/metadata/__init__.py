"""The state of the cluster as records, and the immutable picture that replaying them gives."""
