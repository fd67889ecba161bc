"""pure: framing, primitives, record batches, compression, error table, generated messages."""
