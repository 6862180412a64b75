"""A server loop on a socket of this machine: uvicorn, without its log and its own way of ending the process."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from swarmkit.contract.errors import MissingError, UsageError, install_hint

if TYPE_CHECKING:
    from uvicorn.protocols.http.h11_impl import H11Protocol


class Bounds(NamedTuple):
    """How long a server takes to end, how many connections it has, and how long they may be idle."""

    grace: int = 2
    """Seconds within which requests have to be answered when the server ends."""
    connections: int = 100
    """Open connections. Where there are more, the one that has been idle longest is closed; where none is idle,
    further requests are refused."""
    idle: float = 5.0
    """Seconds within which the head of a request has to be complete, after the connection or the last answer."""


BOUNDS = Bounds()

BACKLOG = 128
"""Connections that the system keeps until they are taken; so many are taken before any is served."""


def listen(host: str, port: int, *, public: bool = False) -> socket.socket:
    """Return a socket that listens on a loopback address, or on any.

    Args:
        host: `localhost`, or a loopback address: other machines reach nothing of this server.
        port: the port; 0 is any that is free.
        public: whether addresses that other machines reach are accepted; the server then needs a token.
    """
    address = "127.0.0.1" if host == "localhost" else host.strip("[]")
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        raise UsageError(f"'{host}' is no address; expected localhost, 127.0.0.1 or ::1") from None
    if not (public or number.is_loopback):
        raise UsageError(
            f"{host} can be reached by other machines; expected a loopback address, for instance 127.0.0.1"
        )
    listener = socket.socket(socket.AF_INET6 if number.version == 6 else socket.AF_INET, socket.SOCK_STREAM)
    try:
        # A port that a server of ours has just left is free at once, not only after a minute.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address, port))
    except OSError as error:
        listener.close()
        way = f"end the program that has it, or choose another port ({error.strerror})"
        raise UsageError(f"cannot listen on {host}, port {port}: {way}") from None
    except OverflowError:
        listener.close()
        raise UsageError(f"there is no port {port}; expected 1 to 65,535, or 0 for any that is free") from None
    listener.listen(BACKLOG)
    return listener


def run(
    app: Any,
    opened: socket.socket,
    *,
    ready: Callable[[], None] | None = None,
    closing: Callable[[], None] | None = None,
    extra: str = "studio",
    bounds: Bounds = BOUNDS,
) -> None:
    """Serve an application until Ctrl-C or a termination signal, and then return when open requests are answered.

    Args:
        app: the application, behind its guard.
        opened: the socket that `listen` returned.
        ready: called when requests are answered, for instance to open a browser.
        closing: called when the server is about to end, so that answers which go on for ever can end.
        extra: the extra that brings uvicorn, for the message if it is missing.
        bounds: how long open requests have, and the number of connections.
    """
    try:
        import uvicorn
    except ModuleNotFoundError:
        raise MissingError(f"a server needs uvicorn: {install_hint(extra)}") from None

    class Server(uvicorn.Server):
        """A server that says when it is ready."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            if ready is not None and not self.should_exit:
                ready()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            if closing is not None:
                closing()
            await super().shutdown(sockets=sockets)

    connections = min(bounds.connections, most_descriptors() // 2)
    settings = uvicorn.Config(
        app,
        http=bounded_protocol(connections, bounds.idle),
        ws="none",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,  # nor a date: nothing that says who answers
        date_header=False,
        proxy_headers=False,  # anybody can send X-Forwarded-For
        limit_concurrency=connections,
        backlog=BACKLOG,
        timeout_graceful_shutdown=bounds.grace,
    )
    try:
        Server(settings).run(sockets=[opened])
    except KeyboardInterrupt:  # uvicorn raises the signal that ended it once more when everything is answered
        pass
    finally:
        opened.close()


def most_descriptors() -> int:
    """Return how many files and sockets this process may have open."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return 1000
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return most if most != resource.RLIM_INFINITY else 1 << 20


def bounded_protocol(connections: int, idle: float) -> type[H11Protocol]:
    """Return a protocol of uvicorn whose idle connections are closed: they would keep others out, without a token.

    It is the one on h11, which is strict and in Python: odd requests are refused, and there is nothing to compile.

    Args:
        connections: the number of connections from which on a new one closes the one that has been idle longest.
        idle: seconds within which the head of a request has to be complete.
    """
    from uvicorn.protocols.http.h11_impl import H11Protocol

    waiting: dict[H11Protocol, asyncio.TimerHandle] = {}  # the connections without a request, the longest first

    class BoundedProtocol(H11Protocol):
        """A connection that is closed if a request is not there in time, or room is needed."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if len(self.connections) >= connections and waiting:
                oldest = next(iter(waiting))
                waiting.pop(oldest).cancel()
                oldest.transport.close()
            self._wait()

        def handle_events(self) -> None:
            super().handle_events()
            if self.cycle is not None and not self.cycle.response_complete:
                self._end_wait()

        def on_response_complete(self) -> None:
            self._wait()  # before the call: it takes up a request that is there already
            super().on_response_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            self._end_wait()
            super().connection_lost(exc)

        def _wait(self) -> None:
            """Wait for a request: bytes that are none do not prolong it, as they do uvicorn's own time limit."""
            waiting[self] = self.loop.call_later(idle, self.transport.close)

        def _end_wait(self) -> None:
            if (timer := waiting.pop(self, None)) is not None:
                timer.cancel()

    return BoundedProtocol
