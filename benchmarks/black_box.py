"""Problems that are nothing but a Python score: how near solvers come to the best possible.

    python benchmarks/black_box.py                       auto, 3 seeds: two minutes on one core
    python benchmarks/black_box.py --solvers ils sa ga --seeds 5

2,000 orders go to 12 machines. `orders`: every order has a cost on every machine (5 s; at most 1 % above the best
possible). `changeover`: a cost between neighbouring orders, too, which no solver sees as a table (10 s; 3 %); the best
possible is computed by dynamic programming on the hidden tables. `ones`: leading ones of 50 bits (2 s), a plateau
wherever one looks. Random sampling with the same budget is printed beside: no solver should be worse. Ends with 1 if
`auto` misses a promise, or any solver is worse than random sampling. Seconds are CPU time.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

import numpy as np

import swarmkit
from swarmkit import Problem


class Orders(Problem):
    """Orders in a row, each made by one of the machines; the score is minus all costs."""

    def __init__(self, seed: int, changeover: int = 0, orders: int = 2000, machines: int = 12) -> None:
        rng = np.random.default_rng(seed)
        self.sizes = np.full(orders, machines)
        self.cost = rng.integers(1, 101, (orders, machines)).astype(float)
        self.changeover = rng.integers(0, changeover + 1, (machines, machines)).astype(float)
        self.rows = np.arange(orders)

    def score(self, X: Any) -> Any:
        """Return minus the costs of orders on their machines and of changes from one machine to the next."""
        return -(self.cost[self.rows, X].sum(axis=1) + self.changeover[X[:, :-1], X[:, 1:]].sum(axis=1))

    @property
    def best_possible(self) -> float:
        """The optimum, by dynamic programming over the orders."""
        least = self.cost[0]
        for cost in self.cost[1:]:
            least = (least[:, None] + self.changeover).min(axis=0) + cost
        return -float(least.min())


class LeadingOnes(Problem):
    """The number of ones before the first zero."""

    best_possible = 50.0

    def __init__(self, seed: int) -> None:
        self.sizes = np.full(50, 2)
        self.hidden = np.random.default_rng([seed, 50]).integers(2, size=50)  # another seed than that of the search

    def score(self, X: Any) -> Any:
        """Return the length of the longest prefix that is right."""
        return np.cumprod(X == self.hidden, axis=1).sum(axis=1).astype(float)


PLAN: dict[str, tuple[Any, float, float | None]] = {
    "orders": (Orders, 5.0, 1.0),
    "changeover": (lambda seed: Orders(seed, changeover=50), 10.0, 3.0),
    "ones": (LeadingOnes, 2.0, None),
}
"""How each problem is made from a seed, the seconds of a run, and the gap in % that `auto` promises."""


def gap(name: str, solver: str, seed: int, seconds: float) -> float:
    """Return by how many per cent of the best possible a run's answer is worse."""
    problem = PLAN[name][0](seed)
    result = swarmkit.solve(problem, solver, seed=seed, cpu_seconds=seconds)
    best = problem.best_possible
    return float(100 * (best - result.score) / abs(best))


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solvers", nargs="*", default=["auto"])
    parser.add_argument("--problems", nargs="*", default=list(PLAN), choices=list(PLAN))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    given = parser.parse_args()
    rows, kept = [], True
    for name in given.problems:
        _, seconds, promise = PLAN[name]
        random = float(np.median([gap(name, "random", seed, seconds) for seed in range(given.seeds)]))
        for solver in given.solvers:
            gaps = [gap(name, solver, seed, seconds) for seed in range(given.seeds)]
            median = float(np.median(gaps))
            held = median <= random and (solver != "auto" or promise is None or max(gaps) <= promise)
            kept &= held
            rows.append({"problem": name, "solver": solver, "gaps": gaps, "random": random, "promise": promise})
            told = f"median {median:.2f} %, worst {max(gaps):.2f} %; random sampling {random:.1f} %"
            print(f"{name:10} {seconds:4.0f} s  {solver:10} {told}{'' if held else '  MISSED'}", file=sys.stderr)
    if given.json:
        print(json.dumps(rows, indent=1))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
