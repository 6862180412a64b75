"""What comparing costs: throughput of two jobs over one, and the harness's overhead per run, store included.

python benchmarks/harness.py
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import swarmkit

ROUNDS = 3


def main() -> None:
    """Print both figures with what they were measured on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=24, help="runs for the throughput, of about half a second each")
    parser.add_argument("--short", type=int, default=500, help="near-empty runs for the overhead")
    given = parser.parse_args()
    overhead(given.short, 1)
    overhead(given.short, 2)
    throughput(given.runs)


def throughput(runs: int) -> None:
    """Make the same runs on one process and on two."""
    made = swarmkit.Experiment(
        problems=[{"name": "synthetic", "options": {"n": 300}}],
        solvers=[{"name": "annealing"}],
        runs=runs,
        budget={"looks": 20_000_000},
    )
    swarmkit.compare(made.model_copy(update={"runs": 4}), jobs=2)  # processes started, kernels loaded
    ratios = []
    for _ in range(ROUNDS):
        one, single = timed(lambda: swarmkit.compare(made, jobs=1))
        two, double = timed(lambda: swarmkit.compare(made, jobs=2))
        assert [r.result.solution for r in single] == [r.result.solution for r in double]
        long = statistics.median(record.result.seconds for record in single)
        ratios.append(one / two)
        print(f"throughput: {runs} runs of {long:.2f} s: 1 job {one:.1f} s, 2 jobs {two:.1f} s: {ratios[-1]:.2f} times")
    print(f"throughput of two jobs over one, median: {statistics.median(ratios):.2f} times")


def overhead(runs: int, jobs: int) -> None:
    """Compare near-empty runs, kept in a store, with the solver's own work on them."""
    made = swarmkit.Experiment(
        problems=[{"name": "synthetic", "options": {"n": 50}}], solvers=["first"], runs=runs, budget={"iterations": 1}
    )
    with tempfile.TemporaryDirectory() as folder:
        swarmkit.compare(made.model_copy(update={"runs": 4}), store=Path(folder) / "warm.db", jobs=jobs)
        busy = time.process_time()
        whole, _ = timed(lambda: swarmkit.compare(made, store=Path(folder) / "runs.db", jobs=jobs))
        busy = time.process_time() - busy
    problem, solver = swarmkit.make_problem("synthetic", n=50), swarmkit.make_solver("first")
    bare, _ = timed(lambda: [step(problem, solver, i) for i in range(runs)])
    per_run = 1e3 * (whole - bare) / runs
    print(f"overhead: {runs} near-empty runs, {jobs} jobs, store included: {per_run:.2f} ms a run", end=" ")
    print(f"({1e3 * busy / runs:.2f} ms of CPU time in the process that asks)")


def step(problem: swarmkit.Problem, solver: swarmkit.Solver[Any], seed: int) -> None:
    """Do what the solver does, with nothing around it."""
    rng = np.random.Generator(np.random.PCG64(seed))
    state = solver.start(problem, rng)
    solver.step(problem, state, rng)


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds that a call takes, and what it returns."""
    begun = time.perf_counter()
    given = function()
    return time.perf_counter() - begun, given


if __name__ == "__main__":
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    main()
