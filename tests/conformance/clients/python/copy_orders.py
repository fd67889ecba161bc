"""ADDRESS FROM TO CRASH_AT: copies a topic in transactions of three records, positions included.

With CRASH_AT it ends at once, in the middle of a transaction, when that many records have been sent.
"""

import os
import sys

from confluent_kafka import Consumer, Producer

BATCH = 3


def main(address: str, source: str, target: str, crash_at: int) -> None:
    consumer = Consumer(
        {
            "bootstrap.servers": address,
            "group.id": target,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "isolation.level": "read_committed",
            "enable.partition.eof": True,
            "session.timeout.ms": 6000,
        }
    )
    consumer.subscribe([source])
    producer = Producer({"bootstrap.servers": address, "transactional.id": target, "transaction.timeout.ms": 30_000})
    producer.init_transactions(20)
    sent, at_end = 0, False
    while not at_end:
        records = []
        while len(records) < BATCH and not at_end:
            for message in consumer.consume(1, 1):
                if message.error():
                    at_end = True
                else:
                    records.append(message)
        if not records:
            break
        producer.begin_transaction()
        for record in records:
            producer.produce(target, key=record.key(), value=record.value().upper(), partition=0)
            producer.flush(10)
            sent += 1
            if sent == crash_at:
                os._exit(9)
        producer.send_offsets_to_transaction(
            consumer.position(consumer.assignment()), consumer.consumer_group_metadata(), 20
        )
        producer.commit_transaction(20)
    consumer.close()


if __name__ == "__main__":
    main(*sys.argv[1:4], int(sys.argv[4]))
