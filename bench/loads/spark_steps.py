"""Runs in a process of its own: a Spark session that carries out the steps it is told, one JSON line each way."""

import json
import os
import shutil
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from bench import usage
from bench.loads import spark_latency

from tidelog.spark import session

MODES: dict[str, tuple[str, dict[str, Any], dict[str, str]]] = {
    "exactly": ("tidelog", {"processingTime": "0 seconds"}, {}),
    "plainly": ("tidelog", {"processingTime": "0 seconds"}, {"exactlyOnce": "false"}),
    "builtin": ("kafka", {"processingTime": "0 seconds"}, {}),
    "realtime": ("kafka", {"realTime": "5 minutes"}, {}),
}
JVM, PYTHON = "jvm", "python"
SAMPLE_S = 0.2


class Meter:
    """CPU seconds of the processes that this one has started, by what they are.

    Spark's daemon does not wait for its workers, so the kernel forgets what they have used: every process is looked at
    again and again, and what it had used when it was last seen counts.
    """

    def __init__(self) -> None:
        self._seen: dict[int, tuple[str, float]] = {}
        self._lock = threading.Lock()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while True:
            self._look()
            time.sleep(SAMPLE_S)

    def _look(self) -> None:
        with self._lock:
            for pid in usage.family(os.getpid())[1:]:  # this process only looks and waits
                with suppress(OSError, IndexError):  # it ended while we looked
                    name = Path(f"/proc/{pid}/comm").read_text().strip()
                    used = sum(map(int, usage._stat(pid)[11:13])) / usage.TICK
                    self._seen[pid] = (JVM if name == "java" else PYTHON, used)

    def read(self) -> dict[str, float]:
        self._look()
        found = {JVM: 0.0, PYTHON: 0.0}
        for kind, used in self._seen.values():
            found[kind] += used
        return found


class Steps:
    def __init__(self, servers: str, jars: str, folder: str) -> None:
        conf = {"spark.master": "local[2]", "spark.jars": jars, "spark.log.level": "ERROR"}
        self.spark = session("bench", **conf, **{"spark.sql.shuffle.partitions": "2", "spark.driver.memory": "2g"})
        self.servers = servers
        self.folder = folder
        self.number = 0
        self.meter = Meter()

    def run(self, step: str, form: str, topic: str, rows: int, out: str) -> dict[str, float]:
        before, began = self.meter.read(), time.monotonic()
        found = getattr(self, step)(form, topic, out)
        wall = time.monotonic() - began
        assert found in (-1, rows), f"{step} by {form} took {found} rows of {rows}"
        return {"wall": wall, **{kind: used - before[kind] for kind, used in self.meter.read().items()}}

    def _options(self, **more: str) -> dict[str, str]:
        return {"kafka.bootstrap.servers": self.servers, **more}

    def read(self, form: str, topic: str, out: str) -> int:
        frame = self.spark.read.format(form).options(**self._options(subscribe=topic)).load()
        frame.write.format("noop").mode("overwrite").save()
        return -1

    def copy(self, form: str, topic: str, out: str) -> int:
        return self._stream(self._source(form, topic).selectExpr("key", "value"), form, out)

    def copy_plainly(self, form: str, topic: str, out: str) -> int:
        """At least once on both sides."""
        more = {"exactlyOnce": "false"} if form == "tidelog" else {}
        return self._stream(self._source(form, topic).selectExpr("key", "value"), form, out, **more)

    def window(self, form: str, topic: str, out: str) -> int:
        from pyspark.sql import functions

        watched = self._source(form, topic).withWatermark("timestamp", "1 second")
        counted = watched.groupBy(functions.window("timestamp", "1 second"), "partition").count()
        named = counted.selectExpr("CAST(window.start AS STRING) AS key", "CAST(count AS STRING) AS value")
        return self._stream(named, form, out)

    def latency(self, mode: str, topic: str, out: str, seconds: float) -> dict[str, float]:
        """Through a query with the smallest batches it can make; `mode` is one of MODES."""
        form, trigger, more = MODES[mode]
        frame = self._source(form, topic).selectExpr("key", "value")
        self.number += 1
        options = self._options(topic=out, checkpointLocation=f"{self.folder}/{self.number}", **more)
        mode = "update" if "realTime" in trigger else "append"  # each form has one that the other does not take
        writer = frame.writeStream.format(form).outputMode(mode).options(**options).trigger(**trigger)
        return spark_latency.measure(self.servers, topic, out, seconds, writer.start)

    def _source(self, form: str, topic: str) -> Any:
        options = self._options(subscribe=topic, startingOffsets="earliest")
        return self.spark.readStream.format(form).options(**options).load()

    def _stream(self, frame: Any, form: str, out: str, **more: str) -> int:
        self.number += 1
        options = self._options(topic=out, checkpointLocation=f"{self.folder}/{self.number}", **more)
        query = frame.writeStream.format(form).options(**options).trigger(availableNow=True).start()
        query.awaitTermination()
        return sum(int(progress["numInputRows"]) for progress in query.recentProgress)


def main() -> int:
    servers, jars = sys.argv[1:3]
    folder = tempfile.mkdtemp(prefix="spark-bench-")
    try:
        began = time.monotonic()
        steps = Steps(servers, jars, folder)
        print(json.dumps({"start": time.monotonic() - began}), flush=True)
        for line in sys.stdin:
            given = json.loads(line)
            done = steps.latency(**given) if "mode" in given else steps.run(**given)
            print(json.dumps(done), flush=True)
        steps.spark.stop()
    finally:
        shutil.rmtree(Path(folder), ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
