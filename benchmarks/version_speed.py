"""The speed of two versions on the same work: CPU seconds of runs of equal length, both alternating, medians of ratios.

    python benchmarks/version_speed.py --before PATH/TO/PYTHON        # the environment of the version before

The work is that of `moves.py` (annealing and genetic algorithms on categorical tables), `tours.py`, `qap.py` and
`construction.py` (bees), by iterations, and black boxes by 200,000 evaluations of a cheap score. A ratio is the CPU
seconds of the version before divided by those of this one: above 1 this one is faster.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import swarmkit
from swarmkit import Pairwise, PairwiseProblem, Problem, make_problem


class Ring(Problem):
    """A cheap score of 100 categories: neighbours on a ring that differ."""

    sizes = (4,) * 100

    def score(self, X: Any) -> Any:
        """Count the neighbours that differ."""
        return (X != np.roll(X, 1, axis=1)).sum(axis=1).astype(float)


def categorical(n: int) -> Problem:
    """Return random tables of n stages with six candidates, each linked to its four nearest."""
    rng = np.random.default_rng(n)
    edges = [(i, (i + k) % n, rng.random((6, 6))) for i in range(n) for k in (1, 2)]
    return PairwiseProblem(Pairwise.of([6] * n, edges))


Case = tuple[Callable[[], Problem], str, dict[str, Any]]

CASES: dict[str, Case] = {
    "moves: sa, 100 stages": (lambda: categorical(100), "sa", {"iterations": 20_000, "params": {"cooling": 0.9999}}),
    "moves: sa, 600 stages": (lambda: categorical(600), "sa", {"iterations": 4_000, "params": {"cooling": 0.9999}}),
    "moves: annealing, 600 stages": (lambda: categorical(600), "annealing", {"iterations": 4_000}),
    "moves: ga, 100 stages": (lambda: categorical(100), "ga", {"iterations": 1_500}),
    "moves: ga, 600 stages": (lambda: categorical(600), "ga", {"iterations": 300}),
    "tours: tsp-aco with 2-opt, 1,000 cities": (
        lambda: make_problem("tsp", n=1000, seed=1), "tsp-aco", {"iterations": 300, "params": {"local_search": "2opt"}}
    ),
    "tours: tour-ga, 200 cities": (lambda: make_problem("tsp", n=200, seed=1), "tour-ga", {"iterations": 300}),
    "tours: annealing, 1,000 cities": (
        lambda: make_problem("tsp", n=1000, seed=1), "annealing", {"iterations": 600}
    ),
    "tours: ils, 1,000 cities": (lambda: make_problem("tsp", n=1000, seed=1), "ils", {"iterations": 100_000}),
    "qap: robust-tabu, 42 facilities": (
        lambda: make_problem("qap", n=42, seed=1), "robust-tabu", {"iterations": 60_000}
    ),
    "construction: bco, 600 stages": (
        lambda: categorical(600), "bco", {"iterations": 400, "params": {"iterations": 400}}
    ),
    "construction: dbees as in the paper, 600 stages": (
        lambda: categorical(600), "dbees", {"iterations": 400, "params": {"preset": "paper", "iterations": 400}}
    ),
    "construction: dbees, 600 stages": (
        lambda: categorical(600), "dbees", {"iterations": 60, "params": {"iterations": 60}}
    ),
    "black box: ga": (Ring, "ga", {"evaluations": 200_000}),
    "black box: sa": (Ring, "sa", {"evaluations": 200_000, "params": {"cooling": 0.999}}),
    "black box: ils": (Ring, "ils", {"evaluations": 200_000}),
}  # fmt: skip


def measure(names: list[str]) -> dict[str, float]:
    """Return the CPU seconds of each case in this process; kernels are compiled by a short run before."""
    seconds = {}
    for name in names:
        make, solver, limits = CASES[name]
        short = {key: 2 for key in ("iterations", "evaluations") if key in limits}
        swarmkit.solve(make(), solver, seed=1, params=limits.get("params"), **short)
        problem = make()
        begun = time.process_time()
        swarmkit.solve(problem, solver, seed=1, **limits)
        seconds[name] = time.process_time() - begun
    return seconds


def child(python: str, names: list[str]) -> dict[str, float]:
    """Return what `measure` returns in another process, by some interpreter."""
    command = [python, str(Path(__file__).resolve()), "--measure", json.dumps(names)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(python).parent)
    if run.returncode:
        sys.exit(f"{python}: {run.stderr.strip().splitlines()[-1]}")
    measured: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return measured


def main() -> None:
    """Measure both versions in turn, and print the medians of their ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", help="the Python of an environment with the version before")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="cases whose names contain this")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure(json.loads(arguments.measure))))
        return
    if not arguments.before:
        parser.error("--before is needed: the Python of an environment with the version before")
    names = [name for name in CASES if arguments.only in name]
    print(f"{'case':<50} {'before s':>9} {'now s':>9} {'ratio':>6}   (medians of {arguments.rounds} rounds)")
    for name in names:
        pairs = [(child(arguments.before, [name])[name], child(sys.executable, [name])[name])
                 for _ in range(arguments.rounds)]  # fmt: skip
        before, now = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(a / b for a, b in pairs)
        print(f"{name:<50} {before:9.2f} {now:9.2f} {ratio:6.2f}", flush=True)


if __name__ == "__main__":
    main()
