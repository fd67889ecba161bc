"""ported: closed segments in an object store: what is where, copying, reading, expiry."""
