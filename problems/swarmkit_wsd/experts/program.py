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
from collections.abc import Callable
from typing import Any, NamedTuple

from swarmkit import UsageError, parse_json, quoted, registered
from swarmkit_wsd.experts.panel import ASK_BELOW, RELIABILITY, Panel, read_vote
from swarmkit_wsd.experts.questions import ExpertFailed, Question, Vote

SECONDS = 30.0
"""The time limit of an answer."""

LONGEST_LINE = 1 << 16
"""Bytes of an answer; the rest of a longer line is read as further lines, which are no answers."""

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
        self._number = 0

    def __call__(self, question: Question) -> Vote:
        """Return the program's vote.

        Raises:
            ExpertFailed: the program could not be started, has ended, or did not answer in time.
        """
        self._process = process = self._process or self._start()
        self._number += 1
        line = json.dumps({"id": self._number, **question.model_dump()}, ensure_ascii=False) + "\n"
        votes: queue.SimpleQueue[Vote | None] = queue.SimpleQueue()
        # A program that neither reads nor writes must not block us: only its thread waits for ever.
        _in_a_thread(lambda: votes.put(_exchange(process, line.encode(), self._number)))
        try:
            vote = votes.get(timeout=self._seconds)
        except queue.Empty:
            self.close(patience=0.0)
            raise ExpertFailed(f"the expert {self.name} did not answer within {self._seconds:g} s") from None
        if vote is None:
            self.close()
            raise ExpertFailed(f"the expert {self.name} ended, with exit code {process.returncode}")
        return vote

    def close(self, patience: float = PATIENCE) -> None:
        """End the program: close its input, terminate it after some seconds, kill it after some more."""
        process, self._process = self._process, None
        if process is None:
            return
        _close(process.stdin)
        for seconds, end in ((patience, process.terminate), (PATIENCE, process.kill)):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
                break
            end()
        process.wait()
        _close(process.stdout)

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(self._arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603  (the user's own command, without a shell)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise ExpertFailed(f"the expert {self.name} cannot be started ({reason})") from None


def _in_a_thread(run: Callable[[], None]) -> None:
    threading.Thread(target=run, daemon=True).start()


def _close(stream: Any) -> None:
    """Close a stream as soon as nobody reads it or writes to it: whoever is blocked in it holds it."""

    def close() -> None:
        with contextlib.suppress(OSError, ValueError):
            stream.close()

    _in_a_thread(close)


def _exchange(process: Any, line: bytes, number: int) -> Vote | None:
    """Write a question and return the vote of the line that answers it; None if the program has ended."""
    with contextlib.suppress(OSError, ValueError):  # it has ended, or was ended because it did not answer
        process.stdin.write(line)
        process.stdin.flush()
    with contextlib.suppress(OSError, ValueError):
        while answer := process.stdout.readline(LONGEST_LINE):
            if (vote := _vote(answer, number)) is not None:
                return vote
    return None


def _vote(line: bytes, number: int) -> Vote | None:
    """Return the vote of a line; None if the line is no answer to the question of this number."""
    try:
        answer = parse_json(line)
    except ValueError:
        return None
    if not isinstance(answer, dict) or answer.get("id") is True or answer.get("id") != number:
        return None
    try:
        return read_vote(answer)
    except UsageError:
        return Vote()


class Consulting(NamedTuple):
    """The experts of a command and when they are asked."""

    experts: tuple[str, ...] = ()
    """Commands, or names of experts that plugins offer."""
    ask_below: float = ASK_BELOW
    reliability: float = RELIABILITY
    """Of experts that state none."""
    seconds: float = SECONDS
    """The time limit of a program's answer."""

    @property
    def at_the_terminal(self) -> bool:
        """Whether one of the experts is a person at the terminal."""
        return "interactive" in self.experts


def consulting(
    experts: list[str] | None, ask_below: float | None, reliability: float | None, seconds: float | None
) -> Consulting:
    """Return the experts of a command's options, where None is the default.

    Raises:
        UsageError: there is an option about experts, and no expert; or a command that cannot be split.
    """
    options = {"ask_below": ask_below, "reliability": reliability, "seconds": seconds}
    values = {name: value for name, value in options.items() if value is not None}
    if values and not experts:
        flags = {"ask_below": "--ask-below", "reliability": "--reliability", "seconds": "--expert-seconds"}
        raise UsageError(f"{flags[next(iter(values))]} goes with --expert, a program that is asked, or 'interactive'")
    for command in experts or []:
        if command not in registered("expert"):
            Program(command)
    return Consulting(tuple(experts or ()), **values)


def open_panel(settings: Consulting, notice: Callable[[str], None]) -> Panel:
    """Return the panel of some experts; `Panel.close` ends their programs.

    Args:
        settings: the experts.
        notice: as of `Panel`.
    """
    offered = registered("expert")
    experts = [offered[name] if name in offered else Program(name, settings.seconds) for name in settings.experts]
    return Panel(experts, settings.ask_below, settings.reliability, notice)
