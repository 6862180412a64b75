"""The guard before a local web application, in plain ASGI: what is refused never reaches the application.

A server on a loopback address is not private: every page in the user's browser can send requests to it, a foreign name
can be made to point to it (DNS rebinding), and so can other users of the machine. The guard therefore lets a request
through only if its Host is one of ours, it was not sent by a foreign page (Origin, Sec-Fetch-Site), its method is GET,
HEAD or POST, a POST is JSON (which no form can send, and foreign scripts only after a preflight, which is refused), its
body is small, and it carries the cookie or the token. Answers get the headers of `rules.HEADERS`, never those of CORS.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs

from swarmkit.serving.rules import HEADERS, Reply, Rules

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

METHODS = ("GET", "HEAD", "POST")

AGAIN = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/">'
    '<title>swarmkit</title><p><a href="/">Continue</a></p></html>'
)
"""The page after a link on a foreign page was followed: a redirection would not carry the strict cookie, this does."""


class Guard:
    """ASGI middleware that lets through only requests which obey some rules.

    Args:
        app: the application behind the guard.
        rules: what is accepted.
    """

    def __init__(self, app: App, rules: Rules) -> None:
        self.app, self.rules = app, rules
        self._ticket = rules.ticket

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the application, or answer it with the reason why not."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            try:
                body = await self._admit(scope, receive)
            except Reply as reply:
                await self._answer(scope, send, reply)
            else:
                await self.app(scope, body, with_headers(send))

    async def _admit(self, scope: Scope, receive: Receive) -> Receive:
        """Return where the application reads the body, after every check was passed."""
        headers = Headers(scope)
        check_host(headers, self.rules)
        check_origin(headers, scope, cookie=self.rules.ticket is not None)
        check_method(headers, scope)
        self._check_credentials(headers, scope)
        if scope["method"] != "POST":
            return receive
        return replayed(await read_body(headers, receive, self.rules), receive)

    def _check_credentials(self, headers: Headers, scope: Scope) -> None:
        rules = self.rules
        if scope["path"] in rules.public:
            return
        if rules.bearer is not None:
            kind, _, token = headers.one("authorization").partition(" ")
            if kind.lower() != "bearer" or not same(token.strip(), rules.bearer):
                sentence = "this server needs its token: send the header 'Authorization: Bearer TOKEN'"
                raise Reply(HTTPStatus.UNAUTHORIZED, sentence, {"www-authenticate": "Bearer"})
        if rules.ticket is not None:
            self._exchange(headers, scope)
            if not any(same(value, rules.cookie) for value in headers.cookies(rules.cookie_name)):
                sentence = "not signed in: open the address that the command printed when it started"
                raise Reply(HTTPStatus.UNAUTHORIZED, sentence)

    def _exchange(self, headers: Headers, scope: Scope) -> None:
        """Exchange a ticket in the URL for the cookie, once; the next address has no ticket in it."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token")
        if given is None or scope["path"] != "/" or scope["method"] != "GET":
            return
        if self._ticket is None or len(given) != 1 or not same(given[0], self._ticket):
            if any(same(value, self.rules.cookie) for value in headers.cookies(self.rules.cookie_name)):
                raise Reply(HTTPStatus.SEE_OTHER, "", {"location": "/"})  # the same browser, once more
            sentence = "the token is wrong or was used before: it is good for one browser; start the command again"
            raise Reply(HTTPStatus.UNAUTHORIZED, sentence)
        self._ticket = None
        cookie = f"{self.rules.cookie_name}={self.rules.cookie}; Path=/; HttpOnly; SameSite=Strict"
        if headers.one("sec-fetch-site") == "cross-site":
            raise Reply(HTTPStatus.OK, AGAIN, {"set-cookie": cookie, "content-type": "text/html; charset=utf-8"})
        raise Reply(HTTPStatus.SEE_OTHER, "", {"set-cookie": cookie, "location": "/"})

    async def _answer(self, scope: Scope, send: Send, reply: Reply) -> None:
        is_json = reply.status >= 400 and scope["path"].startswith(self.rules.api)
        text = json.dumps({"error": reply.text}) if is_json else reply.text
        kind = "application/json" if is_json else "text/plain; charset=utf-8"
        body = text.encode()
        headers = {"content-type": kind, "content-length": str(len(body)), **reply.headers}
        start = {"type": "http.response.start", "status": int(reply.status), "headers": raw(headers)}
        await with_headers(send)(start)
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


