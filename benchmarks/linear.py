"""Linear constraints: the answers of `auto` beside optima, bounds and what other solvers find, and what is promised.

    python benchmarks/linear.py --store linear.jsonl --data FOLDER               what is promised: an hour of CPU time
    python benchmarks/linear.py --store linear.jsonl --data FOLDER --report      what the store has, nothing is run
    python benchmarks/linear.py sudoku nurses --store linear.jsonl --seeds 1
    python benchmarks/linear.py assignment --store linear.jsonl --solver highs --seeds 1 --seconds 60

A row for each instance and solver: the median and its gap to the best known value (where none is known to the best
bound that was proved, else to the best value in the store), the runs that reach the best value of the store, and the
wall seconds after which it was not improved any more. A run ends by CPU time.
Instances are drawn with fixed seeds that `--draw` shifts; with `--data` those of the OR-Library are read, too. Runs are
kept in the store, a line each; the same command makes only the missing ones. Ends with 1 if a promise is missed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import swarmkit
from swarmkit import Pairwise, PairwiseProblem, Problem, all_different, at_least, at_most, exactly

Run = dict[str, Any]

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


class Bar(NamedTuple):
    """What is promised of some instances together: a mean gap of their medians, or a share of runs at the best."""

    name: str
    """The beginning of their names."""
    gap: float | None = None
    """The largest mean gap in %."""
    reached: float | None = None
    """The share of the runs of each instance that reach the best value."""
    seconds: float = 10.0
    """The CPU seconds of a run."""


COVERS = ((200, 1000, 0.02), (200, 2000, 0.02), (300, 3000, 0.02), (300, 3000, 0.05))
"""Rows, columns and density of drawn covers like the classes 4, 5, A and B of the OR-Library."""

BARS = (
    Bar("setcover scp41", reached=0.8),
    Bar("setcover scp51", reached=0.8),
    Bar("setcover scpa1", reached=0.8),
    Bar("setcover scpb1", reached=0.8),
    *(Bar(f"setcover {rows} x {columns} at {density:g}", reached=0.8) for rows, columns, density in COVERS),
    Bar("setcover 500 x 5000", gap=0.5),
    Bar("mknapcb1", gap=0.1),
    Bar("knapsack 30 x 500", gap=0.8),
    Bar("assignment D 10 x 100", gap=1.2),
    Bar("assignment E 10 x 100", gap=1.2),
    Bar("assignment D 20 x 200", gap=1.2),
    Bar("assignment E 20 x 200", gap=1.2),
    Bar("partition", gap=5.0),
    Bar("ten of forty", reached=1.0),
    Bar("nurses", reached=0.8, seconds=2.0),
    Bar("sudoku", reached=0.8, seconds=3.0),
)

Make = Callable[[], Problem]


def cases(draw: int, data: Path | None) -> Iterator[tuple[str, Make]]:
    """Yield the instances by name, with functions that make them."""
    make: Any = swarmkit.make_problem
    for name in ("scp41", "scp51", "scpa1", "scpb1", "scpclr10") if data is not None else ():
        yield f"setcover {name}", partial(make, "setcover", file=str(data / "setcover" / f"{name}.txt"))
    for rows, columns, density in COVERS:
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
    for number in range(1, 31) if data is not None else ():
        file = str(data / "knapsack" / "mknapcb1.txt")
        yield f"mknapcb1 {number}", partial(make, "knapsack", file=file, number=number)


def bar_of(name: str) -> Bar | None:
    """Return what is promised of an instance."""
    return next((bar for bar in BARS if name.startswith(bar.name)), None)


def best_known(problem: Problem) -> float | None:
    """Return the best cost, or minus the best profit, that is known of a problem beforehand."""
    best = problem.optimum if problem.optimum is not None else getattr(problem, "best", None)
    return best if best is None or problem.direction == "minimise" else -best


def run(problem: Problem, solver: str, seed: int, seconds: float) -> Run:
    """Make a run; where nothing is optimised it ends at the first solution."""
    form = problem.structure.pairwise
    anything = form is not None and not len(form.edges) and not form.unary.any()
    target = 0.0 if anything else None
    result = swarmkit.solve(problem, solver, seed=seed, cpu_seconds=seconds, target=target)
    last = result.trace.seconds[-1] if result.trace.seconds else None
    cost, bound = (None if value is None else 0.0 - value for value in (result.score, result.bound))
    return {"cost": cost, "bound": bound, "last": last, "used": result.seconds}


def read_store(path: Path) -> list[Run]:
    """Return the runs in the store."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def make_runs(args: argparse.Namespace, runs: list[Run]) -> None:
    """Make the runs that are missing, all instances with one seed before the next seed."""
    known = {(made["instance"], made["solver"], made["seed"], made["seconds"]) for made in runs}
    chosen = [case for case in cases(args.draw, args.data) if not args.names or case[0].startswith(tuple(args.names))]
    with args.store.open("a", encoding="utf-8") as store:
        for seed in range(1, args.seeds + 1):
            for name, make in chosen:
                bar, label = bar_of(name), name if args.draw == 1 else f"{name}, draw {args.draw}"
                seconds = args.seconds or (bar.seconds if bar is not None else 10.0)
                key = {"instance": label, "solver": args.solver, "seed": seed, "seconds": seconds}
                if tuple(key.values()) in known:
                    continue
                try:
                    problem = make()
                except swarmkit.SwarmkitError as error:
                    print(f"{label}: {error}", file=sys.stderr)
                    continue
                made = key | {"known": best_known(problem)} | run(problem, args.solver, seed, seconds)
                print(json.dumps(made), file=store, flush=True)
                print(f"{label:28} {args.solver:10} seed {seed}: {made['cost']}", file=sys.stderr)


