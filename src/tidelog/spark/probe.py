"""How large the records of a partition are, seen in one small fetch."""

from __future__ import annotations

from tidelog import kernels
from tidelog.client.blocking import BlockingCluster
from tidelog.client.columnar_arrow import schema_of
from tidelog.client.columnar_fetch import Range, RangeReader

_PROBE_BYTES = 64 * 1024


def bytes_per_offset(cluster: BlockingCluster, range_: Range) -> float:
    """Bytes of the first batches over the offsets they cover; 1 when nothing is there."""
    reader = RangeReader(cluster, range_, schema_of(("offset",)), committed=False)
    row = reader.first_answer(_PROBE_BYTES)
    if row is None:
        return 1.0
    records = memoryview(row.records)
    found, _, _ = kernels.walk_batches(records, 0, len(records), False)
    if not found:
        return 1.0
    position, header = found[-1]
    offsets = header[0] + header[6] + 1 - found[0][1][0]
    return (position + header[1] + 12) / max(offsets, 1)
