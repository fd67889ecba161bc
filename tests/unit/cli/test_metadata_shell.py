"""What kafka-metadata-shell answers to what is typed; tests/conformance compares the tree itself with Apache's."""

import io

import pytest

from tidelog.cli.metadata_shell import Shell

TREE = {"image": {"cluster": {"1": "a broker"}, "topics": {"t": {"0": "a partition"}}}, "local": {"version": "4.3"}}


def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *lines: str) -> list[str]:
    """The answers, without what greets."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    Shell(TREE, interactive=True).interact()
    head, _, rest = capsys.readouterr().out.partition("[ Kafka Metadata Shell ]\n")
    assert head == "Starting...\n"
    return [each.strip() for each in rest.split(">> ")[1:]]


def test_one_walks_about(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ("cd image", "ls", "pwd", "cat cluster/1", "cd ..", "pwd", "find image/topics", "ls image/topics local")
    assert typed(monkeypatch, capsys, *lines) == [
        "", "cluster\ntopics", "/image", "a broker", "", "/", "image/topics\nimage/topics/t\nimage/topics/t/0",
        "image/topics:\nt\n\nlocal:\nversion", "",
    ]  # fmt: skip


def test_mistakes_are_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ("ls no", "cd no", "cat no", "cat image", "cd local/version", "cat", "cd a b", "ls -x", "man no", "no")
    every = "'cat', 'cd', 'exit', 'find', 'help', 'history', 'ls', 'man', 'pwd', 'tree'"
    assert typed(monkeypatch, capsys, *lines) == [
        "ls: no: no such file or directory.",
        "cd: no: no such directory.",
        "cat: no: No such file or directory.",
        "cat: image: Is a directory",
        "cd: local/version: not a directory.",
        "too few arguments",
        "unrecognized arguments: 'b'",
        "unrecognized arguments: '-x'",
        "man: unknown command no. Type help to get a list of commands.",
        f"invalid choice: 'no' (choose from {every})",
        "",
    ]


def test_what_was_typed_is_kept(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    said = typed(monkeypatch, capsys, "pwd", "ls local", "history", "history 1", "exit", "pwd")
    assert said[2:] == ["0  pwd\n    1  ls local\n    2  history", "3  history 1", ""]


def test_a_single_command_needs_no_place(capsys: pytest.CaptureFixture[str]) -> None:
    shell = Shell(TREE, interactive=False)
    shell.run(["cd", "image"])
    shell.run(["tree", "local"])
    assert capsys.readouterr().out.splitlines() == [
        "invalid choice: 'cd' (choose from 'cat', 'find', 'ls', 'tree')",
        "version:",
        "  4.3",
    ]
