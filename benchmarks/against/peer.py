"""Run one peer on some instances: a job as JSON on standard input, a line of JSON for each run on standard output.

Runs in the peers' environment, as `python -m against.peer`; nothing of swarmkit is imported. The clock ends a run when
the peer evaluates after its budget; a timer of the process's CPU time ends a peer that does not come to that.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from against.clock import Clock, Over
from against.libraries import PEERS, seed_all
from against.tasks import Task, load

GRACE = 20.0
"""CPU seconds over the budget for an iteration to end: with it a rate is known, although no gap."""


@contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """Raise `Over` after so much CPU time."""

    def over(*_: Any) -> None:
        raise Over

    signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def run(method: str, task: Task, seed: int, marks: list[float]) -> dict[str, Any]:
    """Make one run."""
    clock = Clock(marks)
    try:
        # LKH cannot be interrupted; the parent's patience ends it.
        with stopped_after(0.0 if "LKH" in method else marks[-1] + GRACE):
            seed_all(seed)
            PEERS[method](task, seed, clock)
    except Over:
        pass
    except Exception as error:  # whatever a peer throws is told, and the rest goes on
        return {"error": f"{type(error).__name__}: {error}"}
    if not clock.count:
        return {"error": f"nothing done after {marks[-1] + GRACE:g} s of CPU time"}
    return clock.result()


def small(task: Task) -> Task:
    """Make a small instance of the same kind, to load what a library loads late."""
    if task.kind == "categories":
        near = (task.edges < 12).all(axis=1)
        return Task(task.kind, {"edges": task.edges[near], "tables": task.tables[near]})
    return Task(task.kind, {name: np.ascontiguousarray(table[:12, :12]) for name, table in task.arrays.items()})


def main() -> None:
    """Make all runs of the job, after a short one that is thrown away."""
    warnings.simplefilter("ignore")
    lines = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a peer prints is no result
    job = json.load(sys.stdin)
    for number, given in enumerate(job["runs"]):
        task = load(given["file"])
        if not number:
            run(job["method"], small(task), 0, [0.05])
        print(json.dumps(run(job["method"], task, given["seed"], given["marks"])), file=lines, flush=True)


if __name__ == "__main__":
    main()
