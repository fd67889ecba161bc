"""kafka-consumer-groups, kafka-groups and kafka-transactions print what Apache's print, at either broker."""

import asyncio
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from conformance.brokers import Both, Broker
from conformance.groups import Member, commit, coordinator_ready, subscription
from conformance.tools import Result, Tools, compare, diff
from conformance.transactions import Transaction
from conformance.waiting import until
from tidelog.client.consumer import Consumer
from tidelog.client.producer import Producer

pytestmark = pytest.mark.apache

FIRST_MS = 1_700_000_000_000  # 2023-11-14T22:13:20Z
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


def prepared(broker: Broker, topic: str, group: str) -> None:
    """Two partitions with five records each, a second apart, of which the group has read a part."""
    broker.create(topic, partitions=2, retention_ms="-1")

    async def fill() -> None:
        async with Producer({"bootstrap.servers": broker.address}) as producer:
            for number in range(10):
                time_ms = FIRST_MS + number // 2 * 1000
                await producer.send(topic, b"%d" % number, partition=number % 2, timestamp_ms=time_ms)

    asyncio.run(fill())
    coordinator_ready(broker, group)
    commit(broker, group, topic, {0: 2, 1: 5})


@contextmanager
def a_member(broker: Broker, topic: str, group: str, **settings: str) -> Iterator[None]:
    """A consumer of ours that owns both partitions and keeps polling."""
    given = {name.replace("_", "."): value for name, value in settings.items()}
    started, ended = threading.Event(), threading.Event()

    async def consume() -> None:
        wanted = {"bootstrap.servers": broker.address, "group.id": group, "client.id": "me", **given}
        async with Consumer({**wanted, "enable.auto.commit": "false"}) as consumer:
            consumer.subscribe([topic])
            while not ended.is_set():
                await consumer.poll(0.1)
                if len(consumer.assignment) == 2:
                    started.set()

    thread = threading.Thread(target=asyncio.run, args=(consume(),))
    thread.start()
    try:
        assert started.wait(60), "the member never got its partitions"
        yield
    finally:
        ended.set()
        thread.join()


def plain(result: Result, name: str) -> Result:
    """Without names, members' ids and the words of a refusal; lines sorted, because names decide their order."""
    out = re.sub(rf"me-{UUID}", "<member>", result.out.replace(name, "<name>"))
    out = re.sub(r"(?<=\s)[\w-]{22}(?= )", "<member>", out)
    out = re.sub(r"(\.errors\.\w+): .*", r"\1: <reason>", out)
    out = out.replace("failed due to java.util.concurrent.ExecutionException: ", "failed due to ")
    out = re.sub(r"(failed due to )(?!org\.).*", r"\1<reason>", out)
    out = re.sub(r"(?m)^ at \[Source: .*\n", "", out)
    out = re.sub(r"Error: (The group id does not exist|There is no group with this id)\.", "Error: <no group>", out)
    out = re.sub(r"(is invalid: ).*", r"\1<reason>", out)
    return Result(result.code, "\n".join(sorted(out.splitlines())), result.err.replace(name, "<name>"))


