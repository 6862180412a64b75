"""What a look costs as problems grow: from 100 to 10,000 stages related within a window, in process CPU time.

    python benchmarks/scaling.py                 # a table and a plot in text
    python benchmarks/scaling.py --plot looks.png

Pairwise problems with 6 candidates a stage and tables between stages at most 20 apart. Each solver runs from its start
for a number of looks in proportion to the problem; the median over seeds counts. The bar: from the smallest to the
largest problem, a look may become 2.5 times as dear.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time

import numpy as np
from stepping import totals

import swarmkit

CANDIDATES, WINDOW, BAR = 6, 20, 2.5
LOOKS = 167
"""Looks of a run for each candidate of each stage: runs on small and large problems end in the same phase."""
LEAST = 1_000_000
"""Looks to measure: runs on small problems are repeated."""
CALL = 0.0005
"""Seconds of the steps that are made at once: short, so that runs on small problems end where they should."""
SOLVERS = {
    "annealing": {},
    "ils": {},
    "icm": {},
    "ga": {},
    "bco": {},
    "dbees": {},
    "tsp-aco": {},
}


def make(n: int) -> swarmkit.Problem:
    """Return a random problem; its tables lie in one array from the start, so that 10,000 stages need no minute."""
    near = np.arange(1, min(WINDOW, n - 1) + 1)
    first = np.repeat(np.arange(n), len(near))
    edges = np.column_stack([first, first + np.tile(near, n)])
    edges = np.ascontiguousarray(edges[edges[:, 1] < n])
    return swarmkit.PairwiseProblem(
        swarmkit.Pairwise(
            sizes=np.full(n, CANDIDATES),
            unary=np.zeros(n * CANDIDATES),
            edges=edges,
            starts=CANDIDATES**2 * np.arange(len(edges)),
            weights=np.ones(len(edges)),
            flat=np.random.default_rng(0).random(len(edges) * CANDIDATES**2),
        )
    )


def nanoseconds(problem: swarmkit.Problem, name: str, seed: int) -> float:
    """Return the nanoseconds of a look in runs from the start, without preparation (laying tables out, compiling)."""
    solver, rng = swarmkit.make_solver(name, **SOLVERS[name]), np.random.default_rng(seed)
    solver.prepare(problem)
    run, looks = LOOKS * CANDIDATES * len(problem.sizes), 0
    begun = time.process_time()
    while looks < LEAST:
        for total in totals(problem, solver, solver.start(problem, rng), rng, CALL):
            if total.looks >= run:
                break
        looks += total.looks
    return 1e9 * (time.process_time() - begun) / looks


def drawn(costs: dict[str, list[float]], sizes: list[int]) -> str:
    """Return a plot in text of what a look costs, against the smallest problem: a bar a size, the limit marked."""
    lines = []
    for name, column in costs.items():
        for n, cost in zip(sizes, column, strict=True):
            growth = cost / column[0]
            bar = "#" * min(round(16 * growth), round(32 * BAR))
            lines.append(f"{name if n == sizes[0] else '':>9} {n:6} |{bar:<{round(16 * BAR)}}| {growth:.2f}")
    return "\n".join(lines)


def plot(costs: dict[str, list[float]], sizes: list[int], file: str) -> None:
    """Write the same plot as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    for name, column in costs.items():
        axes.plot(sizes, [cost / column[0] for cost in column], marker="o", label=name)
    axes.axhline(BAR, color="grey", linestyle="--", label="bar")
    axes.set(xscale="log", xlabel="stages", ylabel="cost of a look, against the smallest problem", ylim=(0, None))
    axes.legend()
    figure.savefig(file)


def main() -> int:
    """Measure every solver on every size and return whether the bar is kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 10_000])
    parser.add_argument("--solvers", nargs="+", default=list(SOLVERS), choices=list(SOLVERS))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--plot", metavar="FILE", help="write a picture too")
    options = parser.parse_args()
    problems = {n: make(n) for n in options.sizes}
    costs: dict[str, list[float]] = {}
    print(f"nanoseconds a look, median of {options.seeds} seeds; growth from first to last (bar {BAR})")
    print(f"{'solver':>9}" + "".join(f"{f'n = {n}':>12}" for n in options.sizes) + f"{'growth':>9}")
    for name in options.solvers:
        costs[name] = [
            statistics.median(nanoseconds(problem, name, seed) for seed in range(options.seeds))
            for problem in problems.values()
        ]
        growth = costs[name][-1] / costs[name][0]
        print(f"{name:>9}" + "".join(f"{cost:12.2f}" for cost in costs[name]) + f"{growth:9.2f}", flush=True)
    print("\n" + drawn(costs, options.sizes))
    if options.plot:
        plot(costs, options.sizes, options.plot)
    return 0 if all(column[-1] / column[0] <= BAR for column in costs.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
