"""The sink's protocol, killed at each of its steps: what a reader of committed records finds is the model, exactly."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pyspark.sql.types import StringType, StructField, StructType

from peer.apache import ApacheNode
from peer.ours import OurNode
from peer.process import NodeProcess
from peer.toolchain import missing
from spark.engine import Engine, KillAt, ProcessDied, TaskFailed, Trap
from spark.outputs import committed_keys
from tidelog.client.blocking import BlockingCluster
from tidelog.client.blocking_offsets import fetch_offsets
from tidelog.spark import intents, transactions
from tidelog.spark.sink import TASK_TIMEOUT_MS, SinkSettings
from tidelog.spark.steps import STEPS

SCHEMA = StructType([StructField("key", StringType()), StructField("value", StringType())])
SETTINGS = {"transaction.abort.timed.out.transaction.cleanup.interval.ms": "200"}


@pytest.fixture(scope="module", params=["ours", "apache"])
def node(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeProcess]:
    kind = {"ours": OurNode, "apache": ApacheNode}[request.param]
    if request.param == "apache" and missing("java", "mvn"):
        pytest.skip("Apache Kafka needs Java 17 and Maven; install them and run again")
    node = kind(tmp_path_factory.mktemp(request.param), SETTINGS)
    node.start()
    try:
        make_topics(node, "source")
        yield node
    finally:
        node.close()


def make_topics(node: NodeProcess, *names: str) -> None:
    from confluent_kafka.admin import AdminClient, NewTopic

    admin = AdminClient({"bootstrap.servers": node.address})
    for future in admin.create_topics([NewTopic(name, 3, 1) for name in names]).values():
        future.result(30)


@pytest.fixture
def engine(node: NodeProcess, tmp_path: Path, request: pytest.FixtureRequest) -> Engine:
    return make_engine(node, tmp_path / "checkpoint")


def make_engine(node: NodeProcess, folder: Path, **options: str) -> Engine:
    folder.mkdir(parents=True, exist_ok=True)
    topic = f"out-{abs(hash(str(folder))):x}"
    make_topics(node, topic)
    given = {"kafka.bootstrap.servers": node.address, "topic": topic, **options}
    return Engine(folder, SinkSettings.read(given, SCHEMA, streaming=True))


def committed_offset(node: NodeProcess, engine: Engine) -> int:
    with BlockingCluster({"bootstrap.servers": node.address}) as cluster:
        return fetch_offsets(cluster, f"group-{engine.query}", [("source", 0)])[("source", 0)]


def run_until(engine: Engine, batches: int, trap: Trap | None = None) -> int:
    """Runs like a query that is started again after every failure; gives how often that was."""
    restarts = 0
    while engine.next_batch < batches:
        try:
            engine.run_batch(trap)
        except (ProcessDied, TaskFailed):
            restarts += 1
            if restarts >= 10:
                raise
    return restarts


def check(node: NodeProcess, engine: Engine) -> None:
    assert committed_keys(node.address, engine.settings.topic) == engine.model()
    assert committed_offset(node, engine) == 10 * engine.next_batch


def test_batches_without_trouble(node: NodeProcess, engine: Engine) -> None:
    assert run_until(engine, 3) == 0
    check(node, engine)


@pytest.mark.parametrize("tail", [1000, 2, 1])
def test_the_last_intent_is_found_wherever_it_lies(
    node: NodeProcess, engine: Engine, monkeypatch: pytest.MonkeyPatch, tail: int
) -> None:
    """Behind the last intent is the marker of its transaction, so a tail of one offset holds no intent."""
    monkeypatch.setattr(intents, "_TAIL", tail)
    name = f"spark-{engine.query}"
    with BlockingCluster({"bootstrap.servers": node.address}) as cluster:
        log = intents.IntentLog(cluster, intents.TOPIC, name)
        assert log.read() is None
        run_until(engine, 2)
        found = log.read()
    assert found is not None
    assert found.is_of(engine.query, 1)


@pytest.mark.parametrize("step", STEPS)
def test_a_process_is_killed_at_each_step(node: NodeProcess, engine: Engine, tmp_path: Path, step: str) -> None:
    trap = KillAt(tmp_path / "count", step, times=3 if step == "task wrote some" else 2)
    restarts = run_until(engine, 3, trap)
    assert trap.struck
    assert restarts == 1
    check(node, engine)


class KillNodeAt(KillAt):
    """Kills the node; Apache Kafka only when the driver's transaction is wholly over, or has not been decided.

    An Apache node that is started again while a decided transaction lacks its markers may call it complete without
    them ("Couldn't find leader endpoint for partitions"), and the partition keeps an open transaction for ever.
    """

    def __init__(self, file: Path, step: str, node: NodeProcess, engine: Engine) -> None:
        super().__init__(file, step, times=2)
        self._node = node
        self._pid = node.pid
        self._driver = f"spark-{engine.query}-driver"

    def strike(self) -> None:
        if self._node.name == "apache":
            with BlockingCluster({"bootstrap.servers": self._node.address}) as cluster:
                while _state(cluster, self._driver).startswith("Prepare"):
                    time.sleep(0.02)
        os.kill(self._pid, signal.SIGKILL)


def while_kept_alive(node: NodeProcess, engine: Engine, batches: int, trap: Trap) -> None:
    """Runs the query like a supervisor, which has patience, and starts the node again whenever it dies.

    The query is what gets a thread of its own: a node ends with the thread that started it.
    """

    def work() -> None:
        deadline = time.monotonic() + 240
        while engine.next_batch < batches:
            try:
                engine.run_batch(trap)
            except (ProcessDied, TaskFailed):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(work)
        while not done.done():
            assert node.process is not None
            if node.process.poll() is not None:
                node.start()
            time.sleep(0.02)
        done.result()


@pytest.mark.parametrize("step", STEPS)
def test_the_broker_is_killed_at_each_step(node: NodeProcess, engine: Engine, tmp_path: Path, step: str) -> None:
    if node.name == "apache" and step not in ("task wrote all", "decided"):
        pytest.skip("starting Apache Kafka again takes its time: before and after the decision will do")
    trap = KillNodeAt(tmp_path / "count", step, node, engine)
    while_kept_alive(node, engine, 3, trap)
    assert trap.struck
    check(node, engine)


class HastyEngine(Engine):
    """Some of its tasks have two seconds from their first row to the commit."""

    hasty: tuple[int, ...] = ()

    def run_task(self, writer: bytes, batch: int, task: int) -> bytes:
        whole = self.settings
        self.settings = whole._replace(timeout_ms=2_000) if task in self.hasty else whole
        try:
            return super().run_task(writer, batch, task)
        finally:
            self.settings = whole


@pytest.mark.parametrize("hasty", [(0,), (1,), (0, 1)])
def test_transactions_time_out_between_the_phases(node: NodeProcess, tmp_path: Path, hasty: tuple[int, ...]) -> None:
    """The next run writes again what was aborted, and no task of it waits for what another one has open."""
    engine = make_engine(node, tmp_path / "checkpoint")
    run_until(engine, 1)

    class WaitForTheEnd(KillAt):
        """After the decision, waits until the coordinator has aborted what the tasks wrote."""

        def strike(self) -> None:
            with BlockingCluster({"bootstrap.servers": node.address}) as cluster:
                for task in hasty:
                    while _state(cluster, f"spark-{engine.query}-{task}") not in ("CompleteAbort", "Empty"):
                        time.sleep(0.02)

    trap = WaitForTheEnd(tmp_path / "count", "decided")
    impatient = HastyEngine(engine.folder, engine.settings)
    impatient.hasty = hasty
    while not trap.struck:  # on a busy machine the time may be over before the batch is decided
        with pytest.raises(TaskFailed):
            impatient.run_batch(trap)
    began = time.monotonic()
    assert run_until(engine, 2) == 0
    assert time.monotonic() - began < TASK_TIMEOUT_MS / 1000
    check(node, engine)


def _state(cluster: BlockingCluster, name: str) -> str:
    from tidelog.client.blocking import TRANSACTION
    from tidelog.protocol.messages.describe_transactions import DescribeTransactionsRequest

    request = DescribeTransactionsRequest(transactional_ids=[name])
    answer = cluster.ask_coordinator(TRANSACTION, name, lambda connection: connection.request(request))
    return str(answer.transaction_states[0].transaction_state)


def test_a_zombie_task_takes_the_id_after_its_transaction_was_committed(
    node: NodeProcess, engine: Engine, tmp_path: Path
) -> None:
    """The driver dies after all is ended; then a task of the old run wakes up. Its proof says that nothing is lost."""
    run_until(engine, 1)
    trap = KillAt(tmp_path / "count", "all tasks ended")
    with pytest.raises(ProcessDied):
        engine.run_batch(trap)
    with BlockingCluster({"bootstrap.servers": node.address}) as cluster:
        transactions.take(cluster, f"spark-{engine.query}-0", 60_000)
    assert run_until(engine, 2) == 0
    check(node, engine)


def test_a_zombie_driver_cannot_decide(node: NodeProcess, engine: Engine, tmp_path: Path) -> None:
    """Another run takes over while the first one is about to commit: the first one fails, the output stands once."""
    run_until(engine, 1)

    class Overtake(KillAt):
        def strike(self) -> None:
            Engine(engine.folder, engine.settings, engine.tasks, engine.rows).run_batch()

    with pytest.raises(TaskFailed, match=r"another run of the query|fenced|epoch"):
        engine.run_batch(Overtake(tmp_path / "count", "commit begins"))
    assert engine.next_batch == 2
    check(node, engine)


def test_a_decided_batch_is_not_run_with_another_number_of_tasks(
    node: NodeProcess, engine: Engine, tmp_path: Path
) -> None:
    """Rows would go to other tasks, which know nothing of what was decided for them."""
    run_until(engine, 1)
    with pytest.raises(ProcessDied):
        engine.run_batch(KillAt(tmp_path / "count", "one task ended"))
    for tasks in (engine.tasks + 1, engine.tasks - 1):
        with pytest.raises(TaskFailed, match=f"was decided with {engine.tasks} tasks and is run again with {tasks}"):
            Engine(engine.folder, engine.settings, tasks, engine.rows).run_batch()
    assert run_until(engine, 2) == 0
    check(node, engine)


def test_a_task_is_run_again(node: NodeProcess, engine: Engine, tmp_path: Path) -> None:
    """A retry of the task alone, as Spark makes it: the first try's rows are not to be seen."""
    import pickle

    from spark.engine import in_process
    from tidelog.spark.sink import TidelogStreamWriter

    run_until(engine, 1)
    writer = in_process(lambda: pickle.dumps(TidelogStreamWriter(engine.settings)), None)
    messages = []
    for task in range(engine.tasks):
        for _ in range(2):
            message = pickle.loads(in_process(lambda task=task: engine.run_task(writer, 1, task), None))
        messages.append(message)
    engine._write_offsets(1)
    in_process(lambda: TidelogStreamWriter(engine.settings).commit(messages, 1), None)
    (engine.folder / "commits" / "1").write_text("v1")
    check(node, engine)
