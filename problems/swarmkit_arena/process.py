"""The process of a solver as the referee has it: started, asked, timed from outside, and ended."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import swarmkit
from swarmkit import StepCut
from swarmkit_arena import process_tree
from swarmkit_arena.messages import Message, receive, send
from swarmkit_arena.rules import Breach, Reason
from swarmkit_arena.submission import Submission

PATIENCE = 5.0
"""CPU seconds within which a request has to be answered: a step should take some milliseconds."""

IDLE = 4.0
"""The same in seconds, as a multiple: a process may wait for others on a busy machine."""

POLL = 0.5
"""Seconds between two looks at the CPU time of a process that has not answered yet."""

VARIABLES = ("PATH", "HOME", "XDG_CACHE_HOME", "LANG", "LC_ALL", "TMPDIR", "NUMBA_CACHE_DIR", "SWARMKIT_PLUGINS")
"""Environment variables that the process of a solver has, too."""

ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
"""Variables by which libraries start no threads: the CPU time of a solver is that of one, and it may not start any."""


class ContestantProcess:
    """A process that has imported a submission.

    Args:
        submission: the solver.
        hash_seed: the seed of Python's string hashes, by which sets of strings are ordered.
        kit: whether the process is to run the conformance kit.

    Raises:
        Breach: the submission cannot be imported, or breaks a rule while it is.
    """

    def __init__(self, submission: Submission, *, hash_seed: int = 0, kit: bool = False) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="swarmkit-arena-")
        self.trusted = submission.trusted
        self._alone = not (self.trusted or kit)
        self.reasons: list[Reason] = []
        """What was seen so far that breaks a rule."""
        work = Path(self._folder.name) / "work"
        work.mkdir()
        self._errors = (Path(self._folder.name) / "stderr").open("w+b")
        environment = {name: os.environ[name] for name in VARIABLES if name in os.environ}
        environment |= ONE_THREAD | {
            "PYTHONHASHSEED": str(hash_seed),
            "PYTHONPATH": os.pathsep.join(_paths(submission)),
        }
        self._connection, far_end = multiprocessing.Pipe()  # one duplex socket: replies and questions come in order
        self._process = subprocess.Popen(  # noqa: S603  (this very Python)
            [sys.executable, "-P", "-m", "swarmkit_arena.restrictions", str(far_end.fileno()), str(int(self._alone))],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            pass_fds=(far_end.fileno(),),
            cwd=work,
            env=environment,
            start_new_session=True,  # Ctrl-C is for the referee; and the whole group can be killed
        )
        far_end.close()  # else the end of the process would not end the pipe
        if submission.file:  # alone in its folder, so that nothing beside it can be imported
            copy = shutil.copyfile(submission.file, work / Path(submission.file).name)
            submission = submission._replace(file=str(copy))
        try:
            self._send({"submission": submission._asdict(), "kit": kit, "parent": os.getpid()})
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
        """The CPU time of the process and of all that it has started, threads included, as the kernel counts it."""
        return process_tree.cpu_seconds(self._process.pid)

    def ask(
        self,
        name: str,
        body: dict[str, Any] | None = None,
        *,
        arrays: Any = None,
        serve: Any = None,
        patience: float = PATIENCE,
    ) -> Message:
        """Send a request and return its reply; what the solver asks on the way is answered by `serve`.

        Args:
            name: the name of the request.
            body: its JSON values.
            arrays: its arrays.
            serve: called with (what, rows, stage), returns an array; None where nothing can be asked.
            patience: CPU seconds within which the reply has to come.

        Raises:
            Breach: no reply comes in time, the process has ended, or it replies with something else.
            StepCut: `serve` has raised it; the process has been told and has ended its step.
        """
        self._send({"ask": name, **(body or {})}, arrays)
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
            self._connection.close()
        self._errors.close()
        self._folder.cleanup()

    def _kill(self) -> None:
        if self._process.poll() is None:
            process_tree.end(self._process.pid)
        else:
            with suppress(OSError):  # what it has started is in its group
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _send(self, body: dict[str, Any], arrays: Any = None) -> None:
        try:
            send(self._connection, body, arrays)
        except OSError:
            raise self._ending() from None

    def _reply(self, serve: Callable[[str, Any, int], Any] | None, patience: float = PATIENCE) -> Message:
        deadline, cpu_limit = time.monotonic() + IDLE * patience, self.cpu_seconds + patience
        while True:
            message = self._receive(deadline, cpu_limit)
            if "asks" not in message.body:
                return message
            # Whatever is malformed here was not sent by our code: the solver has found the file descriptor.
            try:
                rows, stage = message.arrays["X"], int(message.body.get("stage", -1))
            except (KeyError, TypeError, ValueError):
                raise _misused_pipe() from None
            if serve is None or message.body["asks"] not in ("score", "feasible", "allowed"):
                raise _misused_pipe()
            try:
                values = serve(message.body["asks"], rows, stage)
            except StepCut as cut:
                # The process waits for scores: it has to end its step before other requests may follow.
                self._send({"cut": cut.reason})
                if self._receive(deadline, cpu_limit).body.get("cut") is not True:
                    words = "It catches the exception that ends its step at a limit, and goes on."
                    raise Breach("budget", words) from None
                raise
            if isinstance(values, str):
                self._send({"wrong": values})
            else:
                self._send({}, {"values": values})

    def _receive(self, deadline: float, cpu_limit: float) -> Message:
        """Return the next message, if it comes before a moment and before the process has used some CPU seconds."""
        try:
            while not self._connection.poll(POLL):
                if self._alone and process_tree.descendants(self._process.pid):
                    self._kill()
                    raise Breach("process", "It starts another process.")
                if self._process.poll() is not None:  # what it has started keeps the pipe open
                    raise self._ending()
                if time.monotonic() > deadline or self.cpu_seconds > cpu_limit:
                    self._kill()
                    raise Breach("limits", "It does not answer in time: a step that takes seconds, or does not end.")
            message = receive(self._connection)
        except (EOFError, ConnectionResetError):
            raise self._ending() from None
        except (OSError, ValueError) as error:
            raise _misused_pipe(f" ({error})") from None
        try:
            self.reasons += [Reason.model_validate(reason) for reason in message.body.get("reasons") or ()]
        except (TypeError, ValueError):
            raise _misused_pipe() from None
        return message

    def _ending(self) -> Breach:
        """Return why the process has ended, as a breach."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
        code = self._process.returncode
        if self._alone and code is not None and process_tree.group_exists(self._process.pid):
            self._kill()
            return Breach("process", "It leaves another process behind when it ends.")
        self._errors.seek(0)  # the last line of a traceback says most
        lines = self._errors.read()[-4000:].decode(errors="replace").strip().splitlines()
        detail = f" ({lines[-1][:200]})" if lines else ""
        if code == -signal.SIGXCPU or "MemoryError" in detail:
            return Breach("limits", f"Its process ended at a limit of time or memory{detail}.")
        return Breach("limits", f"Its process ended with code {code}{detail}.")


def rule_of(error: str) -> str:
    """Return the rule that is broken by code which fails with an error.

    >>> rule_of("ModuleNotFoundError: No module named 'answers'"), rule_of("ValueError: 3")
    ('file', 'kit')
    """
    return {"MemoryError": "limits", "ModuleNotFoundError": "file"}.get(error.partition(":")[0], "kit")


def _misused_pipe(detail: str = "") -> Breach:
    return Breach("harness", f"It writes to the pipe of the referee{detail}.")


def _paths(submission: Submission) -> list[str]:
    """Return where the process of a solver finds modules: as here, except beside the submission."""
    roots = {Path(module).resolve().parents[1] for module in (swarmkit.__file__, __file__)}
    exclusions = {Path(submission.file).resolve().parent} - roots if submission.file else set()
    return [path for path in sys.path if path and Path(path).resolve() not in exclusions]
