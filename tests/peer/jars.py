"""Apache Kafka's jars, taken by Maven once per machine into the cache."""

from pathlib import Path

from peer.paths import once
from peer.toolchain import run

VERSION = "4.3.1"
LOG4J_VERSION = "2.25.4"
KAFKA_ARTIFACTS = (
    "kafka_2.13",
    "kafka-tools",
    "kafka-server",
    "kafka-storage",
    "kafka-clients",
    "kafka-shell",
    "trogdor",
)
LOG4J_ARTIFACTS = ("log4j-slf4j-impl", "log4j-core")

LOG4J_CONFIG = """\
<Configuration status="ERROR">
  <Appenders>
    <Console name="C" target="SYSTEM_ERR"><PatternLayout pattern="[%d] %p %m (%c)%n"/></Console>
  </Appenders>
  <Loggers><Root level="${sys:peer.level:-WARN}"><AppenderRef ref="C"/></Root></Loggers>
</Configuration>
"""


def jars() -> Path:
    """The folder with every jar that Apache Kafka's broker, tools and clients need, and `log4j2.xml` beside them."""
    return once(f"libs-{VERSION}", _download)


def jar(artifact: str) -> Path:
    """One jar by its artifact name, e.g. `jar("kafka-clients")`."""
    return next(jars().glob(f"{artifact}-{VERSION}.jar"))


def class_path() -> str:
    return f"{jars()}/*"


def _download(folder: Path) -> None:
    pom = folder / "pom.xml"
    pom.write_text(_pom())
    (folder / "log4j2.xml").write_text(LOG4J_CONFIG)
    run(["mvn", "-q", "-B", "-f", str(pom), "dependency:copy-dependencies", f"-DoutputDirectory={folder}"])


def _pom() -> str:
    wanted = [("org.apache.kafka", name, VERSION) for name in KAFKA_ARTIFACTS]
    wanted += [("org.apache.logging.log4j", name, LOG4J_VERSION) for name in LOG4J_ARTIFACTS]
    dependencies = "".join(
        f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version></dependency>"
        for group, name, version in wanted
    )
    return (
        "<project><modelVersion>4.0.0</modelVersion>"
        "<groupId>peer</groupId><artifactId>peer</artifactId><version>1</version>"
        f"<dependencies>{dependencies}</dependencies></project>"
    )