def test_groups_without_members(tools: tuple[Tools, Tools], both: Both, topic: str, tmp_path: Path) -> None:
    def story(kind: Tools, broker: Broker, name: str) -> list[Result]:
        name = name.replace(kind.name, kind.name[:4])  # columns are as wide as names
        prepared(broker, name, name)
        file = tmp_path / f"{broker.node.name}-{kind.name}.csv"
        file.write_text(f"{name},0,1\n{name},1,99\n")

        def groups(*args: str) -> Result:
            return plain(kind.run("kafka-consumer-groups", "--bootstrap-server", broker.address, *args), name)

        def reset(*args: str) -> Result:
            return groups("--reset-offsets", "--group", name, *args)

        empty = groups("--describe", "--group", name)
        assert "Consumer group '<name>' has no active members." in empty.err
        return [
            empty,
            groups("--describe", "--group", name, "--offsets", "--verbose"),
            groups("--describe", "--group", name, "--members"),
            groups("--describe", "--group", name, "--members", "--verbose"),
            groups("--describe", "--group", name, "--state"),
            groups("--describe", "--group", name, "--state", "--verbose"),
            groups("--describe", "--group", f"{name}-x"),
            reset("--topic", name, "--to-earliest", "--dry-run"),
            reset("--topic", name, "--to-latest", "--dry-run"),
            reset("--topic", name, "--to-current"),
            reset("--topic", f"{name}:1", "--to-offset", "3", "--execute"),
            reset("--topic", name, "--to-datetime", "2023-11-14T22:13:23.000", "--execute"),
            groups("--describe", "--group", name),
            reset("--all-topics", "--by-duration", "PT0S", "--dry-run"),
            reset("--all-topics", "--shift-by", "-1", "--execute"),
            reset("--all-topics", "--shift-by", "100", "--dry-run"),
            reset("--from-file", str(file), "--dry-run"),
            reset("--topic", name, "--to-earliest", "--export", "--dry-run"),
            reset("--topic", name, "--to-current", "--export"),
            groups("--describe", "--group", name),
            reset("--topic", name, "--to-earliest", "--to-latest"),
            reset("--to-earliest"),
            reset("--topic", f"{name}-x", "--to-earliest"),
            groups("--reset-offsets", "--group", f"{name}-y", "--topic", name, "--to-latest", "--execute"),
            groups("--describe", "--group", f"{name}-y"),
            groups("--delete-offsets", "--group", name, "--topic", f"{name}:0"),
            groups("--delete-offsets", "--group", name, "--topic", f"{name}-x"),
            groups("--describe", "--group", name),
            groups("--delete", "--group", name),
            groups("--delete", "--group", name, "--group", f"{name}-y"),
            groups("--describe", "--group", name),
            groups("--describe"),
            groups("--describe", "--group", name, "--members", "--state"),
            groups("--list", "--delete"),
            groups("--nope"),
            groups("--list", "--state", "Sleepy"),
        ]

    compare(tools, both, topic, story)


def test_several_groups_at_once_and_mistakes(
    tools: tuple[Tools, Tools], both: Both, topic: str, tmp_path: Path
) -> None:
    def story(kind: Tools, broker: Broker, name: str) -> list[Result]:
        name = name.replace(kind.name, kind.name[:4])
        prepared(broker, name, name)
        prepared(broker, f"{name}-z", f"{name}-z")
        file = tmp_path / f"{broker.node.name}-{kind.name}.csv"
        file.write_text(f"{name},{name},0,1\n{name}-z,{name},1,99\n")
        two = ("--group", name, "--group", f"{name}-z")

        def groups(*args: str) -> Result:
            return plain(kind.run("kafka-consumer-groups", "--bootstrap-server", broker.address, *args), name)

        return [
            groups("--describe", *two),
            groups("--describe", *two, "--state"),
            groups("--describe", *two, "--group", f"{name}-x"),
            groups("--reset-offsets", *two, "--all-topics", "--to-earliest", "--dry-run"),
            groups("--reset-offsets", *two, "--all-topics", "--to-earliest", "--export", "--dry-run"),
            groups("--reset-offsets", *two, "--from-file", str(file), "--execute"),
            groups("--describe", *two),
            groups(
                "--reset-offsets", "--group", name, "--topic", f"{name}:0", "--topic", f"{name}-z", "--to-offset", "4"
            ),
            groups("--reset-offsets", "--group", name, "--topic", name, "--to-offset", "-5"),
            groups("--reset-offsets", "--group", f"{name}-n", "--topic", name, "--shift-by", "1"),
            groups("--reset-offsets", "--group", f"{name}-n", "--all-topics", "--to-earliest", "--execute"),
            groups("--reset-offsets", "--group", name, "--topic", f"{name}:x", "--to-latest"),
            groups("--reset-offsets", "--group", name, "--topic", name, "--by-duration", "1H"),
            groups("--reset-offsets", "--group", name, "--topic", name, "--by-duration", "-PT1H"),
            groups("--reset-offsets", "--group", name, "--topic", name, "--to-latest", "--verbose"),
            groups("--reset-offsets", "--group", name, "--from-file", "/nowhere"),
            groups("--delete-offsets", "--group", name, "--topic", f"{name}:0,1", "--topic", f"{name}-x:0"),
            groups("--delete-offsets", "--group", name, "--topic", f"{name}:x"),
            groups("--delete-offsets", "--all-groups", "--topic", name),
            groups("--describe", "--group", name, "--topic", name),
            groups("--describe", "--group", name, "--type"),
            groups("--delete", "--group", name, "--topic", name),
            groups("--delete", "--group", name, "--state"),
            groups("--list", "--verbose"),
            groups("--list", "--timeout", "soon"),
            groups("--validate-regex", "orders-.*"),
            groups("--validate-regex", r"\pL+[[:digit:]]"),
            groups("--validate-regex", "a(?=b)"),
            groups("--validate-regex", "(a"),
            groups("--delete", "--group", name),
            groups("--delete", "--group", f"{name}-z"),
        ]

    compare(tools, both, topic, story)


