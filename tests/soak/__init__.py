"""Long runs with faults on real processes; a bounded share of each runs as a test."""
