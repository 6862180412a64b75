"""What a guarded server accepts: hosts, credentials, sizes, and the headers of its answers."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from http import HTTPStatus

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""The names under which a machine reaches itself."""

LARGEST = 1 << 20
"""Bytes of the largest body, where nothing else is said."""

POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The content security policy of an answer that brings none of its own: it may load and run nothing."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""The headers of every answer; an answer may bring values of its own."""


class Reply(Exception):
    """An answer that the guard gives in the application's place: mostly a refusal, with a sentence that says why."""

    def __init__(self, status: HTTPStatus, text: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(text)
        self.status, self.text, self.headers = status, text, headers or {}


@dataclass
class Rules:
    """What a server accepts.

    A server has either a `ticket`, which the first visit exchanges for a cookie (people with a browser), or a `bearer`
    token, which every request carries (programs), or neither.
    """

    port: int
    """The port on which the server listens: it is part of the `Host` that a request names."""
    hosts: tuple[str, ...] = ()
    """Further hosts besides the loopback names, as `name` or `name:port` (behind a proxy, for instance)."""
    ticket: str | None = None
    """A token that is exchanged once, by `GET /?token=TICKET`, for a cookie."""
    bearer: str | None = None
    """The token of `Authorization: Bearer TOKEN`."""
    largest: int = LARGEST
    """Bytes of the largest body."""
    patience: float = 30.0
    """Seconds within which a body has to be complete."""
    api: tuple[str, ...] = ("/",)
    """The beginnings of the paths where a refusal is JSON, `{"error": sentence}`; elsewhere it is plain text."""
    public: frozenset[str] = frozenset()
    """The paths that need neither cookie nor token."""
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    """The value of the cookie: never in a URL, and of no use after the server has ended."""

    @property
    def cookie_name(self) -> str:
        """The name of the cookie: browsers share cookies between the ports of a host, so it has the port in it."""
        return f"swarmkit-{self.port}"

    def allows(self, host: str) -> bool:
        """Return whether a `Host` header names this server: DNS rebinding brings foreign names to a loopback address.

        >>> rules = Rules(port=8765, hosts=("wsd.example",))
        >>> [rules.allows(h) for h in ("localhost:8765", "[::1]:8765", "wsd.example", "localhost", "evil.example:8765")]
        [True, True, True, False, False]
        """
        given, port = host.lower(), f":{self.port}"
        ours = {name + port for name in LOOPBACK} | (set(LOOPBACK) if self.port == 80 else set())
        for told in map(str.lower, self.hosts):
            bare = ":" not in told.rpartition("]")[2]
            ours |= {told, told + port} if bare else {told}
        return given in ours
