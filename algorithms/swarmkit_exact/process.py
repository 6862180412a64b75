"""The process that runs toulbar2, seen from this side: started, asked for its answer, killed."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any, NamedTuple

AGAIN = 0.1
"""Seconds after which the process is asked again to report: it does not hear before its search has begun."""


class Limits(NamedTuple):
    """The limits of a search."""

    seconds: int
    """CPU seconds."""
    backtracks: int | None = None
    """Backtracks; None for any number."""


class Process:
    """A process that proves, and can be waited for in short turns.

    Args:
        network: the cost function network, as plain data.
        limits: the limits of the search.
        grace: seconds in addition: after half of them the process is asked to report, then it is given up.
    """

    def __init__(self, network: dict[str, Any], limits: Limits, grace: float) -> None:
        given_limits = [str(limits.seconds), str(limits.backtracks or 0)]
        command = [sys.executable, "-m", "swarmkit_exact.prove", *given_limits, str(os.getpid())]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._grace, self._end = grace, time.monotonic() + limits.seconds + grace
        self._asked = -math.inf
        with tempfile.TemporaryFile("w+") as given:  # a pipe would have to be fed while it is waited for
            json.dump(network, given)
            given.seek(0)
            self._process = subprocess.Popen(  # noqa: S603  (this very Python)
                command,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=environment,
                start_new_session=True,  # Ctrl-C is for the run, which then kills it
            )

    def wait(self, seconds: float) -> dict[str, Any] | None:
        """Return the answer if the process ends within some seconds, else None; empty if it failed or took too long."""
        try:
            written, _ = self._process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            if time.monotonic() > self._end - self._grace / 2:
                self.ask_to_report()
            return None if time.monotonic() < self._end else {}
        # toulbar2 itself writes to standard output too: the answer is the last line.
        lines = written.strip().splitlines()
        if self._process.returncode == 0 and lines:
            return dict(json.loads(lines[-1]))
        if self._process.returncode != 0 and self._asked > -math.inf and time.monotonic() < self._end:
            time.sleep(seconds)  # asked while it was being started: it has no answer, and the run is about to end
            return None
        return {}

    def ask_to_report(self) -> None:
        """Let toulbar2 stop and say what it has proved: once it searches, it takes SIGINT as the end of its time."""
        if time.monotonic() > self._asked + AGAIN:
            self._asked = time.monotonic()
            self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End the process at once, if it has not ended."""
        self._process.kill()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process.wait()
