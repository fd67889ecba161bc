"""What a reader of committed records finds in a topic."""

from tidelog.client.blocking import BlockingCluster
from tidelog.client.blocking_offsets import EARLIEST, LATEST, list_offsets, partitions_of
from tidelog.client.columnar_arrow import schema_of
from tidelog.client.columnar_fetch import Range, RangeReader


def committed_keys(address: str, topic: str) -> list[str]:
    """The keys, sorted. Transactions that are being ended are waited for: EndTxn is answered before its markers."""
    found = []
    with BlockingCluster({"bootstrap.servers": address}) as cluster:
        keys = partitions_of(cluster, [topic])
        first = list_offsets(cluster, dict.fromkeys(keys, EARLIEST), committed=False)
        end = list_offsets(cluster, dict.fromkeys(keys, LATEST), committed=False)
        for key in keys:
            for batch in RangeReader(cluster, Range(*key, first[key], end[key]), schema_of(("key",))).batches():
                found += [value.decode() for value in batch.column("key").to_pylist()]
    return sorted(found)
