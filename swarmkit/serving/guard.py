"""The guard before a local web application, as ASGI middleware: what is refused never reaches the application.

A server on a loopback address is not private: every page in the user's browser can send requests to it, a foreign name
can be made to point to it (DNS rebinding), and so can other users of the machine. The guard therefore lets a request
through only if its Host is one of ours, it was not sent by a foreign page (Origin, Sec-Fetch-Site), its method is GET,
HEAD or POST, a POST is JSON (which no form can send, and foreign scripts only after a preflight, which is refused), its
body is small, and it carries the cookie or the token. Answers get the headers of `HEADERS`, never those of CORS.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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

METHODS = ("GET", "HEAD", "POST")

AGAIN = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/">'
    '<title>swarmkit</title><p><a href="/">Continue</a></p></html>'
)
"""The page after a link on a foreign page was followed: a redirection would not carry the strict cookie, this does."""


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
        port = f":{self.port}"
        names = {name + port for name in LOOPBACK} | (set(LOOPBACK) if self.port == 80 else set())
        for name in map(str.lower, self.hosts):
            # Behind a proxy the port of the request is the proxy's; the colons of an IPv6 address are no port.
            names |= {name} if ":" in name.rpartition("]")[2] else {name, name + port}
        return host.lower() in names


class Guard:
    """ASGI middleware that lets through only requests which obey some rules.

    Args:
        app: the application behind the guard.
        rules: what is accepted.
    """

    def __init__(self, app: ASGIApp, rules: Rules) -> None:
        self.app, self.rules = app, rules
        self._ticket = rules.ticket

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the application, or answer it with the reason why not."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})  # a violation of the policy (RFC 6455)
        else:
            try:
                answer = self._check(scope)
                if answer is None and scope["method"] == "POST":
                    receive = replay(await read_body(scope, receive, self.rules), receive)
            except HTTPException as refusal:
                answer = self._refuse(scope, refusal)
            await (answer or self.app)(scope, receive, with_headers(send))

    def _check(self, scope: Scope) -> Response | None:
        """Raise the refusal of a request; return the answer to one that brings the ticket, None if it may pass."""
        headers = Headers(scope=scope)
        check_host(headers, self.rules)
        check_origin(headers, scope, cookie=self.rules.ticket is not None)
        check_method(headers, scope)
        return self._check_credentials(headers, scope)

    def _check_credentials(self, headers: Headers, scope: Scope) -> Response | None:
        rules = self.rules
        if scope["path"] in rules.public:
            return None
        if rules.bearer is not None:
            kind, _, token = header(headers, "authorization").partition(" ")
            if kind.lower() != "bearer" or not same(token.strip(), rules.bearer):
                sentence = "this server needs its token: send the header 'Authorization: Bearer TOKEN'"
                raise HTTPException(HTTPStatus.UNAUTHORIZED, sentence, {"www-authenticate": "Bearer"})
        if rules.ticket is None:
            return None
        signed_in = any(same(value, rules.cookie) for value in cookies(headers, rules.cookie_name))
        tickets = parse_qs(scope["query_string"].decode("latin-1")).get("token")
        if tickets is not None and scope["path"] == "/" and scope["method"] == "GET":
            return self._exchange(tickets, headers, signed_in)
        if not signed_in:
            sentence = "not signed in: open the address that the command printed when it started"
            raise HTTPException(HTTPStatus.UNAUTHORIZED, sentence)
        return None

    def _exchange(self, tickets: list[str], headers: Headers, signed_in: bool) -> Response:
        """Exchange a ticket in the URL for the cookie, once; the next address has no ticket in it."""
        front_page = RedirectResponse("/", HTTPStatus.SEE_OTHER)
        if self._ticket is None or len(tickets) != 1 or not same(tickets[0], self._ticket):
            if signed_in:
                return front_page  # the same browser, once more
            sentence = "the token is wrong or was used before: it is good for one browser; start the command again"
            raise HTTPException(HTTPStatus.UNAUTHORIZED, sentence)
        self._ticket = None
        answer = HTMLResponse(AGAIN) if header(headers, "sec-fetch-site") == "cross-site" else front_page
        cookie = f"{self.rules.cookie_name}={self.rules.cookie}; Path=/; HttpOnly; SameSite=Strict"
        answer.headers["set-cookie"] = cookie
        return answer

    def _refuse(self, scope: Scope, refusal: HTTPException) -> Response:
        """Return a refusal as JSON for programs, as plain text elsewhere; it ends the connection."""
        headers = {**(refusal.headers or {}), "connection": "close"}  # no connection stays open without credentials
        if scope["path"].startswith(self.rules.api):
            return JSONResponse({"error": refusal.detail}, refusal.status_code, headers)
        return PlainTextResponse(refusal.detail, refusal.status_code, headers)


def header(headers: Headers, name: str) -> str:
    """Return the value of a header that may be there once; nothing is an empty text."""
    values = headers.getlist(name)
    if len(values) > 1:  # two readers of such a request may believe different ones (request smuggling)
        sentence = f"the header '{name}' is there {len(values)} times; expected one"
        raise HTTPException(HTTPStatus.BAD_REQUEST, sentence)
    return values[0].strip() if values else ""


def cookies(headers: Headers, name: str) -> list[str]:
    """Return the values of the cookies of a name: another server on this host may have set one of the same name."""
    pairs = (pair.strip().partition("=") for line in headers.getlist("cookie") for pair in line.split(";"))
    return [value for key, _, value in pairs if key == name]


def check_host(headers: Headers, rules: Rules) -> None:
    """Refuse a request whose Host is not this server."""
    host = header(headers, "host")
    if not rules.allows(host):
        names = f"localhost:{rules.port} or 127.0.0.1:{rules.port}"
        sentence = f"the host '{host[:100]}' is not served here; expected {names}"
        raise HTTPException(HTTPStatus.MISDIRECTED_REQUEST, sentence)


def check_origin(headers: Headers, scope: Scope, *, cookie: bool) -> None:
    """Refuse a request that a foreign page sent; with a cookie, a POST has to say where it comes from."""
    origin, host = header(headers, "origin").lower(), header(headers, "host").lower()
    if origin and origin not in (f"http://{host}", f"https://{host}"):
        sentence = f"a page of '{origin[:100]}' may not use this server: only its own pages may"
        raise HTTPException(HTTPStatus.FORBIDDEN, sentence)
    # A link that is followed is a navigation of the whole window; everything else is embedded by the other page.
    target = header(headers, "sec-fetch-mode"), header(headers, "sec-fetch-dest")
    link = target == ("navigate", "document") and scope["method"] in ("GET", "HEAD")
    if header(headers, "sec-fetch-site") in ("cross-site", "same-site") and not link:
        sentence = "a page of another site may not use this server: only its own pages may"
        raise HTTPException(HTTPStatus.FORBIDDEN, sentence)
    if cookie and scope["method"] == "POST" and not origin:
        sentence = "the header 'Origin' is missing: only the server's own pages may send this"
        raise HTTPException(HTTPStatus.FORBIDDEN, sentence)


def check_method(headers: Headers, scope: Scope) -> None:
    """Refuse methods other than GET, HEAD and POST, and a POST that is not JSON."""
    method = scope["method"]
    if method not in METHODS:
        sentence = f"the method {method[:20]} is not served; expected GET or POST"
        raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED, sentence, {"allow": ", ".join(METHODS)})
    if method != "POST":
        return
    kind, _, rest = header(headers, "content-type").lower().partition(";")
    if kind.strip() != "application/json" or rest.replace(" ", "") not in ("", "charset=utf-8"):
        sentence = f"the content type is '{kind[:100]}'; expected application/json in UTF-8"
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, sentence)
    if header(headers, "content-encoding") not in ("", "identity"):
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "the body is encoded; expected plain JSON")


async def read_body(scope: Scope, receive: Receive, rules: Rules) -> bytes:
    """Return the whole body of a request, which is at most as large as the rules allow, whatever its header claims."""
    length = header(Headers(scope=scope), "content-length")
    if length and not (length.isascii() and length.isdigit()):
        sentence = f"the content length is '{length[:40]}'; expected a number of bytes"
        raise HTTPException(HTTPStatus.BAD_REQUEST, sentence)
    sentence = f"the body is too large: at most {rules.largest:,} bytes are read"
    too_large = HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sentence)
    if length and int(length[:20]) > rules.largest:  # 20 digits are enough: Python takes long over very long numbers
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(rules.patience):
            async for part in Request(scope, receive).stream():
                body += part
                if len(body) > rules.largest:
                    raise too_large
    except TimeoutError:
        sentence = f"the body was not complete after {rules.patience:g} seconds"
        raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, sentence) from None
    except ClientDisconnect:
        raise HTTPException(HTTPStatus.BAD_REQUEST, "the connection ended before the body did") from None
    return bytes(body)


def replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that hands out a body which was read already, and then what comes after it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again


def with_headers(send: Send) -> Send:
    """Return a `send` that adds those of `HEADERS` to every answer which the answer does not bring."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message.setdefault("headers", [])
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers


def same(secret: str, expected: str) -> bool:
    """Return whether two secrets are equal, in a time that does not depend on where they differ."""
    return hmac.compare_digest(secret.encode("utf-8", "surrogatepass"), expected.encode())
