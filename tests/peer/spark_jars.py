"""Spark's own Kafka connector, taken by Maven once per machine: each jar alone, because Spark has the rest of them."""

from peer.paths import once
from peer.toolchain import run

CONNECTOR = (
    "org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0",
    "org.apache.spark:spark-token-provider-kafka-0-10_2.13:4.0.0",
    "org.apache.kafka:kafka-clients:3.9.2",
    "org.apache.commons:commons-pool2:2.13.1",
)


def connector_jars() -> str:
    """The jars as `spark.jars` wants them."""
    folder = once("spark-kafka-4.2.0", lambda folder: [_download(name, str(folder)) for name in CONNECTOR] and None)
    return ",".join(str(jar) for jar in sorted(folder.glob("*.jar")))


def _download(artifact: str, folder: str) -> None:
    run(["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={folder}"])
