"""Linear constraints: the answers of `auto` beside optima, bounds and what HiGHS finds in the same time and more.

    python benchmarks/linear.py [NAME …] --seconds 10 --seeds 5 [--data FOLDER] [--solver auto]

A row for each instance: the costs of the runs, the median, and its gap to a reference: the best known value where there
is one, else the best that HiGHS and all runs have found. Times are CPU time, other processes of the run included.
Instances are drawn with fixed seeds that `--draw` shifts; with `--data` those of the OR-Library are read, too.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import swarmkit
from swarmkit import Pairwise, PairwiseProblem, Problem, all_different, at_least, at_most, exactly

HARD = (
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "52...6.........7.13...........4..8..6......5...........418.........3..2...87.....",
    "6.....8.3.4.7.................5.4.7.3..2.....1.6.......2.....5.....8.6......1....",
    "48.3............71.2.......7.5....6....2..8.............1.76...3.....4......5....",
    "....14....3....2...7..........9...3.6.1.............8.2.....1.4....5.6.....7.8...",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    "......39.....1...5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
    "85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4.",
)
"""Sudokus that are called hard: few digits, or many guesses."""


class Sudoku(PairwiseProblem):
    """A digit for each cell; rows, columns and boxes have each of them once."""

    def __init__(self, puzzle: str) -> None:
        super().__init__(Pairwise.of([9] * 81))
        cells = np.arange(81).reshape(9, 9)
        boxes = cells.reshape(3, 3, 3, 3).swapaxes(1, 2).reshape(9, 9)
        digits = [exactly([(i, int(digit) - 1)], 1) for i, digit in enumerate(puzzle) if digit != "."]
        self.constraints = [*digits, *(all_different(group, self.sizes) for group in (*cells, *cells.T, *boxes))]


class Nurses(PairwiseProblem):
    """Shifts (off, early, late, night) of 12 nurses on 14 days: demand, rest, 5 to 10 shifts each, least dislike."""

    direction = "minimise"

    def __init__(self, seed: int, nurses: int = 12, days: int = 14) -> None:
        dislike = np.random.default_rng(seed).integers(0, 11, (nurses, days, 4))
        super().__init__(Pairwise.of([4] * (nurses * days), unary=dislike.ravel().astype(float)))
        demand = {1: 2, 2: 2, 3: 1}
        rows: list[Any] = [
            exactly([(n * days + d, s) for n in range(nurses)], k) for d in range(days) for s, k in demand.items()
        ]
        for n in range(nurses):
            worked = [(n * days + d, s) for d in range(days) for s in demand]
            rows += [at_least(worked, 5), at_most(worked, 10)]
            rows += [at_most([(n * days + d, 3), (n * days + d + 1, 1)], 1) for d in range(days - 1)]
        self.constraints = rows


class Partition(PairwiseProblem):
    """Vertices of a random graph in four parts of the same size, with the fewest edges between parts."""

    direction = "minimise"

    def __init__(self, seed: int, n: int = 200, parts: int = 4, density: float = 0.05) -> None:
        rng = np.random.default_rng(seed)
        between = 1.0 - np.eye(parts)
        edges = [(i, j, between) for i in range(n) for j in range(i) if rng.random() < density]
        super().__init__(Pairwise.of([parts] * n, edges))
        self.constraints = [exactly([(i, part) for i in range(n)], n // parts) for part in range(parts)]


class TenOfForty(Problem):
    """Ten of forty things, of which nothing but the value of ten together is known."""

    constraints = (exactly([(i, 1) for i in range(40)], 10),)
    sizes = (2,) * 40

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.values, self.pairs = rng.normal(size=40), rng.normal(size=(40, 40))

    def score(self, X: Any) -> Any:
        """Return the values of the chosen things and of their pairs."""
        return X @ self.values + np.einsum("ki,ij,kj->k", X, self.pairs, X)


class Case(NamedTuple):
    """An instance, and the best value that is known of it."""

    name: str
    problem: Problem
    best: float | None = None


def cases(draw: int, data: Path | None) -> Iterator[tuple[str, Any]]:
    """Yield the instances by name, made when they are asked for."""
    make: Any = swarmkit.make_problem
    for rows, columns, density in ((200, 1000, 0.02), (200, 2000, 0.02), (300, 3000, 0.02), (300, 3000, 0.05)):
        options = {"rows": rows, "columns": columns, "density": density, "seed": draw}
        yield f"setcover {rows} x {columns} at {density:g}", partial(make, "setcover", **options)
    yield "setcover 500 x 5000", partial(make, "setcover", rows=500, columns=5000, density=0.02, seed=draw)
    yield "knapsack 30 x 500", partial(make, "knapsack", capacities=30, n=500, seed=draw)
    for kind in "DE":
        for agents, jobs in ((10, 100), (20, 200)):
            options = {"agents": agents, "jobs": jobs, "kind": kind, "seed": draw}
            yield f"assignment {kind} {agents} x {jobs}", partial(make, "assignment", **options)
    yield "partition", partial(Partition, draw)
    yield "nurses", partial(Nurses, draw)
    yield "ten of forty", partial(TenOfForty, draw)
    for number, puzzle in enumerate(HARD):
        yield f"sudoku {number}", partial(Sudoku, puzzle)
    if data is not None:
        for path in sorted((data / "setcover").glob("*.txt")):
            yield f"setcover {path.stem}", partial(make, "setcover", file=str(path))
        for number in range(1, 31):
            file = str(data / "knapsack" / "mknapcb1.txt")
            yield f"mknapcb1 {number}", partial(make, "knapsack", file=file, number=number)


def main() -> None:
    """Run what the command line asks for, and print a row for each instance."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="the beginnings of the names of instances; all by default")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--draw", type=int, default=1)
    parser.add_argument("--solver", default="auto")
    parser.add_argument("--reference", type=float, default=0.0, help="CPU seconds of HiGHS; 0: none")
    parser.add_argument("--data", type=Path)
    args = parser.parse_args()
    for name, make in cases(args.draw, args.data):
        if args.names and not name.startswith(tuple(args.names)):
            continue
        problem = make()
        results = [
            swarmkit.solve(problem, args.solver, seed=seed, cpu_seconds=args.seconds)
            for seed in range(1, args.seeds + 1)
        ]
        sign = -1.0 if problem.direction == "minimise" else 1.0
        values = [None if result.score is None else sign * result.score for result in results]
        known = [value for value in values if value is not None]
        if args.reference:
            proof = swarmkit.solve(problem, "highs", seconds=args.reference, params={"seconds": args.reference})
            known += [] if proof.score is None else [sign * proof.score]
        best = problem.optimum if problem.optimum is not None else max(known, key=lambda v: sign * v, default=None)
        median = statistics.median([v for v in values if v is not None]) if None not in values else None
        gap = "" if median is None or best in (None, 0.0) else f"{100 * abs(best - median) / abs(best):.3f} %"
        seconds = statistics.median(result.trace.seconds[-1] if result.trace.seconds else np.nan for result in results)
        print(
            f"{name:28} {values}  median {median}  best {best}  gap {gap}  last better at {seconds:.2f} s", flush=True
        )


if __name__ == "__main__":
    main()
