"""Runs in a process of its own: a Spark session that carries out the steps it is told, one JSON line each way."""

import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench import usage

from tidelog.spark import session


def children_seconds(pid: int) -> float:
    """CPU of processes that have ended and were waited for."""
    return sum(map(int, usage._stat(pid)[13:15])) / usage.TICK


class Steps:
    def __init__(self, servers: str, jars: str, folder: str) -> None:
        conf = {"spark.master": "local[2]", "spark.jars": jars, "spark.log.level": "ERROR"}
        self.spark = session("bench", **conf, **{"spark.sql.shuffle.partitions": "2", "spark.driver.memory": "2g"})
        self.servers = servers
        self.folder = folder
        self.number = 0

    def run(self, step: str, form: str, topic: str, rows: int, out: str) -> dict[str, float]:
        cpu, began = self._cpu(), time.monotonic()
        found = getattr(self, step)(form, topic, out)
        wall = time.monotonic() - began
        assert found in (-1, rows), f"{step} by {form} took {found} rows of {rows}"
        return {"wall_s": wall, "cpu_s": self._cpu() - cpu}

    def _cpu(self) -> float:
        return usage.cpu_seconds(os.getpid()) + sum(children_seconds(pid) for pid in usage.family(os.getpid()))

    def _options(self, **more: str) -> dict[str, str]:
        return {"kafka.bootstrap.servers": self.servers, **more}

    def read(self, form: str, topic: str, out: str) -> int:
        frame = self.spark.read.format(form).options(**self._options(subscribe=topic)).load()
        frame.write.format("noop").mode("overwrite").save()
        return -1

    def copy(self, form: str, topic: str, out: str) -> int:
        return self._stream(self._source(form, topic).selectExpr("key", "value"), form, out, "append")

    def window(self, form: str, topic: str, out: str) -> int:
        from pyspark.sql import functions

        counted = self._source(form, topic).groupBy(functions.window("timestamp", "1 second"), "partition").count()
        named = counted.selectExpr("CAST(window.start AS STRING) AS key", "CAST(count AS STRING) AS value")
        return self._stream(named, form, out, "update")

    def _source(self, form: str, topic: str) -> Any:
        options = self._options(subscribe=topic, startingOffsets="earliest")
        return self.spark.readStream.format(form).options(**options).load()

    def _stream(self, frame: Any, form: str, out: str, mode: str) -> int:
        self.number += 1
        options = self._options(topic=out, checkpointLocation=f"{self.folder}/{self.number}")
        query = frame.writeStream.format(form).outputMode(mode).options(**options).trigger(availableNow=True).start()
        query.awaitTermination()
        return sum(int(progress["numInputRows"]) for progress in query.recentProgress)


def main() -> int:
    servers, jars = sys.argv[1:3]
    folder = tempfile.mkdtemp(prefix="spark-bench-")
    try:
        steps = Steps(servers, jars, folder)
        print(json.dumps({"ready": True}), flush=True)
        for line in sys.stdin:
            print(json.dumps(steps.run(**json.loads(line))), flush=True)
        steps.spark.stop()
    finally:
        shutil.rmtree(Path(folder), ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
