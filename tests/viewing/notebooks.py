"""A real Jupyter server, in an environment of its own that sees the packages of the one under test."""

import json
import os
import secrets
import socket
import subprocess
import sysconfig
import time
import venv
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

OPTIONS = (
    "--no-browser",
    "--ServerApp.ip=127.0.0.1",
    "--LabApp.expose_app_in_browser=True",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
)


class Server(NamedTuple):
    """Where a server is, and the folder that it shows."""

    address: str
    token: str
    folder: Path

    def url(self, path):
        return f"{self.address}/{path}?token={self.token}"


def make_environment(folder: Path) -> Path:
    """Install Jupyter from the index, beside the packages of this environment, and return its interpreter."""
    venv.create(folder, with_pip=True)
    [packages] = folder.glob("lib/python*/site-packages")
    (packages / "tested.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "jupyterlab>=4"], check=True)
    return python


@contextmanager
def served(python: Path, folder: Path):
    """Serve a folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token, home = secrets.token_hex(8), folder / ".jupyter"
    own = {f"JUPYTER_{name}_DIR": str(home / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    shared = str(Path(sysconfig.get_path("data")) / "share" / "jupyter")  # the widget's JavaScript
    command = [python, "-m", "jupyterlab", *OPTIONS, f"--port={port}", f"--IdentityProvider.token={token}"]
    command += [f"--ServerApp.root_dir={folder}", *(["--allow-root"] if os.geteuid() == 0 else [])]
    silent = home / "CONFIG" / "lab" / "user-settings" / "@jupyterlab" / "apputils-extension"
    silent.mkdir(parents=True)
    (silent / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **own, "JUPYTER_PATH": shared})
        server = Server(f"http://127.0.0.1:{port}", token, folder)
        try:
            _wait_for(server, process, home / "log")
            yield server
        finally:
            process.terminate()
            process.wait(30)


def _wait_for(server, process, log):
    for _ in range(600):
        if process.poll() is not None:
            break
        try:
            with urlopen(server.url("api/status"), timeout=5) as answer:  # noqa: S310  (loopback)
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(log.read_text())


def write_notebook(path: Path, *cells: str) -> None:
    """Write a notebook of code cells."""
    made = [
        {"cell_type": "code", "id": f"cell{i}", "metadata": {}, "execution_count": None, "outputs": [], "source": code}
        for i, code in enumerate(cells)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    path.write_text(json.dumps({"cells": made, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}))
