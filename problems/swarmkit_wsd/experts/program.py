"""A program as an expert: questions on its standard input, answers on its standard output, a line of JSON each.

A question is the JSON of `Question` with an `id`. The program answers each with a line such as
`{"id": 1, "key": "bank%1:17:01::", "reliability": 0.8}`; a `key` of null, or of no candidate, is no vote. Lines that
are no JSON object, or have another id, are skipped, so that a program may be late or talk.
"""

from __future__ import annotations

import contextlib
import json
import queue
import shlex
import subprocess
import threading
import time
from typing import Any

from swarmkit import UsageError, parse_json, quoted
from swarmkit_wsd.experts.panel import read_vote
from swarmkit_wsd.experts.questions import ExpertGone, Question, Vote

SECONDS = 30.0
"""The time limit of an answer."""

LONGEST_LINE = 1 << 16
"""Bytes of an answer; the rest of a longer line is read as further lines, which are no answers."""

WAITING_LINES = 100
"""Lines that are read before they are looked at."""

PATIENCE = 2.0
"""Seconds that a program has to end after its input was closed, and again after it was terminated."""


class Program:
    """An expert that is a program. It is started with the first question and asked one question at a time."""

    def __init__(self, command: str, seconds: float = SECONDS) -> None:
        """Split the command; nothing is started.

        Args:
            command: the program and its arguments, split as a shell would; no shell is involved.
            seconds: the time limit of an answer.
        """
        try:
            self._arguments = shlex.split(command)
        except ValueError as error:
            raise UsageError(f"--expert {quoted(command)}: {str(error).lower()}; expected a command") from None
        if not self._arguments:
            raise UsageError("--expert: an empty command; expected a program and its arguments, or 'interactive'")
        self.name, self._seconds = self._arguments[0], seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes | None] = queue.Queue(WAITING_LINES)
        self._number = 0

    def __call__(self, question: Question) -> Vote:
        """Return the program's vote.

        Raises:
            ExpertGone: the program could not be started, has ended, or did not answer in time.
        """
        process = self._started()
        self._number += 1
        line = json.dumps({"id": self._number, **question.model_dump()}, ensure_ascii=False) + "\n"
        writing = threading.Thread(target=_write, args=(process, line.encode()), daemon=True)
        writing.start()  # a program that does not read its input must not block us
        until = time.monotonic() + self._seconds
        while True:
            try:
                answer = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                self.close(patience=0.0)
                raise ExpertGone(f"the expert {self.name} did not answer within {self._seconds:g} s") from None
            if answer is None:
                self.close()
                raise ExpertGone(f"the expert {self.name} ended, with exit code {process.returncode}")
            vote = _vote(answer, self._number)
            if vote is not None:
                return vote

    def close(self, patience: float = PATIENCE) -> None:
        """End the program: close its input, terminate it after some seconds, kill it after some more."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            # A writer that is blocked holds the stream, which then closes with the program.
            closing = threading.Thread(target=_close, args=(process.stdin,), daemon=True)
            closing.start()
        for seconds, end in ((patience, process.terminate), (PATIENCE, process.kill)):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
                break
            end()
        process.wait()

    def __enter__(self) -> Program:
        """Return the program itself, which ends with the block."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            try:
                self._process = subprocess.Popen(  # noqa: S603  (the user's own command, without a shell)
                    self._arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE
                )
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                raise ExpertGone(f"the expert {self.name} cannot be started ({reason})") from None
            threading.Thread(target=_read, args=(self._process, self._lines), daemon=True).start()
        return self._process


def _write(process: subprocess.Popen[bytes], line: bytes) -> None:
    with contextlib.suppress(OSError, ValueError):  # it has ended, as its output will say
        if process.stdin is not None:
            process.stdin.write(line)
            process.stdin.flush()


def _close(stream: Any) -> None:
    with contextlib.suppress(OSError, ValueError):
        stream.close()


def _read(process: subprocess.Popen[bytes], lines: queue.Queue[bytes | None]) -> None:
    """Put the lines of a program into a queue, and None when there are no more."""
    if process.stdout is not None:
        with process.stdout as output, contextlib.suppress(OSError, ValueError):
            while line := output.readline(LONGEST_LINE):
                if not _put(process, lines, line):
                    return
    _put(process, lines, None)


def _put(process: subprocess.Popen[bytes], lines: queue.Queue[bytes | None], line: bytes | None) -> bool:
    """Put a line into a queue as soon as there is room; return False if the program has ended before."""
    while True:
        with contextlib.suppress(queue.Full):
            lines.put(line, timeout=0.1)
            return True
        if line is not None and process.poll() is not None:
            return False


def _vote(line: bytes, number: int) -> Vote | None:
    """Return the vote of a line; None if the line is no answer to the question of this number."""
    try:
        found = parse_json(line)
    except ValueError:
        return None
    if not isinstance(found, dict) or found.get("id") != number or isinstance(found.get("id"), bool):
        return None
    try:
        return read_vote(found)
    except UsageError:
        return Vote()
