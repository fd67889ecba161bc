"""A standalone cluster of Spark on this machine: a master and a worker, in processes with environments of their own."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pyspark

from peer.process import _die_with_parent, free_port

HOME = Path(pyspark.__file__).parent
PATIENCE_S = 120
SMALL = {"SPARK_DAEMON_MEMORY": "128m", "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}


class Standalone:
    """One worker with two cores; an application that asks for one core an executor gets two executors."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self._processes: list[subprocess.Popen[bytes]] = []
        folder.mkdir(parents=True)

    @property
    def master(self) -> str:
        return f"spark://127.0.0.1:{self._port}"

    def start(self) -> None:
        self._launch("master.Master", "--port", str(self._port), "--webui-port", "0")
        self._wait_for(lambda: "I have been elected leader" in self._said("master.Master"))
        work = ("--cores", "2", "--memory", "1g", "--work-dir", str(self._folder / "work"), "--webui-port", "0")
        self._launch("worker.Worker", *work, self.master)
        self._wait_for(lambda: "Successfully registered with master" in self._said("worker.Worker"))

    def _launch(self, name: str, *words: str) -> None:
        """Nothing of this process's environment goes with it, as on another machine."""
        given = {"PATH": os.environ["PATH"], "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": "127.0.0.1"}
        given |= SMALL | {key: os.environ[key] for key in ("JAVA_HOME",) if key in os.environ}
        command = [str(HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1", *words]
        with (self._folder / name).open("wb") as log:
            self._processes.append(
                subprocess.Popen(
                    command, cwd=self._folder, env=given, stdout=log, stderr=log, preexec_fn=_die_with_parent
                )
            )

    def _said(self, name: str) -> str:
        return (self._folder / name).read_text(errors="replace")

    def _wait_for(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            said = "".join(self._said(file.name) for file in self._folder.glob("*.*"))
            assert all(each.poll() is None for each in self._processes), said
            assert time.monotonic() < deadline, said
            time.sleep(0.05)

    def stop(self) -> None:
        for each in reversed(self._processes):
            each.terminate()
        for each in self._processes:
            each.wait(30)
