"""The load programs: compiled once from `loads/*.c`, run against one node, answering in JSON."""

import hashlib
import json
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from bench import ROOT

CACHE = ROOT / ".cache" / "bench"
SOURCES = Path(__file__).parent / "loads"


class CannotMeasure(Exception):
    """Something this machine lacks; the sentence says what to install."""


def program(name: str) -> Path:
    """The compiled load `name`; compiled again when its source has changed."""
    source = SOURCES / f"{name}.c"
    binary = CACHE / f"{name}-{hashlib.sha256(source.read_bytes()).hexdigest()[:12]}"
    if binary.exists():
        return binary
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise CannotMeasure(
            "the loads are C programs and there is no C compiler: install gcc and run ./dev bench again"
        )
    CACHE.mkdir(parents=True, exist_ok=True)
    command = [compiler, "-O2", "-o", f"{binary}.new", str(source), "-ldl", "-lpthread"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotMeasure(f"{source.name} does not compile here:\n{done.stderr}")
    return Path(f"{binary}.new").replace(binary)


def librdkafka() -> str:
    """The library inside the confluent-kafka wheel, or the system's by its name."""
    spec = find_spec("confluent_kafka")
    if spec is not None and spec.origin is not None:
        for path in (Path(spec.origin).parent.parent / "confluent_kafka.libs").glob("librdkafka*.so*"):
            return str(path)
    return "librdkafka.so.1"


def run(name: str, mode: str, **arguments: object) -> dict[str, float]:
    """Run one load to its end. A load that met errors is an error: its figure would be of something else."""
    given = [f"{key}={value}" for key, value in arguments.items()]
    command = [str(program(name)), mode, *given]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise RuntimeError(f"{name} {mode} {' '.join(given)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    result: dict[str, float] = json.loads(done.stdout)
    return result
