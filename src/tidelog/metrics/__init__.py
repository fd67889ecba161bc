"""one row per metric."""
