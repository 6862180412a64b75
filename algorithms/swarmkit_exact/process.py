"""The process of a solver that cannot be interrupted from Python: `python -m swarmkit_exact.process PROGRAM PARENT`.

It can be waited for in short turns, asked for what it has, and killed. Task and answers are JSON: the task comes from
standard input, and each line of standard output that is an object is an answer, the last one the best.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

AGAIN = 0.1
"""Seconds after which the process is asked again to report: it does not hear before its search has begun."""

PR_SET_PDEATHSIG = 1
"""The number of this option of Linux's prctl."""


class Process:
    """A process that proves, and can be waited for in short turns.

    Args:
        program: its name in `programs.py`.
        task: the arguments of the program, as plain data.
        seconds: what it may take; then it is given up.
        grace: the part of these seconds that is not for the search: in the middle of it the process is asked to report.
    """

    def __init__(self, program: str, task: dict[str, Any], seconds: float, grace: float) -> None:
        command = [sys.executable, "-m", "swarmkit_exact.process", program, str(os.getpid())]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._grace, self._end = grace, time.monotonic() + seconds
        self._report_time = -math.inf
        self._folder = Path(tempfile.mkdtemp(prefix="swarmkit-"))
        self._answers = self._folder / "answers"
        # A pipe for the task would have to be fed while it is waited for, one for the answers would have to be emptied.
        (self._folder / "task").write_text(json.dumps(task), encoding="utf-8")
        with (self._folder / "task").open() as source, self._answers.open("w") as answers:
            self._process = subprocess.Popen(  # noqa: S603  (this very Python)
                command,
                stdin=source,
                stdout=answers,
                stderr=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,  # Ctrl-C is for the run, which then kills it
            )

    def wait(self, seconds: float) -> dict[str, Any] | None:
        """Return the answer if the process ends within some seconds, else None; empty if it failed or took too long."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            if time.monotonic() > self._end - self._grace / 2:
                self.ask_to_report()
            return None if time.monotonic() < self._end else self.answer()
        answer = self.answer()
        # Asked while it was being started it has no answer, and the run is about to end: None, no failure.
        if not answer and self._report_time > -math.inf and time.monotonic() < self._end:
            time.sleep(seconds)
            return None
        return answer

    def answer(self) -> dict[str, Any]:
        """Return the last answer that has been written; empty if there is none."""
        lines = self._answers.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
        complete = [line for line in lines if line.startswith("{") and line.endswith("}\n")]
        return dict(json.loads(complete[-1])) if complete else {}

    def ask_to_report(self) -> None:
        """Let the program stop and say what it has proved: those that can take SIGINT as the end of their time."""
        if time.monotonic() > self._report_time + AGAIN:
            self._report_time = time.monotonic()
            self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End the process at once, if it has not ended."""
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def die_with(parent: int) -> None:
    """Let the system kill this process when the one that started it dies (Linux); end at once if it is dead already."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("the process that asked for a proof is gone")


if __name__ == "__main__":
    die_with(int(sys.argv[2]))
    # Programs that can report take it themselves, once they search; HiGHS cannot, and its last answer is what it has.
    signal.signal(signal.SIGINT, signal.SIG_DFL if sys.argv[1] == "highs" else signal.SIG_IGN)
    from swarmkit_exact import programs

    for answer in getattr(programs, sys.argv[1])(**json.load(sys.stdin)):
        print(json.dumps(answer), flush=True)
