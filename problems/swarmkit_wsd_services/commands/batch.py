"""`swarmkit wsd tag` on many texts: on several processes or a cluster, into files that resume."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import timedelta
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self, TextIO

from swarmkit import SwarmkitError, UsageError, map_stream, write_atomically
from swarmkit_wsd_services.batches import Batch, ProbeTask, Task, Versions, answer, close_panel
from swarmkit_wsd_services.commands.arguments import ExpertsFailed
from swarmkit_wsd_services.commands.batch_plan import SEPARATE, Output, PlanItem, plan_outputs, tasks_of
from swarmkit_wsd_services.commands.text_sources import TABLES, Input

UNITS = {"jsonl": "lines", "conllu": "sentences"} | dict.fromkeys(SEPARATE, "texts") | dict.fromkeys(TABLES, "rows")

LINES, SHARD = 32, 128
"""Lines of JSON in a task, for processes of this machine and for a cluster, which is farther away."""

MOST_ERRORS = 3
"""Texts that cannot be read which the message at the end names."""


class FailedLines(SwarmkitError):
    """Some lines of a batch could not be answered; all others were."""

    exit_code = 1


class Where(NamedTuple):
    """Where a batch is answered; the arguments of `map_stream`."""

    jobs: int | None = None
    """None is 1, or on a cluster all of it."""
    backend: str = "loky"
    scheduler: str | None = None

    @property
    def processes(self) -> int:
        """The number of processes, -1 for all."""
        if self.jobs is None:
            return 1 if self.backend == "loky" else -1
        return self.jobs


def tag_batch(inputs: Sequence[Input], batch: Batch, where: Where, out: str | None, resume: bool) -> None:
    """Answer files, in their order.

    Args:
        inputs: the files.
        batch: what they are answered with.
        where: the processes that answer them.
        out: the file or folder that is written; None for standard output.
        resume: whether what is in it is left out.

    Raises:
        FailedLines: after all lines, if some could not be answered.
    """
    if batch.consulting.at_the_terminal and where.processes != 1:
        raise UsageError("--expert interactive goes with --jobs 1: one person is asked one question at a time")
    if batch.alternatives and any(item.form in ("conllu", *TABLES) for item in inputs):
        raise UsageError("--alternatives goes with JSON; CoNLL-U and tables have one sense for each word")
    outputs = plan_outputs(inputs, out, resume)
    if where.backend == "dask":
        # Workers of a cluster have an installation of their own, which may be another one.
        batch = batch._replace(versions=Versions.of(batch.options))
    # Answers to several formats have no common unit but the answer.
    unit = UNITS[inputs[0].form] if len({item.form for item in inputs}) == 1 else "answers"
    errors: list[str] = []
    failed_experts = 0
    queue: deque[PlanItem] = deque()
    results = map_stream(
        partial(answer, batch),
        _tasks(outputs, batch, where, queue),
        where.processes,
        backend=where.backend,
        scheduler=where.scheduler,
    )
    with ExitStack() as stack:
        stack.callback(close_panel, batch.consulting)
        next(results)  # what is wrong with the options is said here, before anything is written
        progress = stack.enter_context(BatchProgress(_size(inputs), unit))
        while True:
            result = next(results, None)
            # Answers come in the order of the tasks; items without a task, which are counted only, lie between them.
            while queue and queue[0].task is None:
                has = queue.popleft()
                errors += [has.error] if has.error else []
                progress.count_earlier(has.units, has.end, has.failed)
            if result is None:
                break
            item = queue.popleft()
            failed_experts += result.failed_experts
            _write(item.output, result.content)
            progress.count_answers(result.units, item.end, result.failed)
    for output in outputs:
        if output.path is not None and output.form not in SEPARATE:
            # Whoever waits for the file finds it, and --resume has nothing left to do.
            output.path.touch()  # of an input without texts
    if progress.failed:
        why = "; ".join(errors[:MOST_ERRORS]) or "the 'error' of their output lines says why"
        raise FailedLines(f"{progress.failed} of {progress.total} {unit} could not be answered: {why}")
    if failed_experts:
        raise ExpertsFailed(failed_experts)


def _tasks(outputs: Sequence[Output], batch: Batch, where: Where, queue: deque[PlanItem]) -> Iterator[Task]:
    """Iterate over the probe and the tasks of all outputs, which are planned as they are taken."""
    yield ProbeTask()
    end = 0
    shard = LINES if where.backend == "loky" else SHARD
    for output in outputs:
        # A pipe may be slow: a line of it is answered as soon as it has come.
        size = shard if where.processes != 1 or all(item.is_file for item in output.inputs) else 1
        for item in tasks_of(output, end, batch.options.preset, size):
            end = item.end
            queue.append(item)
            if item.task is not None:
                yield item.task


def _write(output: Output, content: bytes) -> None:
    """Append an answer to its output; that to a text is a file of its own."""
    if output.path is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    elif output.form in SEPARATE:
        write_atomically(output.path, content)
    else:
        # What is written counts as answered after a crash, so it does not wait in a buffer.
        try:
            with output.path.open("ab") as file:
                file.write(content)
        except OSError as error:
            reason = error.strerror or error
            raise UsageError(f"{output.path}: cannot be written ({reason}); --resume goes on with it") from None


def _size(inputs: Sequence[Input]) -> int | None:
    """Return the bytes of all files; None if one of them is a stream."""
    return sum(Path(item.name).stat().st_size for item in inputs) if all(item.is_file for item in inputs) else None


TERMINAL, LOG = 0.5, 30.0
"""Seconds between two reports, on a terminal, where each replaces the last one, and elsewhere."""


class BatchProgress:
    """Reports how far a batch is; a context, which removes the report from a terminal."""

    def __init__(
        self,
        size: int | None,
        unit: str = "lines",
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin to count.

        Args:
            size: the bytes of the input; None if they are not known, so that no time left is reported.
            unit: what is counted.
            stream: where reports are written; by default standard error.
            clock: returns the seconds from some fixed moment.
        """
        self._size, self._unit, self._clock = size, unit, clock
        self._stream = sys.stderr if stream is None else stream
        self._terminal = self._stream.isatty()
        self._start = self._last = clock()
        self._is_visible = False
        self._end = self._skipped = 0
        self.units = self.total = self.failed = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._terminal and self._is_visible:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def count_earlier(self, units: int, end: int, failed: int = 0) -> None:
        """Count what was answered before this run; arguments as of `count_answers`."""
        # The time left is estimated from what this run has to do alone.
        self._skipped += max(0, end - self._end)
        self._end = max(end, self._end)
        self.total += units
        self.failed += failed

    def count_answers(self, units: int, end: int, failed: int = 0) -> None:
        """Count what was answered, and report if it is time.

        Args:
            units: the number of lines, sentences or texts.
            end: the bytes of the input that are answered, those before this run included.
            failed: how many say what was wrong with the input.
        """
        self.units += units
        self.total += units
        self.failed += failed
        self._end = end
        now = self._clock()
        # A report every half second on a terminal, which it overwrites; in a log a line now and then.
        if now - self._last < (TERMINAL if self._terminal else LOG):
            return
        self._last, self._is_visible = now, True
        line = f"swarmkit: {report(self.units, self._unit, now - self._start, self._share())}"
        self._stream.write(f"\r\x1b[K{line}" if self._terminal else line + "\n")
        self._stream.flush()

    def _share(self) -> float | None:
        """Return the share of this run's input that is answered."""
        if self._size is None:
            return None
        return (self._end - self._skipped) / max(1, self._size - self._skipped)


def report(units: int, unit: str, seconds: float, share: float | None) -> str:
    """Return a report on a batch.

    >>> report(1200, "lines", 60.0, 0.25)
    '1,200 lines, 20.0 lines/s, 25 %, 0:03:00 left'
    >>> report(1200, "lines", 60.0, None)
    '1,200 lines, 20.0 lines/s'
    """
    text = f"{units:,} {unit}, {units / seconds:.1f} {unit}/s"
    if not share:
        return text
    left = timedelta(seconds=round(seconds * (1 - share) / share))
    return f"{text}, {share:.0%}, {left} left".replace("%", " %")
