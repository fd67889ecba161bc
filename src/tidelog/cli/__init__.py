"""one file per command."""
