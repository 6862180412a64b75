"""The process that makes the runs of the studio: `python -m swarmkit.studio.worker [PLUGIN...]`.

It reads tasks from its standard input and writes messages to its standard output (`messages.py`). Whatever plugins
print goes to stderr. When its input ends, because the server has ended in whatever way, it ends at once, together with
the processes that it has started.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from swarmkit.contract.errors import SwarmkitError
from swarmkit.studio.messages import packed, read_message

if TYPE_CHECKING:
    from swarmkit.viewing.live import LiveRecorder

ROWS = 500
"""Rows of the answer that are shown; the result that can be downloaded has all."""


class Worker:
    """Makes one task at a time; a second thread hears that a run is to stop."""

    def __init__(self, tasks: BinaryIO, messages: BinaryIO) -> None:
        self._tasks, self._messages = tasks, messages
        self._waiting: list[dict[str, Any]] = []
        self._arrived = threading.Condition()
        self._recorder: LiveRecorder | None = None
        self._stopping = False

    def listen(self) -> None:
        """Read what the server sends until it ends."""
        while (message := read_message(self._tasks)) is not None:
            with self._arrived:
                if "stop" in message:
                    self._stopping = True
                    if self._recorder is not None:
                        self._recorder.stop()
                else:
                    self._waiting.append(message)
                    self._arrived.notify()
        end_everything()

    def work(self) -> None:
        """Make the tasks, in their order, for ever."""
        while True:
            with self._arrived:
                self._arrived.wait_for(lambda: self._waiting)
                task = self._waiting.pop(0)
                self._stopping, self._recorder = False, None
            try:
                self.send({"result": self._make(task)})
            except KeyboardInterrupt:
                end_everything()
            except BaseException as error:  # a plugin may raise anything, sys.exit included
                self.send({"error": sentence_of(error)})

    def send(self, message: dict[str, Any]) -> None:
        """Send a message to the server."""
        try:
            self._messages.write(packed(message))
            self._messages.flush()
        except (BrokenPipeError, ValueError):
            end_everything()

    def _make(self, task: dict[str, Any]) -> dict[str, Any]:
        if "annotator" in task:
            from swarmkit.plugins.host import host

            found: dict[str, Any] = host().find("annotator", task["annotator"]).value(task["text"])
            return found
        return self._solve(task)

    def _solve(self, task: dict[str, Any]) -> dict[str, Any]:
        """Make a run; its recording and its result are written to the folder of the task."""
        import time

        from swarmkit.plugins.factory import make_problem, make_solver
        from swarmkit.running.api import solve
        from swarmkit.viewing.live import LiveRecorder

        begun = time.perf_counter()
        solver = make_solver(task["solver"], **task["params"])
        problem = make_problem(task["problem"], **task["options"])
        recorder = LiveRecorder(self.send)
        with self._arrived:
            self._recorder = recorder
            if self._stopping:
                recorder.stop()
        setup = time.perf_counter() - begun
        given = {**task["budget"], "seed": task["seed"], "setup_seconds": setup}
        result = solve(problem, solver, observers=[recorder], **given)
        folder = Path(task["folder"])
        if recorder.recorder.recording is not None:
            recorder.recorder.recording.write(folder / "run.rec")
        (folder / "result.json").write_text(result.model_dump_json(indent=2), encoding="utf-8")
        return shown(result)


def shown(result: Any) -> dict[str, Any]:
    """Return what the page shows of a result beside the recording."""
    from swarmkit.viewing.viewer_data import plain

    said = [
        result.explanation.choice if result.explanation else "",
        result.against_random.words if result.against_random else "",
        result.gap.words if result.gap else "",
    ]
    if result.bound is not None and result.bound == result.score:
        said.append("Proved: no solution is better.")
    found: dict[str, Any] = plain(
        {
            "objective": result.objective,
            "score": None if result.score is None else result.shown(result.score),
            "stopped": str(result.stopped),
            "seconds": result.seconds,
            "setup_seconds": result.setup_seconds,
            "looks": result.looks,
            "evaluations": result.evaluations,
            "iterations": result.iterations,
            "metrics": {name: value for name, value in result.metrics.items() if name != result.objective},
            "said": [text for text in said if text],
            "answer": [{str(k): v if v is None else _cell(v) for k, v in row.items()} for row in result.answer[:ROWS]],
            "rows": len(result.answer),
        },
        digits=10,
    )
    return found


def _cell(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool) else str(value)


def sentence_of(error: BaseException) -> str:
    """Return an error as a sentence for people, as the command line has it."""
    from swarmkit.plugins.failures import name_plugin

    if isinstance(error, MemoryError):
        return f"not enough memory ({error or 'no more can be allocated'}); something smaller would fit"
    named = name_plugin(error) or error
    return str(named) if isinstance(named, SwarmkitError) else f"internal error: {type(error).__name__}: {error}"


def end_everything() -> None:
    """End this process and those that it has started."""
    with suppress(OSError, AttributeError):
        if os.getpgrp() == os.getpid():
            os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(0)


def main(plugins: list[str]) -> None:
    """Make the tasks that standard input has, with some single-file plugins."""
    messages = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    with suppress(OSError, AttributeError):
        os.nice(5)  # the server answers while a run goes on
    worker = Worker(sys.stdin.buffer, messages)
    threading.Thread(target=worker.listen, daemon=True).start()
    from swarmkit.plugins.host import host

    host().load_files([Path(name) for name in plugins])
    for module in ("swarmkit.running.api", "swarmkit.viewing.live"):
        importlib.import_module(module)  # while nothing is asked for yet
    worker.work()


if __name__ == "__main__":
    main(sys.argv[1:])
