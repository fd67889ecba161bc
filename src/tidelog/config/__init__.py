"""one row per setting."""
