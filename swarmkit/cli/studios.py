"""The command `studio`: a local web application."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

PORT = 8765
"""The port, unless another one is asked for; if it is taken, any that is free."""


def studio(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="Recordings, stores and instances that the pages may open."),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help=f"The port; by default {PORT}, or one that is free.")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
    max_seconds: Annotated[float, typer.Option(min=1, max=86400, help="The seconds of the longest run.")] = 60.0,
) -> None:
    """Start, watch and stop runs, open recordings and stores, and look at the senses of a text, in a browser.

    The server answers this machine alone, and only the browser that opens the printed address. It reads the files named
    here, uploads, and nothing else. Ctrl-C ends it, with the run that goes on.

    Example: swarmkit studio runs.db run.rec --port 8080 --no-browser
    """
    from swarmkit.contract.errors import MissingError, install_hint

    missing = [name for name in ("starlette", "uvicorn") if importlib.util.find_spec(name) is None]
    if missing:
        needed = " and ".join(missing)
        raise MissingError(f"the studio needs {needed}, which the extra 'studio' installs: {install_hint('studio')}")
    from swarmkit.studio.serving import serve

    serve(files or [], port, PORT, seconds=max_seconds, browser=browser)
