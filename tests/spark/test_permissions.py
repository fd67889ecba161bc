"""What the source and the sink say when the cluster does not let them; Apache Kafka has the rights that ours lacks."""

import pickle
from collections.abc import Iterator

import pyarrow as pa
import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    NewTopic,
    ResourcePatternType,
    ResourceType,
)
from pyspark.sql.types import BinaryType, StringType, StructField, StructType

from peer.apache import ApacheNode
from peer.process import NodeProcess
from peer.toolchain import needs
from tidelog.client.blocking import BlockingCluster
from tidelog.spark.datasource import TidelogDataSource
from tidelog.spark.permissions import NotAllowed, told_with_advice
from tidelog.spark.sink import SinkSettings, SinkTask, TidelogStreamWriter

AUTHORIZER = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "allow.everyone.if.no.acl.found": "true",
}


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeProcess]:
    needs("java", "mvn")
    found = ApacheNode(tmp_path_factory.mktemp("apache"), AUTHORIZER)
    found.start()
    try:
        admin = AdminClient({"bootstrap.servers": found.address})
        for future in admin.create_topics(
            [NewTopic(name, 1, 1) for name in ("hidden", "sealed", "closed", "own")]
        ).values():
            future.result(60)
        denied = [
            (ResourceType.TOPIC, "hidden", AclOperation.DESCRIBE),
            (ResourceType.TOPIC, "hidden", AclOperation.READ),
            (ResourceType.TOPIC, "sealed", AclOperation.READ),
            (ResourceType.TOPIC, "closed", AclOperation.WRITE),
            (ResourceType.TRANSACTIONAL_ID, "not-mine-driver", AclOperation.WRITE),
        ]
        bindings = [
            AclBinding(kind, name, ResourcePatternType.LITERAL, "User:*", "*", operation, AclPermissionType.DENY)
            for kind, name, operation in denied
        ]
        for future in admin.create_acls(bindings).values():
            future.result(60)
        yield found
    finally:
        found.close()


VALUE = StructType([StructField("value", StringType())])


def read(node: NodeProcess, topic: str) -> None:
    found = TidelogDataSource({"kafka.bootstrap.servers": node.address, "subscribe": topic})
    reader = found.reader(StructType([StructField("value", BinaryType())]))
    for partition in reader.partitions():
        for _ in reader.read(partition):
            pass


def write(node: NodeProcess, topic: str, name: str) -> None:
    options = {"kafka.bootstrap.servers": node.address, "topic": topic, "transactionalIdPrefix": name}
    settings = SinkSettings.read(options, VALUE, streaming=True)
    sent = pickle.loads(pickle.dumps(TidelogStreamWriter(settings)))
    with told_with_advice(), BlockingCluster(settings.client) as cluster:
        rows = [pa.record_batch({"value": ["x"]})]
        SinkTask(cluster, settings, sent.name, "query", 0, 0).run(iter(rows), sent._intent, sent._driver)


@pytest.mark.parametrize("topic", ["hidden", "sealed"])
def test_a_topic_that_may_not_be_read(node: NodeProcess, topic: str) -> None:
    fill(node, "sealed")
    with pytest.raises(NotAllowed, match=r"no permission .*Grant it Describe and Read on what it reads"):
        read(node, topic)


def test_a_topic_that_may_not_be_written(node: NodeProcess) -> None:
    with pytest.raises(NotAllowed, match=r"no permission .*Describe and Write on what it writes"):
        write(node, "closed", "mine")


def test_a_transactional_id_that_may_not_be_used(node: NodeProcess) -> None:
    with pytest.raises(NotAllowed, match="Describe and Write on transactional ids with the query's prefix"):
        write(node, "own", "not-mine")
    write(node, "own", "mine")


def fill(node: NodeProcess, topic: str) -> None:
    producer = Producer({"bootstrap.servers": node.address})
    producer.produce(topic, b"x")
    assert producer.flush(60) == 0
