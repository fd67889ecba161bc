"""Nodes and logs that end in the middle of things."""
