"""Sequences that are nothing but a score: how near solvers come to the best known within some evaluations.

    python benchmarks/sequences.py                          README's route, ils, 20 seeds: 15 seconds on one core
    python benchmarks/sequences.py --problems route ordering flowshop assignment --solvers sa annealing ils auto

`route`: README's route of 40 stops; its bar is a mean of at most 2 % above the best known. `ordering`: a linear
ordering problem of 50 items. `flowshop`: Taillard's 50 jobs on 10 machines (ta041). `assignment`: a quadratic
assignment of 30 facilities, where only swaps are of use. Gaps to the best known in %, seconds of CPU time. Ends with 1
if a bar is missed.
"""

from __future__ import annotations

import argparse
import runpy
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import swarmkit
from swarmkit import Problem

README = Path(__file__).parent.parent / "examples" / "readme.py"


class Cost(Problem):
    """Permutations and what it costs."""

    direction, distinct = "minimise", True

    def __init__(self, n: int, cost: Callable[[Any], Any]) -> None:
        self.sizes, self.cost = [n] * n, cost

    def score(self, X: Any) -> Any:
        """Return the cost of each row."""
        return self.cost(X)


def route() -> Problem:
    """Return README's own problem."""
    return runpy.run_path(str(README), run_name="readme")["Route"](np.random.default_rng(1).random((40, 2)))


def ordering(n: int = 50) -> Problem:
    """Return a linear ordering problem: minus the sum above the diagonal of a matrix that is put in order."""
    matrix = np.random.default_rng(3).integers(0, 100, (n, n)).astype(float)
    above, below = np.triu_indices(n, 1)
    return Cost(n, lambda X: -matrix[X[:, above], X[:, below]].sum(axis=1))


def flowshop() -> Problem:
    """Return a permutation flow shop."""
    return swarmkit.make_problem("flowshop", instance="ta041")


def assignment(n: int = 30) -> Problem:
    """Return a quadratic assignment with symmetric flows and distances."""
    rng = np.random.default_rng(7)
    flow, distance = (matrix + matrix.T for matrix in rng.integers(0, 100, (2, n, n)).astype(float))
    return Cost(n, lambda X: (flow * distance[X[:, :, None], X[:, None, :]]).sum(axis=(1, 2)))


PLAN: dict[str, tuple[Callable[[], Problem], float, float | None]] = {
    "route": (route, 4.651, 2.0),
    "ordering": (ordering, -67_944.0, None),
    "flowshop": (flowshop, 2991.0, None),
    "assignment": (assignment, 8_246_370.0, None),
}
"""How each problem is made, the best known cost, and the mean gap in % that `ils` promises."""


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solvers", nargs="*", default=["ils"])
    parser.add_argument("--problems", nargs="*", default=["route"], choices=list(PLAN))
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--evaluations", type=int, default=25_003)
    options = parser.parse_args()
    missed = False
    for name in options.problems:
        make, best, bar = PLAN[name]
        problem = make()
        for solver in options.solvers:
            begin = time.process_time()
            results = [
                swarmkit.solve(problem, solver, seed=seed, evaluations=options.evaluations)
                for seed in range(options.seeds)
            ]
            seconds = (time.process_time() - begin) / options.seeds
            gaps = np.array([100 * (result.cost - best) / abs(best) for result in results if result.cost is not None])
            missed |= solver == "ils" and bar is not None and gaps.mean() > bar
            figures = f"mean {gaps.mean():.2f} %, worst {gaps.max():.2f} %, {seconds:.2f} s a run"
            print(f"{name:10} {solver:10} {figures}", flush=True)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
