"""One consume-transform-produce worker, to be killed at any moment.

Reads the input in a group, writes one output record for each input record in a transaction together with the positions,
and aborts some transactions on purpose. Before a transaction and after its end it writes a line to its journal, so that
a judge knows what it was told: `begin NAME value value...`, `ok NAME`, `aborted NAME`.
"""

import argparse
import random
import signal
import sys
import time
from pathlib import Path
from typing import TextIO

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer

RUNNING = True


def stop(*_: object) -> None:
    global RUNNING
    RUNNING = False


class Worker:
    def __init__(self, args: argparse.Namespace, journal: TextIO) -> None:
        self.args = args
        self.journal = journal
        self.random = random.Random(args.seed)
        self.count = 0
        self.incarnation = f"{args.name}.{args.seed}"
        self.producer = Producer(
            {
                "bootstrap.servers": args.bootstrap,
                "transactional.id": args.name,
                "transaction.timeout.ms": 10_000,
                "linger.ms": 0,
            }
        )
        self.producer.init_transactions(30)
        self.consumer = Consumer(
            {
                "bootstrap.servers": args.bootstrap,
                "group.id": args.group,
                # Static, so that a worker that was killed takes its partitions back as soon as it is started again.
                "group.instance.id": args.name,
                "enable.auto.commit": False,
                # Every partition has an offset from the beginning on; to begin anew would be to copy twice. librdkafka
                # takes one that a transaction holds for none when a rebalance comes meanwhile.
                "auto.offset.reset": "error",
                "isolation.level": "read_committed",
                "session.timeout.ms": 6_000,
                # A seek after an abort waits for the fetch that is under way: let that be short.
                "fetch.wait.max.ms": 10,
                "max.poll.interval.ms": 60_000,
                "partition.assignment.strategy": self.args.strategy,
            }
        )
        self.consumer.subscribe([args.source])

    def note(self, line: str) -> None:
        self.journal.write(line + "\n")
        self.journal.flush()

    def run(self) -> None:
        while RUNNING:
            messages = []
            for each in self.consumer.consume(self.args.batch, 0.5):
                error = each.error()
                if error is None:
                    messages.append(each)
                elif error.fatal() or error.code() == KafkaError._AUTO_OFFSET_RESET:
                    raise KafkaException(error)  # fenced, or without a position: only a new consumer goes on
            if messages:
                self.transact(messages)
        self.consumer.close()

    def transact(self, messages: list[Message]) -> None:
        self.count += 1
        name = f"{self.incarnation}.{self.count}"
        values = [f"{(each.value() or b'').decode()}@{name}" for each in messages]
        self.note(f"begin {name} {' '.join(values)}")
        self.producer.begin_transaction()
        try:
            for message, value in zip(messages, values, strict=True):
                self.producer.produce(self.args.sink, value.encode(), partition=message.partition())
            self.producer.send_offsets_to_transaction(
                self.consumer.position(self.consumer.assignment()), self.consumer.consumer_group_metadata(), 30
            )
            if self.random.random() < self.args.abort:
                self.give_up(name)
            else:
                self.producer.commit_transaction(30)
                self.note(f"ok {name}")
        except KafkaException as error:
            self.failed(name, error)

    def failed(self, name: str, error: KafkaException) -> None:
        reason: KafkaError = error.args[0]
        if reason.txn_requires_abort():
            self.give_up(name)
        elif reason.retriable():
            while reason.retriable():
                try:
                    self.producer.commit_transaction(30)
                    self.note(f"ok {name}")
                    return
                except KafkaException as again:
                    reason = again.args[0]
            self.failed(name, KafkaException(reason))
        else:
            raise error

    def give_up(self, name: str) -> None:
        """Aborts and goes back to the committed positions, as every consume-transform-produce loop must."""
        self.producer.abort_transaction(30)
        self.note(f"aborted {name}")
        for partition in self.consumer.committed(self.consumer.assignment(), 30):
            if partition.offset < 0:
                raise KafkaException(partition.error or KafkaError(KafkaError._NO_OFFSET, f"{partition} is not known"))
            self.consumer.seek(partition)


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("bootstrap", "name", "group", "source", "sink", "journal"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--abort", type=float, default=0.1)
    parser.add_argument("--batch", type=int, default=10)
    parser.add_argument("--strategy", default="range")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, stop)
    with Path(args.journal).open("a") as journal:
        try:
            Worker(args, journal).run()
        except KafkaException as error:
            print(f"{args.name} ends and is started again: {error}", file=sys.stderr)
            time.sleep(0.1)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
