"""the real ports: clock, disk, network."""
