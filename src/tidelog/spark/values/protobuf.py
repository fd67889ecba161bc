"""Protobuf values, framed for a registry or bare. Schemas are descriptors: a file that protoc made, a generated class,
or the registry's serialized form; a `.proto` text is compiled when grpcio-tools is there. What is made here pickles.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.values import framing
from tidelog.spark.values.framing import Undecodable
from tidelog.spark.values.protobuf_types import fill, row_of
from tidelog.spark.values.registry import Registry, newest, register, schema_by_id

_WELL_KNOWN = {
    f"google/protobuf/{name}.proto": f"google.protobuf.{name}_pb2"
    for name in ("any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers")
}


@dataclass(frozen=True)
class Protobuf:
    """The files that define a message, the message's full name, and the registry when values are framed."""

    files: bytes
    message: str
    where: Registry | None = None
    schema_id: int | None = None

    def message_class(self) -> Any:
        pool = descriptor_pool.DescriptorPool()
        for file in descriptor_pb2.FileDescriptorSet.FromString(self.files).file:
            pool.Add(file)
        try:
            found = pool.FindMessageTypeByName(self.message)
        except KeyError:
            raise PipelineError(f"the Protobuf files have no message '{self.message}'") from None
        return message_factory.GetMessageClass(found)

    def decoder(self) -> Callable[[bytes], dict[str, Any]]:
        kind = self.message_class()
        checked: set[tuple[int, tuple[int, ...]]] = set()

        def decode(value: bytes) -> dict[str, Any]:
            at = 0
            if self.where is not None:
                schema_id, at = framing.split(value)
                path, at = framing.message_path(value, at)
                if (schema_id, path) not in checked:
                    self._check(schema_id, path)
                    checked.add((schema_id, path))
            try:
                return row_of(kind.FromString(value[at:]))
            except DecodeError as error:
                raise Undecodable(f"the value is not a Protobuf {self.message}: {error}") from None
            except (ValueError, OverflowError) as error:
                raise Undecodable(f"a field of the {self.message} has no column's value: {error}") from None

        return decode

    def _check(self, schema_id: int, path: tuple[int, ...]) -> None:
        """A value of another message of the same file would be read as nonsense without this."""
        assert self.where is not None
        if schema_id == self.schema_id:
            found = _name_at(descriptor_pb2.FileDescriptorSet.FromString(self.files).file[-1], path)
        else:
            found = _name_at(_file(schema_by_id(self.where, schema_id, "serialized")), path)
        if found != self.message:
            raise Undecodable(f"the value is a '{found}', not a '{self.message}'")

    def encoder(self) -> Callable[[dict[str, Any]], bytes]:
        kind = self.message_class()
        head = b""
        if self.schema_id is not None:
            file = descriptor_pb2.FileDescriptorSet.FromString(self.files).file[-1]
            head = framing.frame(self.schema_id) + framing.framed_path(_path_to(file, self.message))

        def encode(row: dict[str, Any]) -> bytes:
            return head + bytes(fill(kind(), row).SerializeToString(deterministic=True))

        return encode


def resolve(given: Any, topic: str, *, write: bool = False) -> Protobuf:
    """From what a declaration says: `file.desc:package.Message`, a generated class, or a registry with one of them."""
    if not isinstance(given, Registry):
        return _local(given)
    if given.schema is None:
        schema_id, _ = newest(given, topic)
        file = _file(schema_by_id(given, schema_id, "serialized"))
        return Protobuf(_set(file), _name_at(file, (0,)), given, schema_id)
    local = _local(given.schema)
    if not write:
        return Protobuf(local.files, local.message, given)
    main = descriptor_pb2.FileDescriptorSet.FromString(local.files).file[-1]
    text = base64.b64encode(main.SerializeToString()).decode()
    return Protobuf(local.files, local.message, given, register(given, topic, text, "PROTOBUF"))


def _local(given: Any) -> Protobuf:
    if hasattr(given, "DESCRIPTOR"):
        files: dict[str, Any] = {}
        _with_imports(given.DESCRIPTOR.file, files)
        return Protobuf(_set(*files.values()), given.DESCRIPTOR.full_name)
    path, _, message = str(given).rpartition(":")
    if not path or not message:
        raise PipelineError(f"write protobuf='{given}:package.Message', the file and the message in it")
    if not Path(path).is_file():
        raise PipelineError(f"there is no Protobuf file '{path}'")
    if path.endswith(".proto"):
        return Protobuf(_compiled(Path(path)), message)
    return Protobuf(Path(path).read_bytes(), message)


def _compiled(path: Path) -> bytes:
    import tempfile

    try:
        from grpc_tools import protoc
    except ImportError:
        raise PipelineError(
            f"'{path}' must be compiled: pip install grpcio-tools, or run "
            f"protoc --include_imports --descriptor_set_out={path.stem}.desc {path.name} and name that file"
        ) from None
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/out.desc"
        words = ["protoc", f"-I{path.parent}", "--include_imports", f"--descriptor_set_out={out}", str(path)]
        if protoc.main(words) != 0:
            raise PipelineError(f"'{path}' does not compile; the lines above say why")
        return Path(out).read_bytes()


def _with_imports(file: Any, found: dict[str, Any]) -> None:
    for each in file.dependencies:
        if each.name not in found:
            _with_imports(each, found)
    proto = descriptor_pb2.FileDescriptorProto()
    file.CopyToProto(proto)
    found[file.name] = proto


def _set(*files: Any) -> bytes:
    """The files, and before them those of Protobuf's own types that they import and that are not among them."""
    names = {file.name for file in files}
    needed = {each for file in files for each in file.dependency if each not in names and each in _WELL_KNOWN}
    found: dict[str, Any] = {}
    for name in sorted(needed):
        _with_imports(import_module(_WELL_KNOWN[name]).DESCRIPTOR, found)
    return bytes(descriptor_pb2.FileDescriptorSet(file=[*found.values(), *files]).SerializeToString())


def _file(serialized: str) -> Any:
    return descriptor_pb2.FileDescriptorProto.FromString(base64.b64decode(serialized))


def _name_at(file: Any, path: tuple[int, ...]) -> str:
    names, messages = [file.package] if file.package else [], file.message_type
    for index in path:
        if not 0 <= index < len(messages):
            raise Undecodable(f"the value names message {list(path)} of a file that has no such message")
        names.append(messages[index].name)
        messages = messages[index].nested_type
    return ".".join(names)


def _path_to(file: Any, message: str) -> tuple[int, ...]:
    rest = message[len(file.package) + 1 :] if file.package else message
    path, messages = [], file.message_type
    for name in rest.split("."):
        index = [each.name for each in messages].index(name)
        path.append(index)
        messages = messages[index].nested_type
    return tuple(path)
