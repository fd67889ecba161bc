"""ported: listener, session (order, back-pressure, limits), dispatch."""
