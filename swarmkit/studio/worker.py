"""The process that makes the runs of the studio: `python -m swarmkit.studio.worker [PLUGIN...]`.

It reads tasks from its standard input and writes messages to its standard output (`pack`). Whatever plugins
print goes to stderr. When its input ends, because the server has ended in whatever way, it ends at once, together with
the processes that it has started.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import struct
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from swarmkit.plugins.failures import sentence_of

if TYPE_CHECKING:
    from swarmkit.viewing.live import LiveRecorder

LENGTH = struct.Struct(">I")
"""The number of bytes of a message, in four bytes."""

ROWS = 500
"""Rows of the answer that are shown; the result that can be downloaded has all."""


def pack(message: Any) -> bytes:
    r"""Return a message as bytes.

    >>> pack({"a": 1})
    b'\x00\x00\x00\x07{"a":1}'
    """
    body = json.dumps(message, separators=(",", ":"), allow_nan=False).encode()
    return LENGTH.pack(len(body)) + body


def read_message(pipe: BinaryIO) -> Any:
    """Return the next message of a pipe; None if the other end was closed."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    [length] = LENGTH.unpack(head)
    body = pipe.read(length)
    return json.loads(body) if len(body) == length else None


class Worker:
    """Makes one task at a time; a second thread hears that a run is to stop."""

    def __init__(self, tasks: BinaryIO, messages: BinaryIO) -> None:
        self._tasks, self._messages = tasks, messages
        self._queue: list[dict[str, Any]] = []
        self._arrival = threading.Condition()
        self._recorder: LiveRecorder | None = None
        self._stopping = False

    def listen(self) -> None:
        """Read what the server sends until it ends."""
        while (message := read_message(self._tasks)) is not None:
            with self._arrival:
                if "stop" in message:
                    self._stopping = True
                    if self._recorder is not None:
                        self._recorder.stop()
                else:
                    self._queue.append(message)
                    self._arrival.notify()
        exit_with_children()

    def work(self) -> None:
        """Make the tasks, in their order, for ever."""
        while True:
            with self._arrival:
                self._arrival.wait_for(lambda: self._queue)
                task = self._queue.pop(0)
                self._stopping, self._recorder = False, None
            try:
                self.send({"result": self._make(task)})
            except KeyboardInterrupt:
                exit_with_children()
            except BaseException as error:  # a plugin may raise anything, sys.exit included
                self.send({"error": sentence_of(error)})

    def send(self, message: dict[str, Any]) -> None:
        """Send a message to the server."""
        try:
            self._messages.write(pack(message))
            self._messages.flush()
        except (BrokenPipeError, ValueError):
            exit_with_children()

    def _make(self, task: dict[str, Any]) -> dict[str, Any]:
        if "annotator" in task:
            from swarmkit.plugins.host import host

            document: dict[str, Any] = host().find("annotator", task["annotator"]).value(task["text"])
            return document
        return self._solve(task)

    def _solve(self, task: dict[str, Any]) -> dict[str, Any]:
        """Make a run; its recording and its result are written to the folder of the task."""
        import time

        from swarmkit.plugins.factory import make_problem, make_solver
        from swarmkit.running.api import solve
        from swarmkit.viewing.live import LiveRecorder

        clock = time.perf_counter()
        solver = make_solver(task["solver"], **task["params"])
        problem = make_problem(task["problem"], **task["options"])
        recorder = LiveRecorder(self.send)
        with self._arrival:
            self._recorder = recorder
            if self._stopping:
                recorder.stop()
        setup = time.perf_counter() - clock
        options = {**task["budget"], "seed": task["seed"], "setup_seconds": setup}
        result = solve(problem, solver, observers=[recorder], **options)
        folder = Path(task["folder"])
        if recorder.recorder.recording is not None:
            recorder.recorder.recording.write(folder / "run.rec")
        (folder / "result.json").write_text(result.model_dump_json(indent=2), encoding="utf-8")
        return result_document(result)


def result_document(result: Any) -> dict[str, Any]:
    """Return what the page shows of a result beside the recording, as JSON."""
    from swarmkit.viewing.viewer_data import plain

    proved = result.bound is not None and result.bound == result.score
    sentences = [
        result.explanation.choice if result.explanation else "",
        result.against_random.words if result.against_random else "",
        result.gap.words if result.gap else "",
        "Proved: no solution is better." if proved else "",
    ]
    document: dict[str, Any] = plain(
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
            "said": list(filter(None, sentences)),
            "answer": [{str(k): v if v is None else _cell(v) for k, v in row.items()} for row in result.answer[:ROWS]],
            "rows": len(result.answer),
        },
        digits=10,
    )
    return document


def _cell(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool) else str(value)


def exit_with_children() -> None:
    """End this process and those that it has started."""
    with suppress(OSError, AttributeError):
        if os.getpgrp() == os.getpid():  # the server starts it so; a process started otherwise ends alone
            os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(0)  # no handler runs, and no thread is waited for: the server is gone


def main(plugins: list[str]) -> None:
    """Make the tasks that standard input has, with some single-file plugins."""
    # Descriptor 1 goes to stderr, for code in C that prints, too; the messages have a copy of it.
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
