"""The web application of the server: routes, refusals in words, counts. The guard stands before it."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from http import HTTPStatus
from typing import Any

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from swarmkit import UsageError, __version__, parse_json
from swarmkit_wsd_services.server.answering import Answering, RequestAnswer, place_of
from swarmkit_wsd_services.server.batching import Batcher, QueueFull
from swarmkit_wsd_services.server.messages import Limits, SensesRequest, openapi, wrong_fields
from swarmkit_wsd_services.server.metrics import CONTENT_TYPE, Metrics

RETRY_AFTER = {"retry-after": "1"}
"""Seconds after which a refused request may be sent again."""

PATHS = ("/v1/senses", "/healthz", "/metrics", "/openapi.json")

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]


class Service:
    """The state of a running server."""

    def __init__(self, answering: Answering, limits: Limits, metrics: Metrics, token: bool = False) -> None:
        """Set what is served.

        Args:
            answering: answers requests.
            limits: the largest requests.
            metrics: counts what is done.
            token: whether requests need a token, for the description.
        """
        self._answering, self._limits, self._metrics = answering, limits, metrics
        self._batcher: Batcher[SensesRequest, RequestAnswer] = Batcher(answering, limits.waiting, metrics.count_batch)
        self._description = openapi(limits, token)

    def app(self) -> Starlette:
        """Return the web application."""
        return Starlette(
            routes=[
                Route("/v1/senses", self.senses, methods=["POST"]),
                Route("/healthz", self.health),
                Route("/metrics", self.metrics),
                Route("/openapi.json", self.description),
            ],
            exception_handlers={HTTPException: _refuse_route, Exception: _fail},
            lifespan=self.lifespan,
        )

    @contextlib.asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Answer batches while the application runs."""
        task = asyncio.create_task(self._batcher.run())
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            self._batcher.close()

    async def senses(self, request: Request) -> Response:
        """Answer a request for senses."""
        try:
            query = SensesRequest.model_validate(parse_json((await request.body()).decode()))
        except UnicodeDecodeError:
            return refusal(HTTPStatus.BAD_REQUEST, "the body has bytes that are not UTF-8; expected JSON in UTF-8")
        except ValidationError as error:
            return refusal(HTTPStatus.UNPROCESSABLE_ENTITY, wrong_fields(error))
        except ValueError as error:
            return refusal(HTTPStatus.BAD_REQUEST, f"the body is not valid JSON ({error}); expected an object")
        if (excess := query.excess(self._limits)) is not None:
            return refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, excess)
        # The limit covers the wait in the queue and the answer; the thread's work itself cannot be interrupted.
        try:
            async with asyncio.timeout(self._limits.seconds):
                answer = await self._batcher.ask(query, query.size)
        except QueueFull:
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, "too many requests wait; ask again later", RETRY_AFTER)
        except TimeoutError:
            reason = f"no answer within {self._limits.seconds:g} seconds; ask again later, or for less"
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, reason, RETRY_AFTER)
        return self._response(request, answer)

    async def health(self, _: Request) -> Response:
        """Say that the server answers."""
        return JSONResponse({"status": "ok", "preset": self._answering.options.preset, "version": __version__})

    async def metrics(self, _: Request) -> Response:
        """Return the metrics."""
        return Response(self._metrics.text(self._batcher.waiting), headers={"content-type": CONTENT_TYPE})

    async def description(self, _: Request) -> Response:
        """Return the OpenAPI description."""
        return JSONResponse(self._description)

    @staticmethod
    def _response(request: Request, answer: RequestAnswer) -> Response:
        if isinstance(answer, UsageError):
            return refusal(HTTPStatus.UNPROCESSABLE_ENTITY, str(answer))
        if isinstance(answer, Exception):
            return failure(place_of(answer))
        # For the counter, which sees the scope but not the body of the answer.
        request.scope["swarmkit_words"] = sum(len(text["senses"]) for text in answer.get("texts", [answer]))
        return JSONResponse(answer)


def refusal(status: HTTPStatus, sentence: str, headers: dict[str, str] | None = None) -> Response:
    """Return an answer that says why there is no other."""
    return JSONResponse({"error": sentence}, int(status), headers)


def failure(place: str) -> Response:
    """Return the answer to a request that could not be answered through our fault, and print where it was."""
    print(f"swarmkit: a request failed: {place}", file=sys.stderr, flush=True)
    return refusal(HTTPStatus.INTERNAL_SERVER_ERROR, "an error of the server; its standard error says where")


async def _refuse_route(request: Request, error: Exception) -> Response:
    """Say that a path or a method is not served."""
    path = request.url.path[:100]
    if isinstance(error, HTTPException) and error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        expected = "POST" if path == "/v1/senses" else "GET"
        reason = f"{request.method} is not served at {path}; expected {expected}"
        return refusal(HTTPStatus.METHOD_NOT_ALLOWED, reason, {"allow": expected})
    return refusal(HTTPStatus.NOT_FOUND, f"nothing is served at {path}; there are {', '.join(PATHS)}")


async def _fail(_: Request, error: Exception) -> Response:
    return failure(place_of(error))


class RequestCounter:
    """ASGI middleware that counts requests, refused ones included.

    Args:
        app: the application, behind its guard.
        metrics: where they are counted.
    """

    def __init__(self, app: App, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Pass a request on, and count its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status = time.monotonic(), 500  # an answer that never begins is an error of ours

        async def note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, note_status)
        finally:
            # Other paths are one label, or anybody could make as many series as there are paths.
            path = scope["path"] if scope["path"] in PATHS else "other"
            self._metrics.count_request(path, status, time.monotonic() - start, scope.get("swarmkit_words", 0))
