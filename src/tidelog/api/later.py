"""What a handler is given to answer with, when its answer may come later: no coroutine and no task."""

from __future__ import annotations

import logging
from typing import Any

from tidelog.api.context import CLOSE, Answer, RequestContext
from tidelog.api.registry import Handler
from tidelog.api.running import failure

LOG = logging.getLogger(__name__)


class Later:
    """Called once, with the response object."""

    __slots__ = ("_context", "_handler")

    def __init__(self, handler: Handler, context: RequestContext) -> None:
        self._handler = handler
        self._context = context

    def __call__(self, response: Any) -> None:
        context = self._context
        try:
            parts: Answer = response.encode_parts(context.version)
        except Exception:
            LOG.exception(
                "the answer to %s version %d cannot be written", self._handler.request.__name__, context.version
            )
            parts = CLOSE
        context.respond(parts)

    def failed(self, error: Exception) -> None:
        """The whole request failed; nothing more is said when it was answered before."""
        if self._context.parts is None:
            self(failure(self._handler, self._context, error))
