"""One connection: frames in, requests handed on, responses out in the order of the requests.

A request is handed on the moment its last byte is there, straight from the receive buffer. The answers of one turn
leave in one write. Nothing is taken from the connection while a request that must run alone is under way, while too
many wait, or while the client does not read its answers: bytes then stay in a bounded buffer and finally in the
client's socket.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from struct import Struct
from struct import error as StructError
from typing import TYPE_CHECKING

from tidelog.api.context import CLOSE, Answer, Connection, RequestContext
from tidelog.api.registry import Handler
from tidelog.config.endpoints import Endpoint
from tidelog.ports import FileRange, Part, RangeUnreadable, Transport
from tidelog.protocol.primitives import DecodeError
from tidelog.protocol.reading import skip_tags
from tidelog.runtime.turn import Turn
from tidelog.server.dispatch import run_decoded
from tidelog.server.garbage import describe
from tidelog.server.inbox import Inbox
from tidelog.server.limits import FRAME_BYTES_PER_SECOND_MIN, FRAME_GRACE_MS

if TYPE_CHECKING:
    from tidelog.server.server import RequestServer

LOG = logging.getLogger(__name__)
# length, api key, version, correlation id, length of the client id
_HEAD = Struct(">ihhih")
_HEAD_UNPACK = _HEAD.unpack_from
_HEAD_BYTES = _HEAD.size
_FRAME_BYTES_MIN = _HEAD_BYTES - 4
_LENGTH = Struct(">i")
_RESPONSE = Struct(">ii")
_RESPONSE_FLEXIBLE = Struct(">iib")
# While requests may not be taken, this much of what follows is still received: so a closing peer is noticed.
_AHEAD_BYTES = 4096
# So many small requests take a few milliseconds; nobody waits longer for one connection.
_REQUESTS_PER_TURN = 200
# Answers of one turn are sent together up to this size.
_OUT_BYTES_MAX = 64 * 1024
API_VERSIONS = 18


class Session:
    __slots__ = (
        "_active_ms",
        "_apis",
        "_busy",
        "_client_id",
        "_client_raw",
        "_closed",
        "_endpoint",
        "_frame_ms",
        "_in_turn",
        "_inbox",
        "_out",
        "_out_bytes",
        "_pending",
        "_resting",
        "_server",
        "_stopped",
        "_transport",
        "_unread",
        "connection",
    )

    connection: Connection
    _transport: Transport

    def __init__(self, server: RequestServer, endpoint: Endpoint) -> None:
        self._server = server
        self._apis = server.apis_of(endpoint.listener_name)
        self._endpoint = endpoint
        self._pending: deque[RequestContext] = deque()
        self._out: list[Part] = []
        self._client_raw = b""
        self._client_id: str | None = ""
        self._inbox: Inbox | None = None
        self._out_bytes = 0
        self._active_ms = self._frame_ms = server.now_ms
        # busy: a request that runs alone is under way; unread: the client does not take its answers
        self._busy = self._unread = self._stopped = False
        self._closed = self._in_turn = self._resting = False

    # the transport's side

    def connection_made(self, transport: Transport) -> None:
        self._transport = transport
        endpoint = self._endpoint
        self.connection = Connection(
            transport.peer_host, transport.peer_port, endpoint.listener_name, endpoint.security_protocol
        )
        self._server.connected(self)

    def get_buffer(self) -> memoryview:
        inbox = self._inbox
        return self._server.buffers.shared if inbox is None else inbox.view[inbox.filled :]

    def buffer_updated(self, length: int) -> None:
        self._active_ms = self._server.now_ms
        inbox = self._inbox
        if inbox is None:
            self._turn(self._server.buffers.shared, length)
        else:
            self._turn(inbox.view, inbox.filled + length)

    def pause_writing(self) -> None:
        self._unread = self._stopped = True

    def resume_writing(self) -> None:
        self._active_ms = self._server.now_ms
        self._unread = False
        self._go_on()

    def connection_lost(self, error: Exception | None) -> None:
        self._closed = True
        if self.connection.on_lost is not None:
            self.connection.on_lost()
        for context in self._pending:
            if context.on_lost is not None:
                context.on_lost()
        self._pending.clear()
        self._out.clear()
        self._drop_inbox()
        self._server.disconnected(self)
        if isinstance(error, RangeUnreadable):
            self._server.broker.logs.range_unreadable(error)

    # taking requests

    def _turn(self, view: memoryview, end: int) -> None:
        """Hands on what is complete in view[:end], sends the answers that are ready, and keeps the rest."""
        position = 0
        turn = self._server.turn
        turn.depth += 1
        turn.owner = self
        self._in_turn = True
        try:
            if not self._stopped:
                position = self._take(view, end)
            if turn.work:
                self._finish(turn)
        except (DecodeError, StructError, IndexError, UnicodeDecodeError) as error:
            self._refuse(f"a request cannot be read: {error}")
        except Exception:
            # A defect of ours: this connection cannot go on, all others can.
            LOG.exception("a request failed")
            self._end()
        finally:
            self._in_turn = False
            turn.depth -= 1
        if self._out:
            self._flush()
        if not self._closed and (position < end or self._inbox is not None):
            self._keep(view, position, end)
        if turn.told and not turn.depth:
            turn.tell()

    def _finish(self, turn: Turn) -> None:
        """Writes what was put off. What had to stop for it goes on in the next turn of the loop."""
        turn.finish()
        if self._stopped and not self._closed and not self._resting:
            if not self._pending:
                self._busy = False
            self._rest()

    def _take(self, view: memoryview, end: int) -> int:
        """Hands on the complete requests; gives the position behind the last one."""
        position = taken = 0
        server = self._server
        apis = self._apis
        while end - position >= _HEAD_BYTES:
            length, key, version, correlation_id, id_length = _HEAD_UNPACK(view, position)
            stop = position + 4 + length
            if stop > end or length < _FRAME_BYTES_MIN:
                break  # incomplete, or no frame at all: `_keep` looks at it
            start = position + _HEAD_BYTES
            position = stop
            api = apis.get(key)
            if api is None or not api.first <= version <= api.last:
                self._unsupported(key, version, correlation_id)
                if self._closed:
                    break
                continue
            if id_length > 0:
                raw = view[start : start + id_length].tobytes()
                if raw != self._client_raw:
                    self._client_id, self._client_raw = raw.decode(), raw
                client_id = self._client_id
                start += id_length
            else:
                client_id = "" if id_length == 0 else None
            if version >= api.flexible_from:
                start = start + 1 if view[start] == 0 else skip_tags(view[:stop], start)
            if start > stop:
                raise DecodeError("the header is longer than the request")
            server.requests[key] += 1
            context = RequestContext(key, version, correlation_id, client_id, self.connection, self._answered)
            handler = api.handler or api.load()
            if handler.raw:
                parts = handler.handle(server.broker, context, view[start:stop])
            else:
                parts = run_decoded(server, handler, context, view[start:stop])
            if type(parts) is bytes and not self._pending:
                self._out.append(parts)
            else:
                self._note(handler, context, parts)
            if self._stopped or self._closed:
                break
            taken += 1
            if taken == _REQUESTS_PER_TURN:
                self._rest()
                break
        return position

    def _rest(self) -> None:
        """This connection has had its share of the turn; others come first, then it goes on with what it has."""
        self._resting = self._stopped = True
        asyncio.get_running_loop().call_soon(self._rested)

    def _rested(self) -> None:
        self._resting = False
        if not self._closed:
            self._go_on()

    def _note(self, handler: Handler, context: RequestContext, parts: Answer | None) -> None:
        """An answer that is not simply the next bytes to send: it waits, waits in line, or has yet to be framed."""
        if parts is None:
            parts = context.parts
        if parts is not None and not self._pending:
            if parts:
                self._frame(context, parts)
            return
        context.parts = parts
        self._pending.append(context)
        if not handler.concurrent:
            self._busy = self._stopped = True
        elif len(self._pending) >= self._server.limits.requests_in_flight_max:
            self._stopped = True

    def _frame(self, context: RequestContext, parts: Answer) -> None:
        if isinstance(parts, bytes):
            self._out.append(parts)
            return
        if parts is CLOSE:
            self._end()
            return
        size = 0
        for part in parts:
            size += part.length if type(part) is FileRange else len(part)
        if context.version >= self._apis[context.api_key].flexible_from and context.api_key != API_VERSIONS:
            self._out.append(_RESPONSE_FLEXIBLE.pack(size + 5, context.correlation_id, 0))
        else:
            self._out.append(_RESPONSE.pack(size + 4, context.correlation_id))
        self._out += parts
        self._out_bytes += size
        if self._out_bytes > _OUT_BYTES_MAX:
            self._flush()

    def _answered(self) -> None:
        """Some request that waited has its answer: all answers at the head of the line may leave."""
        pending = self._pending
        while pending and (parts := pending[0].parts) is not None:
            context = pending.popleft()
            if parts:
                self._frame(context, parts)
        if self._in_turn:
            return
        if self._out:
            self._flush()
        if self._stopped and not self._closed:
            if not pending:
                self._busy = False
            if self._inbox is None or not self._server.turn.depth:
                self._go_on()
            elif not self._resting:
                self._rest()  # the answer came out of another connection's turn, which is not to grow by ours

    def _flush(self) -> None:
        out, self._out = self._out, []
        self._out_bytes = 0
        self._transport.write(out)

    def _go_on(self) -> None:
        """Takes requests again if nothing stands against it."""
        full = len(self._pending) >= self._server.limits.requests_in_flight_max
        inbox = self._inbox
        starved = inbox is not None and inbox.is_starved
        self._stopped = self._busy or self._unread or full or starved or self._resting
        if self._stopped or self._closed:
            return
        if inbox is not None:
            self._frame_ms = self._server.now_ms
            self._turn(inbox.view, inbox.filled)
        if not self._stopped and not self._closed:
            self._transport.resume_reading()

    # keeping what is not complete

    def _keep(self, view: memoryview, position: int, end: int) -> None:
        """What is left of view[position:end] stays until more has come."""
        left = end - position
        if not left:
            self._drop_inbox()
            return
        needed = 4
        if left >= 4:
            needed = _LENGTH.unpack_from(view, position)[0] + 4
            if not _FRAME_BYTES_MIN <= needed - 4 <= self._server.limits.request_bytes_max:
                self._refuse(describe(view[position : min(end, position + 16)].tobytes()))
                return
        inbox = self._inbox
        if inbox is None:
            inbox = self._inbox = Inbox(self._server.buffers, self._go_on)
            self._frame_ms = self._server.now_ms
            inbox.hold(view[position:end], left + _AHEAD_BYTES if self._stopped else needed)
        else:
            if position:
                self._frame_ms = self._server.now_ms
            inbox.shift(position, end)
            if not self._stopped and needed > len(view):
                inbox.hold(view[:left], needed)
        if inbox.is_starved:
            self._stopped = True
            self._transport.pause_reading()
        elif inbox.is_full:
            assert self._stopped, "a session that takes requests has room for the next byte"
            self._transport.pause_reading()

    def _drop_inbox(self) -> None:
        inbox, self._inbox = self._inbox, None
        if inbox is not None:
            inbox.close()

    # ending

    def _unsupported(self, key: int, version: int, correlation_id: int) -> None:
        if key == API_VERSIONS and not self._pending:
            body = self._server.unsupported_api_versions
            self._out += (_RESPONSE.pack(len(body) + 4, correlation_id), body)
            return
        self._refuse(f"API {key} version {version} is not served here")

    def _refuse(self, reason: str) -> None:
        """The peer does not speak the protocol: it is cut off, and the log says so now and then."""
        self._server.refused(self, reason)
        self._end()

    def _end(self) -> None:
        """Sends what is answered, and closes."""
        if self._server.turn.work:
            self._server.turn.finish()
        self._closed = True
        if self._out:
            self._flush()
        self._transport.close()

    def hold_off(self) -> None:
        """New connections come too fast: this one is not read from until `take_up`."""
        self._transport.pause_reading()

    def take_up(self) -> None:
        if not self._stopped and not self._closed:
            self._transport.resume_reading()

    def is_overdue(self, now_ms: int) -> bool:
        """Idle for too long, or feeding a request byte by byte."""
        if now_ms - self._active_ms > self._server.limits.idle_ms and not self._busy:
            return True
        inbox = self._inbox
        if self._stopped or inbox is None:
            return False
        late_ms = now_ms - self._frame_ms - FRAME_GRACE_MS
        return late_ms > 0 and inbox.filled < late_ms * FRAME_BYTES_PER_SECOND_MIN // 1000

    def close(self) -> None:
        self._transport.close()

    def abort(self) -> None:
        self._transport.abort()
