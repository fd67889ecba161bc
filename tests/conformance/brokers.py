"""A node under test, and the two of them side by side."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from conformance.compare import differences, plain
from conformance.wire import ClosedByBroker, Wire
from peer.process import NodeProcess
from tidelog.protocol.messages.create_topics import CreatableTopic, CreatableTopicConfig, CreateTopicsRequest
from tidelog.protocol.messages.list_offsets import ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic
from tidelog.protocol.messages.metadata import MetadataRequest, MetadataRequestTopic
from tidelog.protocol.primitives import Message


class Broker:
    """A node under test, with one connection kept open."""

    def __init__(self, node: NodeProcess) -> None:
        self.node = node
        self.address = node.address
        self._wire: Wire | None = None

    def connect(self) -> Wire:
        return Wire(self.address)

    def call(self, request: Message, version: int | None = None) -> Any:
        """The decoded answer; `version` is the newest one unless a test says which."""
        if self._wire is None:
            self._wire = self.connect()
        try:
            return self._wire.call(request, request.VERSIONS[1] if version is None else version)
        except (ClosedByBroker, TimeoutError):
            self.hang_up()
            raise

    def hang_up(self) -> None:
        """End the connection that `call` keeps, before the node is ended."""
        if self._wire is not None:
            self._wire.close()
            self._wire = None

    def create(self, topic: str, partitions: int = 1, **configs: str) -> bytes:
        """Create a topic, wait until it has a leader, and give its id. Settings are written with underscores."""
        settings = [CreatableTopicConfig(name=name.replace("_", "."), value=value) for name, value in configs.items()]
        wanted = CreatableTopic(name=topic, num_partitions=partitions, replication_factor=1, configs=settings)
        answer = self.call(CreateTopicsRequest(topics=[wanted], timeout_ms=10_000), 7)
        assert answer.topics[0].error_code == 0, answer
        self.wait_for(topic, partitions)
        return bytes(answer.topics[0].topic_id)

    def wait_for(self, topic: str, partitions: int = 1) -> None:
        """Wait until every partition is known and answers as its leader: both come a moment after the creation."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            seen = self.metadata(topic)
            if seen.error_code == 0 and len(seen.partitions) == partitions and self._leads(topic, partitions):
                return
            time.sleep(0.002)
        raise TimeoutError(f"{self.node.name} never led {partitions} partitions of {topic}")

    def _leads(self, topic: str, partitions: int) -> bool:
        parts = [ListOffsetsPartition(partition_index=index, timestamp=-1) for index in range(partitions)]
        wanted = [ListOffsetsTopic(name=topic, partitions=parts)]
        answer = self.call(ListOffsetsRequest(replica_id=-1, topics=wanted), 7)
        return not any(part.error_code for part in answer.topics[0].partitions)

    def metadata(self, topic: str) -> Any:
        request = MetadataRequest(topics=[MetadataRequestTopic(name=topic)], allow_auto_topic_creation=False)
        return self.call(request, 12).topics[0]


class Both:
    """Our node and Apache's, and the question whether they do the same."""

    def __init__(self, ours: Broker, apache: Broker) -> None:
        self.ours = ours
        self.apache = apache
        # One thread for good: a node that a step restarts there must not end with the thread that started it.
        self._beside = ThreadPoolExecutor(1)

    def same(self, step: Callable[..., Any], *args: Any) -> Any:
        """Run a step against both brokers at once; fail with every difference; give the common answer."""
        running = self._beside.submit(_outcome, step, self.apache, *args)
        ours = plain(_outcome(step, self.ours, *args))
        apache = plain(running.result())
        found = list(differences(ours, apache))
        assert not found, f"{len(found)} differences:\n" + "\n".join(found[:60])
        return apache


def _outcome(step: Callable[..., Any], broker: Broker, *args: Any) -> Any:
    try:
        return step(broker, *args)
    except ClosedByBroker:
        return "closed by the broker"
