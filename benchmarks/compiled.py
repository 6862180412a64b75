"""Evaluations a second of a compiled `score_one`, against the same function in Python: a flow shop of 50 jobs.

    python benchmarks/compiled.py                  annealing, ils, sa, ga: one minute on one core

The makespan of 50 jobs on 10 machines is a loop of 500 turns. Whole runs are timed, solver and harness included,
without the compilation, which is done before. CPU time; the bar of each solver is 20 times. Ends with 1 if one misses
it.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np

import swarmkit

BAR = 20.0


def makespan(x: Any, times: Any) -> Any:
    """Return when the last job leaves the last machine."""
    end = np.zeros(times.shape[1])
    for job in x:
        end[0] += times[job, 0]
        for m in range(1, len(end)):
            end[m] = max(end[m], end[m - 1]) + times[job, m]
    return end[-1]


class Plain(swarmkit.Problem):
    """The flow shop in Python."""

    direction, distinct = "minimise", True

    def __init__(self, times: Any) -> None:
        self.data, self.sizes = times, [len(times)] * len(times)

    def score_one(self, x: Any) -> Any:
        """Return the makespan of one sequence."""
        return makespan(x, self.data)


class Compiled(swarmkit.Problem):
    """The same, compiled."""

    direction, distinct, compiled = "minimise", True, True
    score_one = staticmethod(makespan)

    def __init__(self, times: Any) -> None:
        self.data, self.sizes = times, [len(times)] * len(times)


def rate(problem: swarmkit.Problem, solver: str, evaluations: int) -> float:
    """Return the evaluations of a run for each second of CPU time."""
    begin = time.process_time()
    result = swarmkit.solve(problem, solver, seed=1, evaluations=evaluations)
    return result.evaluations / (time.process_time() - begin)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solvers", nargs="*", default=["annealing", "ils", "sa", "ga"])
    options = parser.parse_args()
    times = np.random.default_rng(3).integers(1, 100, (50, 10)).astype(float)
    missed = False
    for solver in options.solvers:
        rate(Compiled(times), solver, 100)  # compiles
        plain, compiled = rate(Plain(times), solver, 4_000), rate(Compiled(times), solver, 200_000)
        missed |= compiled < BAR * plain
        print(
            f"{solver:10} {plain:9,.0f} in Python, {compiled:9,.0f} compiled: {compiled / plain:.0f} times", flush=True
        )
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
