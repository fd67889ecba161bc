"""composition: one process, one node."""
