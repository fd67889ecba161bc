"""A program with a Spark of its own that copies a topic to another exactly once, to be killed by tests.

A query that fails is started again, as a supervisor would do. The program ends when all is copied and, if it is told to
stay, the file `done` is in the traps' folder.
"""

import os
import sys
import time
from pathlib import Path

from spark.traps import FOLDER
from tidelog.spark import session

CONF = {
    "spark.master": "local[2,3]",  # a task is tried three times
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.memory": "512m",
    "spark.log.level": "OFF",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}
GROUP = "copiers"


def main() -> int:
    servers, source, out, folder, stays = sys.argv[1:]
    spark = session("copy", **CONF, **{"spark.local.dir": f"{folder}/local", "spark.sql.warehouse.dir": f"{folder}/w"})
    client = {"kafka.bootstrap.servers": servers}
    reading = {"subscribe": source, "startingOffsets": "earliest", "maxOffsetsPerTrigger": "200"}
    frame = spark.readStream.format("tidelog").options(**client, **reading, **{"kafka.group.id": GROUP}).load()
    writer = frame.selectExpr("key", "value").writeStream.format("tidelog")
    writer = writer.options(**client, topic=out, checkpointLocation=f"{folder}/checkpoint")
    done = Path(os.environ[FOLDER], "done")
    while True:
        last = done.exists() or stays == "0"
        try:
            query = writer.trigger(availableNow=True).start()
            query.awaitTermination()
        except Exception as error:
            print("failed:", str(error).splitlines()[0][:300], flush=True)
            continue
        if last:
            return 0
        time.sleep(0.05)


if __name__ == "__main__":
    sys.exit(main())
