"""The process of a solver as the referee has it: started, asked, timed from outside, and ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from swarmkit.arena.messages import Channel, Message
from swarmkit.arena.rules import Breach, Reason
from swarmkit.arena.sandbox import Limits
from swarmkit.arena.submission import Submission
from swarmkit.contract.meter import StepCut

PATIENCE = 5.0
"""CPU seconds within which a request has to be answered: a step should take some milliseconds."""

IDLE = 4.0
"""The same in seconds, as a multiple: a process may wait for others on a busy machine."""

POLL = 0.5
"""Seconds between two looks at the CPU time of a process that has not answered yet."""

KEPT_VARIABLES = ("PATH", "HOME", "XDG_CACHE_HOME", "LANG", "LC_ALL", "TMPDIR", "NUMBA_CACHE_DIR", "SWARMKIT_PLUGINS")
"""Environment variables that the process of a solver has, too."""


class Setting(NamedTuple):
    """How a process of a solver is started."""

    limits: Limits = Limits()
    speed: float = 1.0
    """Seconds that pass on its clocks in one second; 0 stops them."""
    hash_seed: int = 0
    """The seed of Python's string hashes, by which sets of strings are ordered."""
    kit: bool = False
    """Whether it is to run the conformance kit."""


class ContestantProcess:
    """A process that has imported a submission.

    Args:
        submission: the solver.
        setting: limits, clocks and hashes.

    Raises:
        Breach: the submission cannot be imported, or breaks a rule while it is.
    """

    def __init__(self, submission: Submission, setting: Setting = Setting()) -> None:  # noqa: B008  (it is immutable)
        self._folder = tempfile.TemporaryDirectory(prefix="swarmkit-arena-")
        self.trusted = submission.trusted
        self.reasons: list[Reason] = []
        """What was seen of the solver's conduct so far."""
        receiving, theirs_out = os.pipe()
        theirs_in, sending = os.pipe()
        kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        self._errors = (Path(self._folder.name) / "stderr").open("w+b")
        work = Path(self._folder.name) / "work"
        work.mkdir()
        self._process = subprocess.Popen(  # noqa: S603  (this very Python)
            [sys.executable, "-P", "-m", "swarmkit.arena.contestant", str(theirs_in), str(theirs_out)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            pass_fds=(theirs_in, theirs_out),
            cwd=work,
            env=kept | {"PYTHONHASHSEED": str(setting.hash_seed), "PYTHONPATH": os.pathsep.join(_paths(submission))},
            start_new_session=True,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._channel = Channel(receiving, sending)
        if submission.file:
            submission = submission._replace(file=str(_copied(Path(submission.file), work)))
        told = {
            "submission": submission._asdict(),
            "limits": setting.limits._asdict(),
            "speed": setting.speed,
            "kit": setting.kit,
        }
        main = threading.current_thread() is threading.main_thread()
        try:
            self._send({**told, "parent": os.getpid(), "by_main_thread": main})
            self.ready: dict[str, Any] = self._reply(None).body.get("ready", {})
            if not self.ready:
                first = self.reasons[0] if self.reasons else Reason(rule="loading", words="It cannot be imported.")
                raise Breach(first.rule, first.words)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def cpu_seconds(self) -> float:
        """The CPU time of the process, all its threads included, as the kernel counts it."""
        if sys.platform == "linux":
            return time.clock_gettime((~self._process.pid << 3) | 2)  # CPUCLOCK_SCHED of a process: clock_getcpuclockid
        return time.perf_counter()

    def ask(
        self,
        what: str,
        body: dict[str, Any] | None = None,
        *,
        arrays: Any = None,
        serve: Any = None,
        patience: float = PATIENCE,
    ) -> Message:
        """Send a request and return its reply; what the solver asks on the way is answered by `serve`.

        Args:
            what: the request.
            body: its JSON values.
            arrays: its arrays.
            serve: called with (what, rows, stage), returns an array; None where nothing can be asked.
            patience: CPU seconds within which the reply has to come.

        Raises:
            Breach: no reply comes in time, the process has ended, or it replies with something else.
            StepCut: `serve` has raised it; the process has been told and has ended its step.
        """
        self._send({"ask": what, **(body or {})}, arrays)
        reply = self._reply(serve, patience)
        if "cut" in reply.body:
            raise Breach("harness", "It ends its step by an exception that is the harness's.")
        if "error" in reply.body:
            rule = rule_of(reply.body["error"])
            raise Breach(rule, f"It fails: {reply.body['error']} ({reply.body.get('where', '')}).")
        return reply

    def pause(self, seconds: float) -> None:
        """Stop the process for some seconds, while clocks go on."""
        with suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGSTOP)
            time.sleep(seconds)
            os.kill(self._process.pid, signal.SIGCONT)

    def close(self) -> None:
        """End the process and all that it has started."""
        self._kill()
        with suppress(OSError):
            self._channel.close()
        self._errors.close()
        self._folder.cleanup()

    def _kill(self) -> None:
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _send(self, body: dict[str, Any], arrays: Any = None) -> None:
        try:
            self._channel.send(body, arrays)
        except OSError:
            raise self._ended() from None

    def _reply(self, serve: Callable[[str, Any, int], Any] | None, patience: float = PATIENCE) -> Message:
        deadline, most = time.monotonic() + IDLE * patience, self.cpu_seconds + patience
        while True:
            message = self._receive(deadline, most)
            if "asks" not in message.body:
                self._take_reasons(message.body.get("reasons"))
                return message
            if serve is None or message.body["asks"] not in ("score", "feasible", "allowed"):
                raise Breach("harness", "It writes to the pipe of the referee.")
            try:
                rows, stage = message.arrays["X"], int(message.body.get("stage", -1))
            except (KeyError, TypeError, ValueError):
                raise Breach("harness", "It writes to the pipe of the referee.") from None
            try:
                values = serve(message.body["asks"], rows, stage)
            except StepCut as cut:
                self._end_step(cut.reason, deadline, most)
                raise
            if isinstance(values, str):
                self._send({"wrong": values})
            else:
                self._send({}, {"values": values})

    def _end_step(self, reason: str, deadline: float, most: float) -> None:
        """Tell the process, which waits for scores, that a limit ends its step; other requests may follow."""
        self._send({"cut": reason})
        reply = self._receive(deadline, most)
        self._take_reasons(reply.body.get("reasons"))
        if reply.body.get("cut") is not True:
            raise Breach("budget", "It catches the exception that ends its step at a limit, and goes on.")

    def _receive(self, deadline: float, most: float) -> Message:
        """Return the next message, if it comes before a moment and before the process has used some CPU seconds."""
        try:
            while not self._channel.waits(POLL):
                if time.monotonic() > deadline or self.cpu_seconds > most:
                    self._kill()
                    raise Breach("limits", "It does not answer in time: a step that takes seconds, or does not end.")
            return self._channel.receive()
        except EOFError:
            raise self._ended() from None
        except (OSError, ValueError) as error:
            raise Breach("harness", f"It writes to the pipe of the referee ({error}).") from None

    def _take_reasons(self, given: Any) -> None:
        try:
            self.reasons += [Reason.model_validate(one) for one in given or ()]
        except (TypeError, ValueError):
            raise Breach("harness", "It writes to the pipe of the referee.") from None

    def _ended(self) -> Breach:
        """Return why the process has ended, as a breach."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
        code = self._process.returncode
        self._errors.seek(0)
        lines = self._errors.read()[-4000:].decode(errors="replace").strip().splitlines()
        said = f" ({lines[-1][:200]})" if lines else ""
        if code == -signal.SIGXCPU or "MemoryError" in said:
            return Breach("limits", f"Its process ended at a limit of time or memory{said}.")
        return Breach("limits", f"Its process ended with code {code}{said}.")


def rule_of(error: str) -> str:
    """Return the rule that is broken by code which fails with an error.

    >>> rule_of("ModuleNotFoundError: No module named 'answers'"), rule_of("ValueError: 3")
    ('file', 'kit')
    """
    return {"MemoryError": "limits", "ModuleNotFoundError": "file"}.get(error.partition(":")[0], "kit")


def _paths(submission: Submission) -> list[str]:
    """Return where the process of a solver finds modules: as here, except beside the submission."""
    core = Path(__file__).resolve().parents[2]
    left_out = {Path(submission.file).resolve().parent} - {core} if submission.file else set()
    return [path for path in sys.path if path and Path(path).resolve() not in left_out]


def _copied(file: Path, folder: Path) -> Path:
    """Copy a submission alone into a folder, so that nothing beside it can be imported, and return the copy."""
    copy = folder / file.name
    copy.write_bytes(file.read_bytes())
    return copy