class Headers:
    """The headers of a request."""

    def __init__(self, scope: Scope) -> None:
        self._found: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            self._found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))

    def one(self, name: str) -> str:
        """Return the value of a header that may be there once; nothing is an empty text."""
        values = self._found.get(name, [])
        if len(values) > 1:
            raise Reply(HTTPStatus.BAD_REQUEST, f"the header '{name}' is there {len(values)} times; expected one")
        return values[0].strip() if values else ""

    def cookies(self, name: str) -> list[str]:
        """Return the values of the cookies of a name."""
        pairs = (pair.strip().partition("=") for line in self._found.get("cookie", []) for pair in line.split(";"))
        return [value for key, _, value in pairs if key == name]


def check_host(headers: Headers, rules: Rules) -> None:
    """Refuse a request whose Host is not this server."""
    host = headers.one("host")
    if not rules.allows(host):
        sentence = (
            f"the host '{host[:100]}' is not served here; expected localhost:{rules.port} or 127.0.0.1:{rules.port}"
        )
        raise Reply(HTTPStatus.MISDIRECTED_REQUEST, sentence)


def check_origin(headers: Headers, scope: Scope, *, cookie: bool) -> None:
    """Refuse a request that a foreign page sent; with a cookie, a POST has to say where it comes from."""
    origin, host = headers.one("origin").lower(), headers.one("host").lower()
    if origin and origin not in (f"http://{host}", f"https://{host}"):
        sentence = f"a page of '{origin[:100]}' may not use this server: only its own pages may"
        raise Reply(HTTPStatus.FORBIDDEN, sentence)
    site, navigates = headers.one("sec-fetch-site"), headers.one("sec-fetch-mode") == "navigate"
    document = navigates and headers.one("sec-fetch-dest") == "document" and scope["method"] in ("GET", "HEAD")
    if site in ("cross-site", "same-site") and not document:
        raise Reply(HTTPStatus.FORBIDDEN, "a page of another site may not use this server: only its own pages may")
    if cookie and scope["method"] == "POST" and not origin:
        raise Reply(HTTPStatus.FORBIDDEN, "the header 'Origin' is missing: only the server's own pages may send this")


def check_method(headers: Headers, scope: Scope) -> None:
    """Refuse methods other than GET, HEAD and POST, and a POST that is not JSON."""
    method = scope["method"]
    if method not in METHODS:
        allowed = {"allow": ", ".join(METHODS)}
        raise Reply(
            HTTPStatus.METHOD_NOT_ALLOWED, f"the method {method[:20]} is not served; expected GET or POST", allowed
        )
    if method != "POST":
        return
    kind, _, rest = headers.one("content-type").lower().partition(";")
    if kind.strip() != "application/json" or rest.replace(" ", "") not in ("", "charset=utf-8"):
        sentence = f"the content type is '{kind[:100]}'; expected application/json in UTF-8"
        raise Reply(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, sentence)
    if headers.one("content-encoding") not in ("", "identity"):
        raise Reply(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "the body is encoded; expected plain JSON")


async def read_body(headers: Headers, receive: Receive, rules: Rules) -> bytes:
    """Return the whole body of a request, which is at most as large as the rules allow, whatever its header claims."""
    told = headers.one("content-length")
    if told and not (told.isascii() and told.isdigit()):
        raise Reply(HTTPStatus.BAD_REQUEST, f"the content length is '{told[:40]}'; expected a number of bytes")
    large = Reply(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the body is too large: at most {rules.largest:,} bytes are read"
    )
    if told and int(told[:20]) > rules.largest:
        raise large
    parts, size = [], 0
    try:
        async with asyncio.timeout(rules.patience):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Reply(HTTPStatus.BAD_REQUEST, "the connection ended before the body did")
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > rules.largest:
                    raise large
                if not message.get("more_body"):
                    return b"".join(parts)
    except TimeoutError:
        sentence = f"the body was not complete after {rules.patience:g} seconds"
        raise Reply(HTTPStatus.REQUEST_TIMEOUT, sentence) from None


def replayed(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives a body which was read already, and then what comes after it."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def with_headers(send: Send) -> Send:
    """Return a `send` that adds the headers of every answer which the answer does not bring."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            brought = list(message.get("headers", []))
            names = {name.decode("latin-1").lower() for name, _ in brought}
            missing = {name: value for name, value in HEADERS.items() if name not in names}
            message = {**message, "headers": [*brought, *raw(missing)]}
        await send(message)

    return sent


def raw(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    """Return headers as ASGI has them."""
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]


def same(given: str, expected: str) -> bool:
    """Return whether two secrets are equal, in a time that does not depend on where they differ."""
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), expected.encode())
