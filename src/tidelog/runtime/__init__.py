"""ported: drivers of the pure machines."""
