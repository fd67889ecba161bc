"""Object stores by URL: a directory, S3 and whatever speaks its protocol, Google Cloud Storage, Azure.

Everything waits on the event loop, never in it. A store's own errors become OSErrors, as those of a disk are.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from tidelog.config.broker_config import BrokerConfig
from tidelog.config.setting import ConfigError
from tidelog.ports import Buffer, StoredObject

T = TypeVar("T")
SCHEMES = ("file", "s3", "gs", "az")
PART_BYTES = 8 << 20


def open_object_store(url: str, options: Mapping[str, str] | None = None) -> ObstoreStore:
    """ConfigError when the URL or an option cannot be used."""
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES or (parts.scheme != "file" and not parts.netloc):
        raise ConfigError(
            f"tidelog.remote.storage.url {url!r} names no store; write file:///directory, s3://bucket/prefix, "
            "gs://bucket/prefix or az://container/prefix"
        )
    from obstore.exceptions import BaseError
    from obstore.store import LocalStore, from_url

    if parts.scheme == "file":
        directory = unquote(parts.path)
        os.makedirs(directory, exist_ok=True)
        return ObstoreStore(LocalStore(directory), directory)
    given: dict[str, Any] = {name.replace(".", "_"): value for name, value in (options or {}).items()}
    client: dict[str, Any] = {"connect_timeout": "5s", "timeout": "60s"}
    if given.pop("allow_http", "false").lower() == "true":
        client["allow_http"] = True
    prefix = parts.path.strip("/")
    try:
        store = from_url(f"{parts.scheme}://{parts.netloc}", config=given or None, client_options=client)  # type: ignore[call-overload]
    except (BaseError, ValueError, TypeError) as error:
        raise ConfigError(
            f"rsm.config: {_first_line(error)}; see docs/tiered_storage.md for the options of each store"
        ) from None
    return ObstoreStore(store, None, f"{prefix}/" if prefix else "")


def configured_store(config: BrokerConfig) -> ObstoreStore:
    """The store that a node's settings name; without one a directory beside its own."""
    prefix = config.remote_log_storage_manager_impl_prefix
    options = {name.removeprefix(prefix): value for name, value in config.static.items() if name.startswith(prefix)}
    url = config.tidelog_remote_storage_url
    if url is None:
        url = "file://" + os.path.abspath(config.metadata_directory) + "-remote"
    return open_object_store(url, options)


class ObstoreStore:
    """`directory` is where a store of files keeps them: those are synced, which the library leaves to its caller."""

    def __init__(self, store: Any, directory: str | None, prefix: str = "") -> None:
        self._store = store
        self._directory = directory
        self._prefix = prefix

    async def put(self, key: str, data: AsyncIterator[Buffer] | Buffer) -> None:
        import obstore

        if isinstance(data, (bytes, bytearray, memoryview)):
            await self._try(key, lambda: obstore.put_async(self._store, self._prefix + key, bytes(data)))
        else:
            await self._try(
                key, lambda: obstore.put_async(self._store, self._prefix + key, data, chunk_size=PART_BYTES)
            )
        if self._directory is not None:
            await asyncio.get_running_loop().run_in_executor(None, _sync, self._directory, key)

    async def get_range(self, key: str, position: int, length: int) -> Buffer:
        import obstore

        if length == 0:
            return b""
        found = await self._try(
            key, lambda: obstore.get_range_async(self._store, self._prefix + key, start=position, length=length)
        )
        return memoryview(found)

    async def head(self, key: str) -> StoredObject:
        import obstore

        found = await self._try(key, lambda: obstore.head_async(self._store, self._prefix + key))
        return self._stored(found)

    async def list(self, prefix: str) -> Sequence[StoredObject]:
        import obstore

        async def collect() -> list[StoredObject]:
            found: list[StoredObject] = []
            async for batch in obstore.list(self._store, prefix=self._prefix + prefix):
                found += [self._stored(each) for each in batch]
            return found

        return await self._try(prefix, collect)

    async def delete(self, keys: Sequence[str]) -> None:
        import obstore

        for key in keys:
            try:
                await self._try(key, lambda: obstore.delete_async(self._store, self._prefix + key))  # noqa: B023
            except FileNotFoundError:
                continue

    def _stored(self, meta: Any) -> StoredObject:
        key = str(meta["path"]).removeprefix(self._prefix)
        return StoredObject(key, meta["size"], int(meta["last_modified"].timestamp() * 1000))

    async def _try(self, key: str, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        from obstore.exceptions import BaseError

        try:
            return await work()
        except FileNotFoundError as error:
            raise FileNotFoundError(f"{key} is not in remote storage: {error}") from None
        except OSError:
            raise
        except BaseError as error:
            raise OSError(f"remote storage failed at {key}: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0][:300]


def _sync(directory: str, key: str) -> None:
    """The object and the directories above it."""
    path = os.path.join(directory, *key.split("/"))
    while len(path) >= len(directory):
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
        path = os.path.dirname(path)