def gap_of(cost: float | None, best: float | None) -> float:
    """Return the gap of a cost to the best one in %; infinite where there is none.

    >>> gap_of(102.0, 100.0), gap_of(-99.0, -100.0), gap_of(None, 1.0)
    (2.0, 1.0, inf)
    """
    if cost is None or best is None:
        return float("inf")
    return 100.0 * (cost - best) / (abs(best) or 1.0)


def report(runs: list[Run]) -> bool:
    """Print a row for each instance and solver, then the promises; return whether all that was measured are kept."""
    groups: dict[tuple[str, str, float], list[Run]] = defaultdict(list)
    bests: dict[str, float] = {}
    bounds: dict[str, float] = {}
    for made in runs:
        if made["bound"] is not None:
            bounds[made["instance"]] = max(made["bound"], bounds.get(made["instance"], made["bound"]))
        groups[made["instance"], made["solver"], made["seconds"]].append(made)
        values = [value for value in (made["known"], made["cost"], bests.get(made["instance"])) if value is not None]
        if values:
            bests[made["instance"]] = min(values)
    print("| instance | solver | CPU s | runs | median | best | gap of the median | at the best | last improved |")
    print("|---|---|---|---|---|---|---|---|---|")
    kept: dict[Bar, list[tuple[float, float]]] = defaultdict(list)
    for (name, solver, seconds), group in groups.items():
        costs = sorted(float("inf") if made["cost"] is None else made["cost"] for made in group)
        best, median = bests.get(name), statistics.median_low(costs)
        known = next((made["known"] for made in group), None)
        # To the best known value; where there is none, to what has been proved, which is further away.
        reference = known if known is not None else bounds.get(name, best)
        gap = gap_of(None if median == float("inf") else median, reference)
        reached = sum(gap_of(made["cost"], best) < 1e-7 for made in group)
        last = statistics.median([made["last"] or 0.0 for made in group])
        row = f"{abs(median):,.7g} | {abs(best or 0.0):,.7g} | {gap:.3f} % | {reached} of {len(group)} | {last:.2f} s"
        print(f"| {name} | {solver} | {seconds:g} | {len(group)} | {row} |")
        bar = bar_of(name)
        if solver == "auto" and bar is not None and seconds == bar.seconds:
            kept[bar].append((gap, reached / len(group)))
    good = True
    print("\n| promised | measured | |\n|---|---|---|")
    for bar, figures in kept.items():
        gap, share = statistics.fmean(gap for gap, _ in figures), min(share for _, share in figures)
        passed = gap <= bar.gap if bar.gap is not None else share >= (bar.reached or 0.0)
        promise = f"gap of at most {bar.gap:g} %" if bar.gap is not None else f"best value in {bar.reached:.0%} of runs"
        figure = f"{gap:.3f} %" if bar.gap is not None else f"{share:.0%} at least"
        instances = f" ({len(figures)} instances)" if len(figures) > 1 else ""
        word = "pass" if passed else "missed"
        print(f"| {bar.name}{instances}: {promise} at {bar.seconds:g} s | {figure} | {word} |")
        good &= passed
    return good


def main() -> int:
    """Make the runs that the command line asks for, and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("names", nargs="*", help="the beginnings of the names of instances; all by default")
    add("--store", type=Path, required=True, help="keeps the runs, a line each")
    add("--seconds", type=float, help="CPU seconds of a run; by default those of the promise")
    add("--seeds", type=int, default=5)
    add("--draw", type=int, default=1)
    add("--solver", default="auto")
    add("--data", type=Path)
    add("--report", action="store_true", help="print what the store has")
    args = parser.parse_args()
    if not args.report:
        make_runs(args, read_store(args.store))
    return int(not report(read_store(args.store)))


if __name__ == "__main__":
    sys.exit(main())
