"""the Python client."""
