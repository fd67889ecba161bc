"""Programs that some tests need: a missing one skips the test with a sentence, and fails it under CI=true."""

import os
import shutil
import subprocess

import pytest

INSTALL = {
    "java": "Java 17 or newer (a JDK: the package openjdk-17-jdk-headless on Debian)",
    "javac": "a Java compiler, version 17 or newer (the package openjdk-17-jdk-headless on Debian)",
    "mvn": "Apache Maven 3.8 or newer (the package maven on Debian)",
    "go": "Go 1.26 or newer",
    "node": "Node.js 18 or newer",
    "npm": "npm, which comes with Node.js",
}


def missing(*programs: str) -> list[str]:
    return [program for program in programs if shutil.which(program) is None]


def needs(*programs: str) -> None:
    """Skip the running test when a program is missing, or fail it when CI=true."""
    absent = missing(*programs)
    if not absent:
        return
    sentence = f"this test needs {' and '.join(INSTALL.get(name, name) for name in absent)}; install it and run again"
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(sentence)
    pytest.skip(sentence)


def run(command: list[str], cwd: str | os.PathLike[str] | None = None, timeout_s: float = 600, **env: str) -> str:
    """Run a build step to its end; its output is part of the error when it fails."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=timeout_s,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-4000:]}")
    return done.stdout
