"""Sample pipelines, each a file as a person would write it, and made-up events to feed them. `tide demo` runs them."""

from pathlib import Path


def quickstart_file() -> str:
    """The pipeline that `./dev quickstart` runs."""
    return str(Path(__file__).with_name("quickstart.py"))