TIMES = (
    "2023-11-14",
    "2023-11-14T22:13",
    "2023-11-14T22:13:23",
    "2023-11-14 22:13:23.000",
    "2023-11-14T22:13:23.000Z",
    "2023-11-14T22:13:23.000+0100",
    "2023-11-14T22:13:23.000-01",
    "2023-11-14T22:13:23.000+01:00",
    "2023-11-14T22:13:23.5",
    "2023-11-14T22:13:22.0005",
    "2023-11-14T22:13:23.1234",
    "2023-1-4T2:3:4.5",
    "2099-01-01T00:00:00.000",
    "2023-13-14T22:13:23.000",
    "now",
)
DURATIONS = ("P1D", "PT1H30M", "pt1.5s", "PT1,5S", "-P1D", "P1DT", "PT-1H", "P1W", "PT1.5H", "P", "")
NUMBERS = ("abc", "", "1.5", " 3", "+3", "9223372036854775808", "99", "-5")


def test_every_way_to_write_a_place(tools: tuple[Tools, Tools], both: Both, topic: str, tmp_path: Path) -> None:
    def story(kind: Tools, broker: Broker, name: str) -> list[Result]:
        name = name.replace(kind.name, kind.name[:4])
        prepared(broker, name, name)
        prepared(broker, f"{name}.o_dd", f"{name} b,c")
        broker.create(f"{name}-e")
        file = tmp_path / f"{broker.node.name}-{kind.name}.csv"

        def groups(*args: str) -> Result:
            found = kind.run("kafka-consumer-groups", "--bootstrap-server", broker.address, *args)
            return plain(found, name)

        def reset(*args: str) -> Result:
            return groups("--reset-offsets", "--group", name, "--timeout", "5000", *args)

        def from_file(text: str) -> Result:
            file.write_text(text.replace("t,", f"{name},"))
            return reset("--from-file", str(file))

        odd = [f"{name}{rest}" for rest in (":0,1", ":7", ":", ":-1", ": 0", ":0,", ":,0", ":0:1", ":0,0", ",x")]
        both_ways = ("--topic", f"{name}:0", "--topic", name)
        return [
            *(reset("--topic", name, "--to-datetime", text) for text in TIMES),
            *(reset("--topic", name, "--by-duration", text) for text in DURATIONS),
            *(reset("--topic", name, "--to-offset", text) for text in NUMBERS),
            *(reset("--topic", name, "--shift-by", text) for text in NUMBERS if text != "9223372036854775808"),
            *(reset("--topic", text, "--to-latest") for text in (*odd, "", "..", ":0", f"{name}-none")),
            reset(*both_ways, "--to-latest"),
            reset("--topic", name, "--topic", name, "--to-latest"),
            reset("--topic", f"{name}-e", "--to-current"),
            reset("--topic", f"{name}-e", "--by-duration", "PT1H"),
            reset("--all-topics", "--topic", name, "--to-earliest"),
            reset("--all-topics", "--to-offset", "2", "--dry-run", "--execute"),
            *(from_file(text) for text in ("", "t,0,1\n\n", "t,0,x\n", "t,0,-3\n", '"t","0","1"\n', "t,0,1,2,3\n")),
            *(from_file(text) for text in ("t,t,0,3\n", "other,t,0,3\n", "t,0,1\r\nt,1,2\r\n")),
            groups("--reset-offsets", "--group", "", "--topic", name, "--to-earliest"),
            groups("--describe", "--group", f"{name} b,c"),
            groups("--describe", "--group", name, "--state", "Stable"),
            groups("--describe", "--group", name, "--timeout", "0"),
            groups("--delete-offsets", "--group", f"{name}-x", "--topic", name),
            groups("--delete-offsets", "--group", name, "--topic", ""),
            groups("--delete-offsets", "--group", name, "--topic", f"{name}:0,0", "--topic", f"{name}:9"),
            groups("--delete-offsets", "--group", name, "--group", f"{name} b,c", "--topic", name),
            groups("--delete", "--group", ""),
            groups("--delete", "--group", name),
            groups("--delete", "--group", f"{name} b,c"),
        ]

    compare(tools, both, topic, story)


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_groups_with_a_member(tools: tuple[Tools, Tools], both: Both, topic: str, protocol: str) -> None:
    def story(kind: Tools, broker: Broker, name: str) -> list[Result]:
        name = name.replace(kind.name, kind.name[:4])
        prepared(broker, name, name)

        def groups(*args: str) -> Result:
            return plain(kind.run("kafka-consumer-groups", "--bootstrap-server", broker.address, *args), name)

        with a_member(broker, name, name, group_protocol=protocol):
            return [
                groups("--describe", "--group", name),
                groups("--describe", "--group", name, "--verbose"),
                groups("--describe", "--group", name, "--members"),
                groups("--describe", "--group", name, "--members", "--verbose"),
                groups("--describe", "--group", name, "--state"),
                groups("--describe", "--group", name, "--state", "--verbose"),
                groups("--reset-offsets", "--group", name, "--topic", name, "--to-earliest", "--execute"),
                groups("--delete-offsets", "--group", name, "--topic", name),
                groups("--delete", "--group", name),
            ]

    compare(tools, both, topic, story)


