"""The table of APIs this node serves. What is not registered is not advertised.

A module of this package registers its handler with `@api(RequestClass)`. Three forms exist: a plain function or a
coroutine that takes the decoded request and gives the response object, and the raw form of the two hot APIs, which
takes the undecoded body and gives the parts of the response, or None when it will call `context.respond` later.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

Handler = TypeVar("Handler", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Api:
    key: int
    name: str
    first: int
    last: int
    flexible_from: int  # a version past the last when no version is flexible
    request: Any
    handler: Callable[..., Any]
    raw: bool
    is_async: bool
    # Further requests of the connection are read while one of these waits; all others run one after the other.
    concurrent: bool
    # Served on controller listeners too.
    controller: bool

    @property
    def versions(self) -> tuple[int, int]:
        return self.first, self.last


_TABLE: dict[int, Api] = {}


def api(
    request: Any, *, raw: bool = False, concurrent: bool = False, controller: bool = False, last: int | None = None
) -> Callable[[Handler], Handler]:
    """Registers a handler. `last` stops short of versions that the schema has but that are not stable yet."""

    def register(handler: Handler) -> Handler:
        key = request.API_KEY
        assert key not in _TABLE or _TABLE[key].handler.__module__ == handler.__module__, f"two handlers for API {key}"
        flexible_from = request.FLEXIBLE_FROM
        first, newest = request.VERSIONS
        _TABLE[key] = Api(
            key,
            request.__name__.removesuffix("Request"),
            first,
            newest if last is None else last,
            newest + 1 if flexible_from is None else flexible_from,
            request,
            handler,
            raw,
            inspect.iscoroutinefunction(handler),
            concurrent,
            controller,
        )
        return handler

    return register


def load() -> dict[int, Api]:
    """Imports every `kNN_*` module once and returns the table, by API key."""
    import tidelog.api as package

    for module in pkgutil.iter_modules(package.__path__):
        if module.name.startswith("k") and module.name[1:3].isdigit():
            importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(_TABLE.items()))
