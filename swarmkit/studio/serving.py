"""The studio served on a loopback address until Ctrl-C."""

from __future__ import annotations

import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from swarmkit.contract.errors import UsageError
from swarmkit.plugins.host import host
from swarmkit.serving.guard import Guard, Rules
from swarmkit.serving.server import listen, run
from swarmkit.studio.app import Studio, make_app
from swarmkit.studio.jobs import Queue
from swarmkit.studio.uploads import UPLOAD_SIZE, UploadStore

ADDRESS = "127.0.0.1"

BODY = 4 * UPLOAD_SIZE // 3 + (1 << 16)
"""Bytes of the largest request: an upload in base64, and its name."""

LINK = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={address}">'
    '<title>swarmkit</title><p><a href="{address}">Open the studio</a></p></html>'
)
"""The page by which a browser is opened: it leads to the address with the ticket."""


def serve(files: Sequence[Path], port: int | None, usual: int, *, seconds: float, browser: bool) -> None:
    """Serve the studio, print its address, and return after Ctrl-C.

    Args:
        files: what may be opened.
        port: the port; None for the usual one, or any that is free.
        usual: the usual port.
        seconds: the seconds of the longest run.
        browser: whether a browser is opened.
    """
    with TemporaryDirectory(prefix="swarmkit-studio-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        uploads = UploadStore(folder)
        uploads.add_files(files)
        queue = Queue(folder, [str(Path(str(module.__file__)).absolute()) for module in host().file_modules])
        listener = open_socket(port, usual)
        number = listener.getsockname()[1]
        # In the address, which a browser's history keeps: good for one browser, once.
        ticket = secrets.token_urlsafe(32)
        rules = Rules(port=number, ticket=ticket, largest=BODY, api=("/api/", "/view/"))
        guard = Guard(make_app(Studio(uploads, queue, seconds)), rules)
        address = f"http://{ADDRESS}:{number}/?token={ticket}"
        # Other users see the arguments of a browser that is started: it gets this file, in a folder that is ours alone.
        page = folder / "open.html"
        page.write_text(LINK.format(address=address), encoding="utf-8")

        def ready() -> None:
            print(f"swarmkit studio: {address}\nOpen it in a browser; it works once. Ctrl-C ends the studio.")
            sys.stdout.flush()
            if browser:
                threading.Thread(target=webbrowser.open, args=(page.as_uri(),), daemon=True).start()

        run(guard, listener, ready=ready, closing=queue.wake)


def open_socket(port: int | None, usual: int) -> socket.socket:
    """Return a socket on a port, or on the usual one, or if that is taken on any that is free."""
    if port is not None:
        return listen(ADDRESS, port)
    try:
        return listen(ADDRESS, usual)
    except UsageError:
        return listen(ADDRESS, 0)