def test_groups_on_their_way(tools: tuple[Tools, Tools], both: Both, topic: str) -> None:
    """Of workers that are no consumers, of members that have not synced, of members that wait for others."""

    def story(kind: Tools, broker: Broker, name: str) -> list[Result]:
        name = name.replace(kind.name, kind.name[:4])
        prepared(broker, name, name)

        def groups(*args: str) -> Result:
            found = kind.run("kafka-consumer-groups", "--bootstrap-server", broker.address, *args)
            out = re.sub(rf"(conformance|inst-1)-{UUID}", r"\1-<id>", found.out)
            return plain(found._replace(out=out.replace("still has members", "is not empty")), name)

        def joined(group: str, instance: str | None = None, **fields: str) -> Member:
            coordinator_ready(broker, group)
            member = Member(broker, group, instance, **fields)
            member.protocols = {"range": subscription(name)}
            member.send_join()
            if member.receive_join().error_code:
                member.send_join()
                member.receive_join()
            return member

        def look(group: str) -> list[Result]:
            kinds: tuple[tuple[str, ...], ...] = ((), ("--members",), ("--members", "--verbose"), ("--state",))
            return [groups("--describe", "--group", group, *words) for words in kinds] + [
                groups("--reset-offsets", "--group", group, "--topic", name, "--to-earliest", "--execute"),
                groups("--delete-offsets", "--group", group, "--topic", name),
                groups("--delete", "--group", group),
            ]

        worker = joined(f"{name}-w", protocol_type="connect")
        first = joined(f"{name}-c", "inst-1")
        found = look(f"{name}-w") + look(f"{name}-c")
        second = Member(broker, f"{name}-c")
        second.protocols = first.protocols
        second.send_join()
        second.receive_join()
        second.send_join()
        state = ("--describe", "--group", f"{name}-c", "--state")
        assert until(True, lambda: "PreparingRebalance" in groups(*state).out), "the second member was not heard of"
        found += look(f"{name}-c")
        for member in (worker, first, second):
            member.wire.close()
        return found

    compare(tools, both, topic, story)


VARYING = {"ProducerId", "LastTimestamp", "CurrentTransactionStartTimeMs", "TransactionDurationMs"}


def without_times(table: str) -> str:
    """A table without the columns that no two runs share, and so without padding."""
    rows = [[cell.strip() for cell in line.split("\t")] for line in table.splitlines()]
    shared = [index for index, title in enumerate(rows[0] if rows else []) if title not in VARYING]
    return "\n".join("\t".join([str(len(row)), *(row[i] for i in shared if i < len(row))]) for row in rows)


