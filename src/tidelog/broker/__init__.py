"""ported: hosts partitions, parked requests, lifecycle."""
