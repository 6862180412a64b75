"""Movies and reports as pages of their own, served in a sandbox."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

SANDBOX = "sandbox allow-scripts; frame-ancestors 'self'"
"""What is added to the policy of movies and reports: they run without an origin and reach nothing of the studio."""


def movie_page(path: Path) -> str:
    """Return the movie of a recording."""
    from swarmkit.running.recording import read_recording
    from swarmkit.viewing.movie import make_movie

    return make_movie(read_recording(path))


def report_page(path: Path) -> str:
    """Return the report of a store, or of a CSV file with results."""
    from swarmkit.comparison.stored_runs import runs_of
    from swarmkit.report.page import make_page, need_report
    from swarmkit.statistics.analysis import analyse

    need_report()
    records, experiments = runs_of(path)
    return make_page(records, analyse(records, 0), "", experiments)


def sandboxed(page: str, request: Request, name: str) -> Response:
    """Return a page that runs without an origin; with `?keep` in the address it is a file to keep."""
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    own = unescape(found[1]) if found else "default-src 'none'"
    headers = {"content-security-policy": f"{own}; {SANDBOX}", "x-frame-options": "SAMEORIGIN"}
    if "keep" in request.query_params:
        safe = re.sub(r"[^A-Za-z0-9._-]", "_", name)
        headers["content-disposition"] = f'attachment; filename="{safe}"'
    return HTMLResponse(page, headers=headers)
