"""How near solvers come to LKH on random Euclidean tours, and how fast: in process CPU time.

    pip install elkai && python benchmarks/tours.py --seeds 10        # about seven minutes

Prints what a solver tries a second (tours; moves for `annealing`, kicks for `ils`), and the gap to the best known tour
(LKH's, or a better one met here) after 1 s and 10 s: medians over seeds, each with an instance of its own.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time

import numpy as np
from stepping import totals

import swarmkit

CASES: dict[str, tuple[str, int, dict[str, str], list[float], tuple[float, ...]]] = {
    "tsp-aco": ("tsp-aco", 200, {}, [1.0, 10.0], (1.2, 0.4)),
    "tsp-aco 2opt": ("tsp-aco", 200, {"local_search": "2opt"}, [1.0], (0.0,)),
    "tsp-aco 2opt large": ("tsp-aco", 1000, {"local_search": "2opt"}, [1.0, 10.0], (1.0, 0.4)),
    "tour-ga 2opt": ("tour-ga", 200, {"initial": "nearest", "local_search": "2opt"}, [1.0], (1.0,)),
    "annealing large": ("annealing", 1000, {}, [1.0, 10.0], (1.2, 0.7)),
    "ils large": ("ils", 1000, {}, [1.0], ()),
}
"""Solver, cities, parameters, when the gap is taken, and the gaps in % that are asked for then."""


def distances(n: int, seed: int) -> np.ndarray:
    """Draw cities in a square and return their rounded distances."""
    points = np.random.default_rng(seed).random((n, 2)) * 10_000
    return np.rint(np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)))


def salesman(away: np.ndarray) -> swarmkit.Problem:
    """Return the problem: one table for all edges of a cycle."""
    n, table = len(away), -away
    cycle = [(i, (i + 1) % n, table) for i in range(n)]
    return swarmkit.PairwiseProblem(swarmkit.Pairwise.of([n] * n, cycle, distinct=True))


def reference(away: np.ndarray) -> float:
    """Return the length of LKH's tour."""
    import elkai

    runs = 10 if len(away) < 500 else 2  # a run of LKH takes seconds on 1,000 cities
    way = np.array(elkai.DistanceMatrix(away.astype(int).tolist()).solve_tsp(runs))
    return float(away[way[:-1], way[1:]].sum())


def run(
    problem: swarmkit.Problem, name: str, params: dict[str, str], seed: int, marks: list[float], shortest: float
) -> tuple[list[float], float]:
    """Return the length at each mark, and the tries a second; a tour as short as `shortest` ends the run."""
    solver = swarmkit.make_solver(name, **params)
    solver.prepare(problem)
    rng = np.random.default_rng(seed)
    begun, lengths = time.process_time(), list[float]()
    state = solver.start(problem, rng)
    for total in totals(problem, solver, state, rng):
        spent, length = time.process_time() - begun, np.inf if total.score is None else -total.score
        while len(lengths) < len(marks) and (spent >= marks[len(lengths)] or total.done or length <= shortest):
            lengths.append(length)
        if len(lengths) == len(marks):
            break
    each = {"tsp-aco": "ants", "tour-ga": "population"}
    tries = total.looks / 2 if name == "annealing" else total.iterations * getattr(solver.params, each.get(name, ""), 1)
    return lengths, tries / spent


def report(case: str, seeds: int) -> bool:
    """Measure one solver on one size, print the line, and return whether its bars are reached."""
    name, n, params, marks, bars = CASES[case]
    gaps, rates = [], []
    for seed in range(seeds):
        away = distances(n, seed)
        shortest = reference(away)
        lengths, rate = run(salesman(away), name, params, seed, marks, shortest)
        best = min(shortest, *lengths)
        gaps.append([100 * (length / best - 1) for length in lengths])
        rates.append(rate)
    columns = list(zip(*gaps, strict=True))
    medians = [statistics.median(column) for column in columns]
    solved = ", ".join(f"{sum(gap <= 0 for gap in column)}/{len(column)}" for column in columns)
    shown = ", ".join(f"{median:.2f}" for median in medians)
    after = " and ".join(f"{mark:g}" for mark in marks)
    asked = f"bar {', '.join(map(str, bars))}" if bars else ""
    line = f"{case:>18} {n:6} {statistics.median(rates):12,.0f}  {shown} after {after} s, {solved} optimal"
    print(f"{line}  {asked}", flush=True)
    return all(median <= bar for median, bar in zip(medians, bars, strict=False))


def main() -> int:
    """Measure every case on every seed and return whether the bars are reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--only", nargs="+", default=list(CASES), choices=list(CASES))
    options = parser.parse_args()
    print(f"{'solver':>18} {'cities':>6} {'tries/s':>12}  median gap in %")
    reached = [report(case, options.seeds) for case in options.only]
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
