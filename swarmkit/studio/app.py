"""The web application of the studio: pages, and what they ask for. It stands behind the guard."""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from swarmkit.contract.bounded_json import parse_json
from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import MissingError, SwarmkitError, UsageError
from swarmkit.studio.jobs import Queue
from swarmkit.studio.requests import annotation_task, catalogue, run_task, schema_of
from swarmkit.studio.uploads import UPLOAD_SIZE, UploadStore
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


SANDBOX = "sandbox allow-scripts; frame-ancestors 'self'"
"""What is added to the policy of movies and reports: they run without an origin and reach nothing of the studio."""


def make_app(studio: Studio) -> Starlette:
    """Return the application; it starts and ends the process that makes the runs."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        studio.queue.start()
        try:
            yield
        finally:
            await studio.queue.close()

    routes = [
        Route("/", studio.page),
        Route("/static/{name}", studio.asset),
        Route("/api/catalogue", studio.catalogue),
        Route("/api/schema/{kind}/{name}", studio.schema),
        Route("/api/files", studio.files),
        Route("/api/files", studio.upload, methods=["POST"]),
        Route("/api/jobs", studio.jobs),
        Route("/api/jobs", studio.start, methods=["POST"]),
        Route("/api/texts", studio.annotate, methods=["POST"]),
        Route("/api/jobs/{job}/stop", studio.stop, methods=["POST"]),
        Route("/api/jobs/{job}/events", studio.events),
        Route("/view/{job}/movie", studio.movie),
        Route("/view/{job}/recording", studio.recording),
        Route("/view/{job}/result", studio.result),
        Route("/view/{file}/opened", studio.opened),
    ]
    handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
        SwarmkitError: _refuse,
        HTTPException: _not_found,
        Exception: _fail,
    }
    return Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)


async def _refuse(_: Request, error: Exception) -> Response:
    status = 424 if isinstance(error, MissingError) else 422
    return JSONResponse({"error": str(error)}, status)


async def _not_found(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return JSONResponse({"error": "there is nothing at this address"}, status)


async def _fail(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": f"internal error: {type(error).__name__}: {error}"}, 500)


class Studio:
    """The answers to requests.

    Args:
        uploads: the files that requests may name.
        queue: the runs.
        seconds: the seconds of the longest run.
    """

    def __init__(self, uploads: UploadStore, queue: Queue, seconds: float) -> None:
        self.uploads, self.queue, self.seconds = uploads, queue, seconds
        self._plugins = asyncio.Lock()

    async def _ask(self, function: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
        """Return what a function finds out about plugins: one at a time, because that may import them."""
        async with self._plugins:
            return await run_in_threadpool(function, *arguments)

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
        limits = {"budget": Budget.model_json_schema(), "seconds": self.seconds, "upload": UPLOAD_SIZE}
        return JSONResponse({**await self._ask(catalogue), **limits, "files": self._files()})

    async def schema(self, request: Request) -> Response:
        """Answer with the settings of a problem or a solver."""
        kind = request.path_params["kind"]
        if kind not in ("problem", "solver"):
            raise HTTPException(404)
        return JSONResponse(await self._ask(schema_of, kind, request.path_params["name"]))

    def _files(self) -> list[dict[str, Any]]:
        return [entry.document() for entry in self.uploads.entries.values()]

    async def files(self, _: Request) -> Response:
        """Answer with the files that may be opened."""
        return JSONResponse(self._files())

    async def upload(self, request: Request) -> Response:
        """Keep an upload: `{"name": …, "content": …}`, the content in base64."""
        body = await _json(request)
        name, content = body.get("name"), body.get("content")
        if not isinstance(name, str) or not isinstance(content, str):
            raise UsageError("an upload has a 'name' and its 'content' in base64")
        try:
            data = base64.b64decode(content, validate=True)
        except (binascii.Error, ValueError):
            raise UsageError("the content of the upload is no base64") from None
        entry = await run_in_threadpool(self.uploads.upload, name, data)
        return JSONResponse(entry.document(), 201)

    async def jobs(self, _: Request) -> Response:
        """Answer with the jobs."""
        return JSONResponse([job.document() for job in self.queue.jobs.values()])

    async def start(self, request: Request) -> Response:
        """Put a run into the queue."""
        task = await self._ask(run_task, await _json(request), self.uploads, self.seconds)
        title = f"{task['problem']} by {task['solver']}"
        job = await self.queue.add(title, task, float(task["budget"]["seconds"]))
        return JSONResponse(job.document(), 201)

    async def annotate(self, request: Request) -> Response:
        """Put a text into the queue."""
        task = await self._ask(annotation_task, await _json(request))
        words = " ".join(task["text"].split())
        job = await self.queue.add(f"text: {words[:40]}", task, self.seconds)
        return JSONResponse(job.document(), 201)

    async def stop(self, request: Request) -> Response:
        """Stop a job."""
        job = self.queue.find(request.path_params["job"])
        await self.queue.stop(job)
        return JSONResponse(job.document())

    async def events(self, request: Request) -> Response:
        """Answer with the events of a job, as they happen."""
        job = self.queue.find(request.path_params["job"])

        async def lines() -> AsyncIterator[str]:
            async for event in job.follow():
                yield ": still here\n\n" if event is None else f"data: {event}\n\n"
            yield "event: over\ndata: {}\n\n"

        return StreamingResponse(lines(), media_type="text/event-stream")

    async def movie(self, request: Request) -> Response:
        """Answer with the movie of a run, as a page of its own."""
        page = await run_in_threadpool(movie_page, self._file(request, "run.rec"))
        return sandbox(page, request, "run.html")

    async def recording(self, request: Request) -> Response:
        """Answer with the recording of a run, to be kept."""
        return FileResponse(self._file(request, "run.rec"), media_type="application/octet-stream", filename="run.rec")

    async def result(self, request: Request) -> Response:
        """Answer with the result of a run, to be kept."""
        return FileResponse(self._file(request, "result.json"), media_type="application/json", filename="result.json")

    def _file(self, request: Request, name: str) -> Path:
        path = self.queue.find(request.path_params["job"]).folder / name
        if not path.is_file():
            raise UsageError("the run has not ended, or has left no result")
        return path

    async def opened(self, request: Request) -> Response:
        """Answer with one of the files as a page: a recording as a movie, a store or a CSV file as a report."""
        entry = self.uploads.find(request.path_params["file"])
        make = {"recording": movie_page, "store": report_page, "csv": report_page}.get(entry.kind)
        if make is None:
            raise UsageError(f"{entry.name}: no recording and no store; a problem may read it")
        try:
            page = await run_in_threadpool(make, entry.path)
        except SwarmkitError as error:
            raise UsageError(str(error).replace(str(entry.path), entry.name)) from None  # a page knows no paths
        return sandbox(page, request, f"{entry.path.stem}.html")


async def _json(request: Request) -> dict[str, Any]:
    try:
        body = parse_json(await request.body())
    except ValueError as error:
        raise UsageError(f"the request is no JSON: {error}") from None
    if not isinstance(body, dict):
        raise UsageError("the request is no JSON object")
    return body


def movie_page(path: Path) -> str:
    """Return the movie of a recording."""
    from swarmkit.running.recording import read_recording
    from swarmkit.viewing.movie import make_movie

    return make_movie(read_recording(path))


def report_page(path: Path) -> str:
    """Return the report of a store, or of a CSV file with results."""
    from swarmkit.comparison.report_input import runs_of
    from swarmkit.report.page import make_page, need_report
    from swarmkit.statistics.analysis import analyse

    need_report()
    records, experiments = runs_of(path)
    return make_page(records, analyse(records, 0), "", experiments)


def sandbox(page: str, request: Request, name: str) -> Response:
    """Return a page that runs without an origin; with `?keep` in the address it is a file to keep."""
    match = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    policy = unescape(match[1]) if match else "default-src 'none'"
    # A header and the page's own element both count: what either forbids is forbidden.
    headers = {"content-security-policy": f"{policy}; {SANDBOX}", "x-frame-options": "SAMEORIGIN"}
    if "keep" in request.query_params:
        safe = re.sub(r"[^A-Za-z0-9._-]", "_", name)
        headers["content-disposition"] = f'attachment; filename="{safe}"'
    return HTMLResponse(page, headers=headers)
