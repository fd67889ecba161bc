"""values that every other package may use."""
