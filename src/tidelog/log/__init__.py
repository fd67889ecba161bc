"""ported: segments, sparse indexes, epochs, recovery, retention."""
