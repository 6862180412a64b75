"""Processes to be killed, and a file that keeps what became of them (for `chaos.py`)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any

SWARMKIT = [sys.executable, "-c", "from swarmkit.cli import main; main()"]

MARK = "SWARMKIT_CHAOS"
"""An environment variable that every descendant of a process inherits: by its value they are found."""

GRACE = 5.0
"""Seconds after a kill within which all processes must be gone."""


class Ledger:
    """What has been done, a line for each event, so that a benchmark that was stopped can be continued."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries: list[dict[str, Any]] = []
        if path.exists():
            self.entries = [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")]

    def add(self, **entry: Any) -> None:
        """Write a line."""
        self.entries.append(entry)
        with self.path.open("a") as file:
            file.write(json.dumps(entry) + "\n")


class Victim:
    """A process that may be killed, with all that it starts."""

    def __init__(self, arguments: list[str], folder: Path) -> None:
        self.mark = uuid.uuid4().hex
        environment = os.environ | {MARK: self.mark}
        self.arguments = arguments
        self.process = subprocess.Popen(
            [*SWARMKIT, *arguments],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def kill_after(self, seconds: float) -> bool:
        """Kill it (not what it has started) after a while; return whether it was still running."""
        try:
            self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            return True
        return False

    def finish(self) -> tuple[str, str]:
        """Wait for its end; return what it printed."""
        return self.process.communicate()

    def close(self) -> list[int]:
        """Return the processes that are left of it GRACE seconds later, and end them."""
        deadline = time.monotonic() + GRACE
        while (left := processes_with(self.mark)) and time.monotonic() < deadline:
            time.sleep(0.05)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
        return left


def processes_with(mark: str) -> list[int]:
    """Return the living processes that have inherited a mark, by /proc."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                marked = f"{MARK}={mark}".encode() in (folder / "environ").read_bytes()
                alive = (folder / "stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
            except OSError:
                continue
            found += [int(folder.name)] if marked and alive else []
    return found
