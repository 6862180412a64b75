"""The process that runs toulbar2: `python -m swarmkit_exact.process SECONDS BACKTRACKS PARENT` (0: any number of them).

toulbar2 cannot be interrupted from Python, so it runs in a process that can be killed. `Process` is that process as the
solver sees it: started, asked for its answer, killed. Cost network and answer are JSON.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from typing import Any

AGAIN = 0.1
"""Seconds after which the process is asked again to report: it does not hear before its search has begun."""

PR_SET_PDEATHSIG = 1
"""The number of this option of Linux's prctl."""


class Process:
    """A process that proves, and can be waited for in short turns.

    Args:
        network: the cost function network, as plain data.
        seconds: the limit of the search on CPU seconds.
        backtracks: the limit on backtracks; None for any number.
        grace: seconds in addition: after half of them the process is asked to report, then it is given up.
    """

    def __init__(self, network: dict[str, Any], seconds: int, backtracks: int | None, grace: float) -> None:
        numbers = [str(number) for number in (seconds, backtracks or 0, os.getpid())]
        command = [sys.executable, "-m", "swarmkit_exact.process", *numbers]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._grace, self._end = grace, time.monotonic() + seconds + grace
        self._report_time = -math.inf
        with tempfile.TemporaryFile("w+") as file:  # a pipe would have to be fed while it is waited for
            json.dump(network, file)
            file.seek(0)
            self._process = subprocess.Popen(  # noqa: S603  (this very Python)
                command,
                stdin=file,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=environment,
                start_new_session=True,  # Ctrl-C is for the run, which then kills it
            )

    def wait(self, seconds: float) -> dict[str, Any] | None:
        """Return the answer if the process ends within some seconds, else None; empty if it failed or took too long."""
        try:
            output, _ = self._process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            if time.monotonic() > self._end - self._grace / 2:
                self.ask_to_report()
            return None if time.monotonic() < self._end else {}
        # toulbar2 itself writes to standard output too: the answer is the last line.
        lines = output.strip().splitlines()
        if self._process.returncode == 0 and lines:
            return dict(json.loads(lines[-1]))
        # Asked while it was being started it has no answer, and the run is about to end: None, no failure.
        if self._process.returncode != 0 and self._report_time > -math.inf and time.monotonic() < self._end:
            time.sleep(seconds)
            return None
        return {}

    def ask_to_report(self) -> None:
        """Let toulbar2 stop and say what it has proved: once it searches, it takes SIGINT as the end of its time."""
        if time.monotonic() > self._report_time + AGAIN:
            self._report_time = time.monotonic()
            self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End the process at once, if it has not ended."""
        self._process.kill()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process.wait()


def prove(network: dict[str, Any], seconds: int, backtracks: int) -> dict[str, Any]:
    """Minimise the sum of a network's costs; return the best solution and the proved lower bound of the cost.

    Args:
        network: sizes and cost functions.
        seconds: the limit on CPU seconds.
        backtracks: the limit on backtracks; 0 for none.
    """
    import pytoulbar2

    cfn = pytoulbar2.CFN(resolution=0)
    for stage, size in enumerate(network["sizes"]):
        cfn.AddVariable(f"s{stage}", range(size))
    for scope, costs in network["functions"]:
        cfn.AddFunction(scope, costs)
    if backtracks:
        pytoulbar2.tb2.option.backtrackLimit = backtracks
    try:
        answer = cfn.Solve(timeLimit=seconds)
    except Exception as error:  # it raises when its time is over
        print(error, file=sys.stderr)
        answer = None
    return {
        "solution": None if answer is None else [int(value) for value in answer[0]],
        "bound": float(cfn.GetDDualBound()),
    }


def die_with(parent: int) -> None:
    """Let the system kill this process when the one that started it dies (Linux); end at once if it is dead already."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("the process that asked for a proof is gone")


if __name__ == "__main__":
    die_with(int(sys.argv[3]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # toulbar2 takes it as the end of its time, once it searches
    json.dump(prove(json.load(sys.stdin), int(sys.argv[1]), int(sys.argv[2])), sys.stdout)
