"""A server loop on a socket of this machine: uvicorn, without its log and its own way of ending the process."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from typing import Any, NamedTuple

from swarmkit.contract.errors import MissingError, UsageError, install_hint


class Bounds(NamedTuple):
    """How long a server takes to end, and how many connections it has."""

    grace: int = 2
    """Seconds within which requests have to be answered when the server ends."""
    connections: int = 100
    """Open connections, idle ones included; further ones are refused."""


BOUNDS = Bounds()


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
    listener.listen(128)
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

    settings = uvicorn.Config(
        app,
        http="h11",  # strict, in Python: odd requests are refused, and there is nothing to compile
        ws="none",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,  # nor a date: nothing that says who answers
        date_header=False,
        proxy_headers=False,  # anybody can send X-Forwarded-For
        limit_concurrency=bounds.connections,
        timeout_graceful_shutdown=bounds.grace,
    )
    try:
        Server(settings).run(sockets=[opened])
    except KeyboardInterrupt:  # uvicorn raises the signal that ended it once more when everything is answered
        pass
    finally:
        opened.close()
