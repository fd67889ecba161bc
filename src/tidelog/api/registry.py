"""The table of APIs this node serves: those that have a module `kNN_*` here. What is not here is not advertised.

Versions come from the generated table, so a module, with the messages it needs, is imported only when a request of its
API arrives. It registers its handler with `@api(RequestClass)`. Four forms exist: a plain function or a coroutine that
takes the decoded request and gives the response object; a function that is also given what takes the response, now or
later; and the raw form of the hot APIs, which takes the undecoded body and gives the parts of the response, or None
when it will call `context.respond` later.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from tidelog.protocol import messages

Function = TypeVar("Function", bound=Callable[..., Any])
# Nearly every client begins with these.
HOT = (0, 1, 2, 3, 18)


class Handler(NamedTuple):
    request: Any
    handle: Callable[..., Any]
    raw: bool
    is_async: bool
    # Further requests of the connection are read while one of these waits; all others run one after the other.
    concurrent: bool
    # Answered by the active controller: a broker that is not it sends the request on.
    controller: bool = False
    # Takes a fourth argument, `answer`, and calls it with the response.
    later: bool = False
    # Looks at the undecoded body first, and gives the whole frame of the answer if it knows that.
    repeated: Callable[..., bytes | None] | None = None


_HANDLERS: dict[int, Handler] = {}


def api(
    request: Any,
    *,
    raw: bool = False,
    concurrent: bool = False,
    controller: bool = False,
    later: bool = False,
    repeated: Callable[..., bytes | None] | None = None,
) -> Callable[[Function], Function]:
    def register(handle: Function) -> Function:
        known = _HANDLERS.get(request.API_KEY)
        assert known is None or known.handle.__module__ == handle.__module__, f"two handlers for {request.__name__}"
        is_async = inspect.iscoroutinefunction(handle)
        _HANDLERS[request.API_KEY] = Handler(request, handle, raw, is_async, concurrent, controller, later, repeated)
        return handle

    return register


@dataclass(slots=True)
class Api:
    key: int
    name: str
    first: int
    last: int
    advertised_first: int
    flexible_from: int  # a version past the last when no version is flexible
    on_controller: bool
    module: str
    handler: Handler | None = None
    on_broker: bool = True

    def load(self) -> Handler:
        """Imports the module that serves this API, once."""
        importlib.import_module(self.module)
        self.handler = _HANDLERS[self.key]
        return self.handler


def load(preload: Iterable[int] = HOT) -> dict[int, Api]:
    """The table, by API key."""
    import tidelog.api as package

    found: dict[int, Api] = {}
    for module in pkgutil.iter_modules(package.__path__):
        number = module.name[1:].partition("_")[0]
        if module.name[0] == "k" and number.isdigit():
            found[int(number)] = _entry(int(number), f"{package.__name__}.{module.name}")
    for key in preload:
        found[key].load()
    return dict(sorted(found.items()))


def _entry(key: int, module: str) -> Api:
    known = messages.APIS[key]
    return Api(
        key,
        known.name,
        known.min_version,
        known.max_version,
        known.advertised_from,
        known.max_version + 1 if known.flexible_from is None else known.flexible_from,
        known.on_controller,
        module,
        on_broker=known.on_broker,
    )
