"""Commands whose reader has gone away say nothing more, and end."""

import os
import subprocess
import sys

import pytest

COMMANDS = [
    (["main", "--help"], 141),
    (["main", "group", "--help"], 141),
    (["main"], 141),
    (["kafka_storage", "--help"], 0),
    (["kafka_storage", "random-uuid"], 0),
    (["kafka_server_start", "--version"], 0),
    (["kafka_topics", "--version"], 0),
]


@pytest.mark.parametrize(("words", "code"), COMMANDS, ids=lambda each: " ".join(each) if isinstance(each, list) else "")
def test_nobody_reads(words: list[str], code: int) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", f"tidelog.cli.{words[0]}", *words[1:]]
    # Buffered, as they are outside of tests: the last of it is written when the command ends.
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    try:
        done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False, env=buffered)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (code, "")
