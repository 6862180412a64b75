"""The process that makes the runs, as the server sees it: started when it is needed, ended with all it has started."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from swarmkit.studio.worker import LENGTH, pack

PATIENCE = 5.0
"""Seconds within which a process that was ended is gone."""


class WorkerProcess:
    """A process of `swarmkit.studio.worker`; one that has ended is followed by another.

    Args:
        folder: where it runs: an empty folder, in which a name without a path leads to nothing.
        plugins: the single-file plugins that it loads.
    """

    def __init__(self, folder: Path, plugins: Sequence[str]) -> None:
        self._folder, self._plugins = folder, list(plugins)
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start the process unless it runs; it has a session of its own, so Ctrl-C is the server's."""
        if self._process is not None and self._process.returncode is None:
            return
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # nothing is imported from where it runs
            "-m",
            "swarmkit.studio.worker",
            *self._plugins,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=self._folder,
            start_new_session=True,  # and so a group of its own, which can be killed with all it has started
        )

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError, RuntimeError):
                self._process.stdin.write(pack(message))

    async def receive(self) -> Any:
        """Return the next message; None if the process has ended."""
        if self._process is None or self._process.stdout is None:
            return None
        try:
            head = await self._process.stdout.readexactly(LENGTH.size)
            return json.loads(await self._process.stdout.readexactly(LENGTH.unpack(head)[0]))
        except asyncio.IncompleteReadError:
            return None

    def kill(self) -> None:
        """End the process and all that it has started, at once."""
        if self._process is not None and self._process.returncode is None:
            with suppress(OSError):
                if hasattr(os, "killpg"):
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()

    async def end(self) -> int | None:
        """End the process if it runs, and return its exit code; one that has ended by itself has one of its own."""
        process = self._process
        if process is None:
            return None
        if process.stdout is not None and process.stdout.at_eof():
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), PATIENCE)
        self.kill()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._drain(process), PATIENCE)
        self._process = None
        return process.returncode

    async def _drain(self, process: asyncio.subprocess.Process) -> None:
        """Read what the process has sent, and wait for its end: asyncio waits for pipes that are full, for ever."""
        if process.stdout is not None:
            await process.stdout.read()
        await process.wait()
