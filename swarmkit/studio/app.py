"""The web application of the studio: pages, and what they ask for. It stands behind the guard."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from swarmkit.contract.bounded_json import parse_json
from swarmkit.contract.errors import MissingError, SwarmkitError, UsageError
from swarmkit.studio.catalogue import budget_schema, catalogue, schema_of
from swarmkit.studio.documents import movie_page, report_page, sandboxed
from swarmkit.studio.jobs import Queue
from swarmkit.studio.requests import annotation_task, run_task
from swarmkit.studio.shelf import UPLOAD, Shelf
from swarmkit.viewing.inline import VIEWER_SCRIPTS, VIEWER_STYLES

HOME = Path(__file__).parent

ASSETS = {
    path.name: path
    for path in (
        *VIEWER_SCRIPTS,
        *VIEWER_STYLES,
        *(HOME / name for name in ("form.js", "text.js", "files.js", "studio.js", "studio.css", "icon.svg")),
    )
}
"""The files of the page, by name: nothing else is served from a folder."""

KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
"""The content security policy of the page: scripts and styles are files of ours, nothing is inline."""


@dataclass
class Studio:
    """What the application works with."""

    shelf: Shelf
    queue: Queue
    seconds: float
    """The seconds of the longest run."""


def make_app(studio: Studio) -> Starlette:
    """Return the application; it starts and ends the process that makes the runs."""
    pages = Pages(studio)

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        studio.queue.start()
        try:
            yield
        finally:
            await studio.queue.close()

    routes = [
        Route("/", pages.page),
        Route("/static/{name}", pages.asset),
        Route("/api/catalogue", pages.catalogue),
        Route("/api/schema/{kind}/{name}", pages.schema),
        Route("/api/files", pages.files),
        Route("/api/files", pages.upload, methods=["POST"]),
        Route("/api/jobs", pages.jobs),
        Route("/api/jobs", pages.start, methods=["POST"]),
        Route("/api/texts", pages.annotate, methods=["POST"]),
        Route("/api/jobs/{job}/stop", pages.stop, methods=["POST"]),
        Route("/api/jobs/{job}/events", pages.events),
        Route("/view/{job}/movie", pages.movie),
        Route("/view/{job}/recording", pages.recording),
        Route("/view/{job}/result", pages.result),
        Route("/view/{file}/opened", pages.opened),
    ]
    handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
        SwarmkitError: _refuse,
        HTTPException: _not_found,
        Exception: _fail,
    }
    return Starlette(routes=routes, lifespan=life, exception_handlers=handlers)


async def _refuse(_: Request, error: Exception) -> Response:
    status = 424 if isinstance(error, MissingError) else 422
    return JSONResponse({"error": str(error)}, status)


async def _not_found(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return JSONResponse({"error": "there is nothing at this address"}, status)


async def _fail(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": f"internal error: {type(error).__name__}: {error}"}, 500)


class Pages:
    """The answers to requests."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._plugins = asyncio.Lock()

    async def _ask(self, function: Callable[..., dict[str, Any]], *given: Any) -> dict[str, Any]:
        """Return what a function finds out about plugins: one at a time, because that may import them."""
        async with self._plugins:
            return await run_in_threadpool(function, *given)

    async def page(self, _: Request) -> Response:
        """Answer with the page."""
        text = (HOME / "page.html").read_text(encoding="utf-8")
        return HTMLResponse(text, headers={"content-security-policy": POLICY})

    async def asset(self, request: Request) -> Response:
        """Answer with a script or a style sheet."""
        path = ASSETS.get(request.path_params["name"])
        if path is None:
            raise HTTPException(404)
        return Response(path.read_bytes(), media_type=KINDS[path.suffix])

    async def catalogue(self, _: Request) -> Response:
        """Answer with everything that can be chosen, the limits and the files."""
        found = await self._ask(catalogue)
        more = {"budget": budget_schema(), "seconds": self._studio.seconds, "upload": UPLOAD}
        return JSONResponse({**found, **more, "files": self._files()})

    async def schema(self, request: Request) -> Response:
        """Answer with the settings of a problem or a solver."""
        kind = request.path_params["kind"]
        if kind not in ("problem", "solver"):
            raise HTTPException(404)
        return JSONResponse(await self._ask(schema_of, kind, request.path_params["name"]))

    def _files(self) -> list[dict[str, Any]]:
        return [entry.document() for entry in self._studio.shelf.entries.values()]

    async def files(self, _: Request) -> Response:
        """Answer with the files on the shelf."""
        return JSONResponse(self._files())

    async def upload(self, request: Request) -> Response:
        """Keep an upload: `{"name": …, "content": …}`, the content in base64."""
        given = await _json(request)
        name, content = given.get("name"), given.get("content")
        if not isinstance(name, str) or not isinstance(content, str):
            raise UsageError("an upload has a 'name' and its 'content' in base64")
        try:
            data = base64.b64decode(content, validate=True)
        except (binascii.Error, ValueError):
            raise UsageError("the content of the upload is no base64") from None
        entry = await run_in_threadpool(self._studio.shelf.upload, name, data)
        return JSONResponse(entry.document(), 201)

    async def jobs(self, _: Request) -> Response:
        """Answer with the jobs."""
        return JSONResponse([job.document() for job in self._studio.queue.jobs.values()])

    async def start(self, request: Request) -> Response:
        """Put a run into the queue."""
        studio = self._studio
        task = await self._ask(run_task, await _json(request), studio.shelf, studio.seconds)
        title = f"{task['problem']} by {task['solver']}"
        job = await studio.queue.add(title, task, float(task["budget"]["seconds"]))
        return JSONResponse(job.document(), 201)

    async def annotate(self, request: Request) -> Response:
        """Put a text into the queue."""
        task = await self._ask(annotation_task, await _json(request))
        words = " ".join(task["text"].split())
        job = await self._studio.queue.add(f"text: {words[:40]}", task, self._studio.seconds)
        return JSONResponse(job.document(), 201)

    async def stop(self, request: Request) -> Response:
        """Stop a job."""
        job = self._studio.queue.find(request.path_params["job"])
        await self._studio.queue.stop(job)
        return JSONResponse(job.document())

    async def events(self, request: Request) -> Response:
        """Answer with the events of a job, as they happen."""
        job = self._studio.queue.find(request.path_params["job"])

        async def lines() -> AsyncIterator[str]:
            async for event in job.follow():
                yield ": still here\n\n" if event is None else f"data: {event}\n\n"
            yield "event: over\ndata: {}\n\n"

        return StreamingResponse(lines(), media_type="text/event-stream")

    async def movie(self, request: Request) -> Response:
        """Answer with the movie of a run, as a page of its own."""
        page = await run_in_threadpool(movie_page, self._file(request, "run.rec"))
        return sandboxed(page, request, "run.html")

    async def recording(self, request: Request) -> Response:
        """Answer with the recording of a run, to be kept."""
        return FileResponse(self._file(request, "run.rec"), media_type="application/octet-stream", filename="run.rec")

    async def result(self, request: Request) -> Response:
        """Answer with the result of a run, to be kept."""
        return FileResponse(self._file(request, "result.json"), media_type="application/json", filename="result.json")

    def _file(self, request: Request, name: str) -> Path:
        path = self._studio.queue.find(request.path_params["job"]).folder / name
        if not path.is_file():
            raise UsageError("the run has not ended, or has left no result")
        return path

    async def opened(self, request: Request) -> Response:
        """Answer with a file of the shelf as a page: a recording as a movie, a store or a CSV file as a report."""
        entry = self._studio.shelf.find(request.path_params["file"])
        make = {"recording": movie_page, "store": report_page, "csv": report_page}.get(entry.kind)
        if make is None:
            raise UsageError(f"{entry.name}: no recording and no store; a problem may read it")
        try:
            page = await run_in_threadpool(make, entry.path)
        except SwarmkitError as error:
            raise UsageError(str(error).replace(str(entry.path), entry.name)) from None
        return sandboxed(page, request, f"{entry.path.stem}.html")


async def _json(request: Request) -> dict[str, Any]:
    try:
        given = parse_json(await request.body())
    except ValueError as error:
        raise UsageError(f"the request is no JSON: {error}") from None
    if not isinstance(given, dict):
        raise UsageError("the request is no JSON object")
    return given
