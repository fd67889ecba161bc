"""A client of a schema registry, as much as values need. A schema that has an id is kept: it never changes."""

from __future__ import annotations

import base64
import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.values.framing import Undecodable

TIMEOUT_S = 10.0


@dataclass(frozen=True)
class Registry:
    """Where schemas are kept. Without a schema of its own, the newest of the subject is taken."""

    url: str
    subject: str = ""
    schema: Any = None
    user: str = ""
    """`name:password`, for a registry that asks for it."""


def registry(url: str, *, subject: str = "", schema: Any = None, user: str = "") -> Registry:
    """`avro=registry("http://localhost:8081")`; the subject is `<topic>-value` unless it is said."""
    return Registry(url.rstrip("/"), subject, schema, user)


class UnknownSchema(Undecodable):
    """The registry has no schema of that id."""


_by_id: dict[tuple[str, int, str], str] = {}


def schema_by_id(where: Registry, schema_id: int, form: str = "") -> str:
    """The text of a schema. An id that is not there is the record's fault; a registry that is away is not."""
    known = (where.url, schema_id, form)
    if known not in _by_id:
        query = f"?format={form}" if form else ""
        try:
            found = _ask(where, f"/schemas/ids/{schema_id}{query}")
        except urllib.error.HTTPError as error:
            if error.code == 404:
                raise UnknownSchema(f"the registry at {where.url} has no schema {schema_id}") from None
            raise _away(where, error) from error
        _by_id[known] = found["schema"]
    return _by_id[known]


def newest(where: Registry, topic: str) -> tuple[int, str]:
    """The id and the text of the subject's newest schema."""
    subject = where.subject or f"{topic}-value"
    try:
        found = _ask(where, f"/subjects/{subject}/versions/latest")
    except urllib.error.HTTPError as error:
        if error.code == 404:
            raise PipelineError(
                f"the registry at {where.url} has no subject '{subject}'; "
                "register a schema there, or name another with registry(url, subject=...)"
            ) from None
        raise _away(where, error) from error
    return found["id"], found["schema"]


def register(where: Registry, topic: str, schema: str, kind: str) -> int:
    """The id under which the registry keeps this schema."""
    subject = where.subject or f"{topic}-value"
    try:
        found = _ask(where, f"/subjects/{subject}/versions", {"schema": schema, "schemaType": kind})
    except urllib.error.HTTPError as error:
        if error.code in (409, 422):
            said = error.read().decode("utf-8", "replace")[:300]
            raise PipelineError(f"the registry refuses the schema for '{subject}': {said}") from None
        raise _away(where, error) from error
    return int(found["id"])


def _ask(where: Registry, path: str, body: dict[str, str] | None = None) -> Any:
    headers = {"Accept": "application/vnd.schemaregistry.v1+json, application/json"}
    if where.user:
        headers["Authorization"] = "Basic " + base64.b64encode(where.user.encode()).decode()
    if body is not None:
        headers["Content-Type"] = "application/vnd.schemaregistry.v1+json"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(where.url + path, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            return json.load(answer)
    except urllib.error.HTTPError:
        raise
    except (OSError, ValueError) as error:
        raise _away(where, error) from error


def _away(where: Registry, error: Exception) -> PipelineError:
    return PipelineError(
        f"the schema registry at {where.url} does not answer ({error}); start it or correct its address"
    )
