"""Client programs in Java, Go and JavaScript: built once per content of their sources, and read as JSON lines."""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from peer.apache import java
from peer.jars import class_path
from peer.paths import once
from peer.toolchain import needs, run


def _digest(folder: Path, *patterns: str) -> str:
    total = hashlib.sha256()
    for path in sorted(path for pattern in patterns for path in folder.glob(pattern)):
        total.update(path.name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest()[:16]


def java_program(sources: Path, main: str = "Main") -> list[str]:
    """The command that runs `main` of the Java sources in a folder, with Apache Kafka's jars."""
    needs("java", "javac", "mvn")

    def build(folder: Path) -> None:
        files = [str(path) for path in sorted(sources.glob("*.java"))]
        run(["javac", "-nowarn", "-encoding", "UTF-8", "-cp", class_path(), "-d", str(folder), *files])

    classes = once(f"java-{_digest(sources, '*.java')}", build)
    return java(main, flags=("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), extra=str(classes))


def go_program(sources: Path) -> list[str]:
    needs("go")

    def build(folder: Path) -> None:
        run(["go", "build", "-o", str(folder / "program"), "."], cwd=sources)

    return [str(once(f"go-{_digest(sources, '*.go', 'go.mod', 'go.sum')}", build) / "program")]


def node_program(sources: Path, main: str = "main.js") -> list[str]:
    needs("node", "npm")

    def build(folder: Path) -> None:
        for path in (*sources.glob("*.js"), sources / "package.json"):
            shutil.copy(path, folder)
        run(["npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=folder)

    return ["node", str(once(f"node-{_digest(sources, '*.js', 'package.json')}", build) / main)]


class Running:
    """A program under way; `results` waits for its end."""

    def __init__(self, command: list[str], *args: str) -> None:
        self.command = [*command, *args]
        self.out = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self.err = tempfile.TemporaryFile()  # noqa: SIM115
        environment = {**os.environ, "KAFKAJS_NO_PARTITIONER_WARNING": "1"}
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.err, env=environment
        )

    def results(self, timeout_s: float = 240) -> dict[str, dict[str, Any]]:
        """Each step's result by its group and name. A step that failed unexpectedly is `{"error": ...}`."""
        try:
            code = self.process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            code = None
        groups: dict[str, dict[str, Any]] = {}
        for line in self._text(self.out).splitlines():
            if line.startswith("{"):
                step = json.loads(line)
                result = step["result"] if "result" in step else {"error": step.get("error")}
                groups.setdefault(step["group"], {})[step["step"]] = result
        if code != 0:
            groups["end"] = {"of the program": {"error": f"exit code {code}; {self._text(self.err)[-2000:]}"}}
        return groups

    @staticmethod
    def _text(file: Any) -> str:
        file.seek(0)
        return str(file.read().decode(errors="replace"))
