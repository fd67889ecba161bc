"""Apache's own producer and consumer on a cluster, and what they were told, for the same judge."""

from __future__ import annotations

import subprocess
import threading
import time
from pathlib import Path

from cluster.load import Load
from peer.programs import java_program
from tidelog.sim.history import Outcome, Read, Send

SOURCES = Path(__file__).parent / "java"


def program() -> list[str]:
    """Its command; building it may need the machine's own network."""
    return java_program(SOURCES, "JavaLoad")


class JavaLoad:
    """A process with one producer and one reader, until it is stopped."""

    name = "java"

    def __init__(self, address: str, topic: str, partitions: int) -> None:
        self.acked = 0
        self.sends: list[Send] = []
        self.doubts: list[str] = []
        self.reads: list[Read] = []
        self._topic = topic
        self._errors: list[str] = []
        command = [*program(), address, topic, str(partitions)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._listen, self._listen_to_errors)]
        for thread in self._threads:
            thread.start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            word, partition, *rest = line.split()
            place = self._topic, int(partition)
            if word == "ok":
                self.sends.append(Send(self.name, place, rest[1], Outcome.OK, int(rest[0])))
                self.acked += 1
            elif word == "unknown":
                self.sends.append(Send(self.name, place, rest[0], Outcome.UNKNOWN))
                self.doubts.append(line)
            else:
                self.reads.append(Read(self.name, place, int(rest[0]), rest[1]))

    def _listen_to_errors(self) -> None:
        assert self._process.stderr is not None
        self._errors += self._process.stderr

    def stop(self) -> None:
        """Ends when every send has been decided."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            code = self._process.wait(120)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        for thread in self._threads:
            thread.join(30)
        assert code == 0, "".join(self._errors[-30:])

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()


class MixedLoad(Load):
    """Producers of confluent-kafka and of Apache's Java client side by side on one topic."""

    def __init__(self, address: str, topic: str, partitions: int, producers: int = 2) -> None:
        self._java = JavaLoad(address, topic, partitions)
        super().__init__(address, topic, partitions, producers)

    def wait_for_acks(self, more: int, timeout_s: float = 60) -> float:
        """Until both kinds of client have that many more."""
        begin, wanted = time.monotonic(), self._java.acked + more
        super().wait_for_acks(more, timeout_s)
        while self._java.acked < wanted:
            waited = time.monotonic() - begin
            assert waited < timeout_s, f"only {self._java.acked} of {wanted} acks for Java within {timeout_s} s"
            time.sleep(0.01)
        return time.monotonic() - begin

    def stop(self) -> None:
        try:
            super().stop()
            self._java.stop()
        finally:
            self._java.kill()

    def judge(self) -> int:
        self.stop()
        self.history.sends += self._java.sends
        self.history.reads += self._java.reads
        self.doubts += self._java.doubts
        self.acked += self._java.acked
        assert self._java.reads, "the Java reader found nothing"
        return super().judge()
