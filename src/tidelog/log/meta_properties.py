"""`meta.properties`: which cluster and node a log directory belongs to, and the directory's own id."""

from __future__ import annotations

from typing import NamedTuple

from tidelog.log.checkpoints import BadCheckpoint
from tidelog.model import uuids

VERSION = 1


class MetaProperties(NamedTuple):
    cluster_id: str
    node_id: int
    directory_id: bytes | None
    version: int = VERSION


def encode_meta_properties(meta: MetaProperties, written: str = "") -> bytes:
    """`written` is a date for people, kept as a comment."""
    lines = [f"#{written}", f"node.id={meta.node_id}"]
    if meta.directory_id is not None:
        lines.append(f"directory.id={uuids.to_text(meta.directory_id)}")
    lines += [f"version={meta.version}", f"cluster.id={meta.cluster_id}"]
    return "".join(f"{line}\n" for line in lines).encode()


def decode_meta_properties(data: bytes) -> MetaProperties:
    """Reads version 0 (`broker.id`) and 1."""
    try:
        lines = [line.strip() for line in data.decode("latin-1").splitlines()]
        fields = dict(line.split("=", 1) for line in lines if line and line[0] not in "#!")
        version = int(fields.get("version", 0))
        if version not in (0, 1):
            raise BadCheckpoint(f"it has the version {version}, not 0 or 1")
        directory = fields.get("directory.id")
        return MetaProperties(
            fields["cluster.id"],
            int(fields["node.id" if version else "broker.id"]),
            uuids.from_text(directory) if directory else None,
            version,
        )
    except KeyError as error:
        raise BadCheckpoint(f"it has no {error.args[0]}") from None
    except ValueError as error:
        raise BadCheckpoint(str(error)) from None