def test_transactions(tools: tuple[Tools, Tools], both: Both, topic: str, tmp_path: Path) -> None:
    # A partition that does not exist is asked about until the time is over: let that be soon.
    impatient = tmp_path / "impatient.properties"
    impatient.write_text("default.api.timeout.ms=5000\nrequest.timeout.ms=5000\n")

    def story(kind: Tools, broker: Broker, name: str) -> list[Result]:
        name = name.replace(kind.name, kind.name[:4])
        broker.create(name)
        transaction = Transaction(broker, name, 2)
        transaction.init(timeout_ms=600_000)
        transaction.send(name)

        def transactions(*args: str) -> Result:
            settings = ("--bootstrap-server", broker.address, "--command-config", str(impatient))
            found = kind.run("kafka-transactions", *settings, *args)
            assert "Exception" not in found.err.replace("ArgumentParserException", ""), (args, found.err)
            return Result(found.code, without_times(found.out.replace(name, "<name>")), "")

        return [
            transactions("describe", "--transactional-id", name),
            transactions("describe", "--transactional-id", f"{name}-x"),
            transactions("describe-producers", "--topic", name, "--partition", "0"),
            transactions("describe-producers", "--topic", name, "--partition", "7"),
            transactions("find-hanging", "--topic", name),
            transactions("find-hanging"),
            transactions("find-hanging", "--topic", f"{name}-x"),
            transactions("find-hanging", "--partition", "0"),
            transactions("find-hanging", "--broker-id", "1", "--topic", name),
            transactions("list", "--transactional-id-pattern", f"{name}.*"),
            transactions("list", "--transactional-id-pattern", f"{name}.*", "--duration-filter", "3600000"),
            transactions("list", "--transactional-id-pattern", "("),
            transactions("abort", "--topic", name, "--partition", "0", "--start-offset", "5"),
            transactions("abort", "--topic", name, "--partition", "0"),
            transactions("abort", "--topic", name, "--partition", "0", "--producer-id", "1"),
            transactions("abort", "--topic", name, "--partition", "0", "--start-offset", "0"),
            transactions("describe-producers", "--topic", name, "--partition", "0"),
            transactions("nope"),
            transactions("list", "--duration-filter", "soon"),
            transactions("forceTerminateTransaction", "--transactionalId", name),
            transactions("list", "--transactional-id-pattern", f"{name}.*"),
            transactions("forceTerminateTransaction"),
        ]

    compare(tools, both, topic, story)


@pytest.mark.parametrize("which", ["apache", "ours"])
def test_lists_of_the_same_broker(tools: tuple[Tools, Tools], both: Both, topic: str, which: str) -> None:
    """The order of groups depends on their names, so both tool sets must look at the very same ones."""
    broker: Broker = getattr(both, which)
    broker.create(topic, partitions=20)
    for number in range(5):
        coordinator_ready(broker, f"{topic}-{number}")
        commit(broker, f"{topic}-{number}", topic, dict.fromkeys(range(0, 20, 3), 0))
        Transaction(broker, f"{topic}-{number}", 2).init()
    where = ("--bootstrap-server", broker.address)
    reset = ("--reset-offsets", "--dry-run", "--group")
    theirs, mine = tools
    for command in (
        ("kafka-consumer-groups", *where, "--list"),
        ("kafka-consumer-groups", *where, "--list", "--state"),
        ("kafka-consumer-groups", *where, "--list", "--type"),
        ("kafka-consumer-groups", *where, "--list", "--state", "Empty", "--type", "classic"),
        ("kafka-consumer-groups", *where, "--describe", "--all-groups"),
        ("kafka-consumer-groups", *where, "--describe", "--all-groups", "--state"),
        ("kafka-consumer-groups", *where, "--describe", "--all-groups", "--members"),
        ("kafka-consumer-groups", *where, *reset, f"{topic}-3", "--topic", topic, "--to-latest"),
        ("kafka-consumer-groups", *where, *reset, f"{topic}-3", "--topic", topic, "--by-duration", "PT0S"),
        ("kafka-consumer-groups", *where, *reset, f"{topic}-3", "--all-topics", "--shift-by", "-2", "--export"),
        (
            "kafka-consumer-groups",
            *where,
            *reset,
            f"{topic}-3",
            "--group",
            f"{topic}-2",
            "--all-topics",
            "--to-earliest",
        ),
        ("kafka-groups", *where, "--list"),
        ("kafka-groups", *where, "--list", "--consumer"),
        ("kafka-groups", *where, "--list", "--group-type", "consumer"),
        ("kafka-groups", *where, "--list", "--protocol", "consumer"),
        ("kafka-groups", *where, "--list", "--share"),
        ("kafka-groups", *where),
        ("kafka-transactions", *where, "list"),
    ):
        expected, found = (kind.run(*command) for kind in (theirs, mine))
        if command[0] == "kafka-transactions":
            expected, found = (
                each._replace(out="\n".join(sorted(each.out.splitlines()))) for each in (expected, found)
            )
        assert (found.code, found.out) == (expected.code, expected.out), f"{command}: {diff(expected.out, found.out)}"
    names = [f"{topic}-{number}" for number in range(5)]
    deletes = [word for name in names for word in ("--group", name)]
    expected = theirs.run("kafka-consumer-groups", *where, "--delete", *deletes)
    for name in names:
        commit(broker, name, topic, {0: 0})
    found = mine.run("kafka-consumer-groups", *where, "--delete", *deletes)
    assert (found.code, found.out) == (expected.code, expected.out), "the order of names is that of their hashes"
