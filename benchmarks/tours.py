"""How fast ants walk and how near they come: random Euclidean tours against LKH, in process CPU time.

    pip install elkai && python benchmarks/tours.py --seeds 10

Prints tours a second, and the gap to the best known tour (LKH's, or a better one met here) after 1 s and 10 s, for
MAX-MIN ant system and the genetic algorithm, without and with local search: medians over seeds, each with an instance
of its own.
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np

import swarmkit

BARS = {  # the gaps in % that are asked for after 1 s and 10 s
    ("tsp-aco", 200, "none"): (1.2, 0.4),
    ("tsp-aco", 200, "2opt"): (0.0, 0.0),
    ("tsp-aco", 1000, "2opt"): (1.0, 0.4),
    ("ga", 200, "2opt"): (1.0,),
}


def distances(n: int, seed: int) -> np.ndarray:
    """Draw cities in a square and give their rounded distances."""
    points = np.random.default_rng(seed).random((n, 2)) * 10_000
    return np.rint(np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)))


def salesman(away: np.ndarray) -> swarmkit.Problem:
    """Make the problem: one table for all edges of a cycle."""
    n, table = len(away), -away
    cycle = [(i, (i + 1) % n, table) for i in range(n)]
    return swarmkit.PairwiseProblem(swarmkit.Pairwise.of([n] * n, cycle, distinct=True))


def reference(away: np.ndarray) -> float:
    """Give the length of LKH's tour."""
    import elkai

    way = np.array(elkai.DistanceMatrix(away.astype(int).tolist()).solve_tsp())
    return float(away[way[:-1], way[1:]].sum())


def run(problem: swarmkit.Problem, name: str, kind: str, seed: int, marks: list[float]) -> tuple[list[float], float]:
    """Give the length at each mark, and tours a second."""
    solver = swarmkit.make_solver(name, local_search=kind)
    solver.prepare(problem)
    rng = np.random.default_rng(seed)
    begun, lengths, iterations = time.process_time(), list[float](), 0
    state = solver.start(problem, rng)
    while len(lengths) < len(marks):
        found = solver.step(problem, state, rng)
        iterations += found.iterations
        spent = time.process_time() - begun
        while len(lengths) < len(marks) and spent >= marks[len(lengths)]:
            lengths.append(-float(found.score or 0.0))
    params = solver.params
    return lengths, iterations * (params.ants if name == "tsp-aco" else params.population - params.elite) / spent


def main() -> None:
    """Measure every size, solver and kind on every seed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 200, 1000])
    parser.add_argument("--marks", type=float, nargs="+", default=[1.0, 10.0])
    options = parser.parse_args()
    heads = f"{'solver':>8} {'cities':>6} {'search':>6} {'tours/s':>9}"
    print(f"{heads}  median gap % after {options.marks} s, optimal in, bar")
    for n in options.sizes:
        for name in ("tsp-aco", "ga"):
            for kind in ("none", "2opt"):
                report(n, name, kind, options.seeds, options.marks)


def report(n: int, name: str, kind: str, seeds: int, marks: list[float]) -> None:
    """Measure one solver on one size and print the line."""
    gaps, rates = [], []
    for seed in range(seeds):
        away = distances(n, seed)
        lengths, rate = run(salesman(away), name, kind, seed, marks)
        best = min(reference(away), *lengths)
        gaps.append([100 * (length / best - 1) for length in lengths])
        rates.append(rate)
    columns = list(zip(*gaps, strict=True))
    medians = ", ".join(f"{statistics.median(column):.2f}" for column in columns)
    solved = ", ".join(f"{sum(gap <= 0 for gap in column)}/{len(column)}" for column in columns)
    bar = BARS.get((name, n, kind), "")
    print(f"{name:>8} {n:6} {kind:>6} {statistics.median(rates):9.0f}  {medians}  {solved}  {bar}", flush=True)


if __name__ == "__main__":
    main()
