"""Budgets that are kept: how far every solver runs past every limit, on every family of problems.

    python benchmarks/overshoot.py --file overshoot.jsonl        # about half an hour; the same command continues

A run must not exceed a limit by more than one unit of work (`swarmkit describe SOLVER`), or 0.1 s if that is longer.
The last unit is found by making the same run in its smallest steps. Rows passed to `score` are counted a second time,
by the problem itself. The runs are kept in the file, a line each.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import swarmkit
from swarmkit import Left, Problem
from swarmkit.plugins.host import host
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec
from swarmkit.testing.counting import count_rows
from swarmkit.testing.evidence import SMALLEST, Driven

LIMITS = (1_000, 10_000, 100_000)
SECONDS = 1.0
SLACK = 0.1
"""Seconds by which a run may exceed its limit, whatever its unit is."""

TAIL = 200
"""Evaluations before a limit, or the looks of a fifth of them, that are repeated in the smallest steps."""

WAIT = 5.0
"""Seconds for a solver that waits for a process outside, which may never end: the rest of it is no unit of ours."""

ROW_OF_CHECK = 1
"""A claimed improvement is scored again at the end of a run: a row more."""


class Interactions(Problem):
    """Nothing but a score: the sum of random numbers of neighbouring stages, 2,000 stages of 12 candidates."""

    def __init__(self, n: int = 2_000, m: int = 12) -> None:
        self.sizes = np.full(n, m)
        self._tables = np.random.default_rng(1).random((n - 1, m, m))

    def score(self, X: Any) -> Any:
        """Sum the entries of all pairs."""
        return self._tables[np.arange(len(self._tables)), X[:, :-1], X[:, 1:]].sum(axis=1)


class Capacity(Interactions):
    """The same on 200 stages of 6 candidates, with a capacity that half of all solutions exceed."""

    def __init__(self) -> None:
        super().__init__(200, 6)
        self.capacity = 500

    def feasible(self, X: Any) -> Any:
        """Judge complete solutions."""
        return X.sum(axis=1) <= self.capacity

    def allowed(self, X: Any, stage: int) -> Any:
        """Return the candidates that fit; candidate 0 always does."""
        used = np.where(X < 0, 0, X)
        used[:, stage] = 0
        return used.sum(axis=1)[:, None] + np.arange(self.sizes[stage]) <= self.capacity


FAMILIES: dict[str, Callable[[], Problem]] = {
    "pairwise": lambda: swarmkit.make_problem("synthetic", n=200, window=5),
    "chain": lambda: swarmkit.make_problem("synthetic", n=200, window=1),
    "tour": lambda: swarmkit.make_problem("tsp", n=100),
    "assignment": lambda: swarmkit.make_problem("qap", n=30),
    "black box": Interactions,
    "constrained": Capacity,
    "black box permutation": lambda: swarmkit.make_problem("flowshop", jobs=50),
}


class Case(NamedTuple):
    """One run: a solver, a family, and the limit."""

    solver: str
    family: str
    name: str
    """The limit's name: looks, evaluations or seconds."""
    limit: float


class Measured(NamedTuple):
    """A run past its limit."""

    case: Case
    reached: float
    """What the run has spent of its limit."""
    unit: float
    """The last unit, in the limit's own measure; in seconds, the longest of the first ones."""
    counted: int
    """Rows that the problem counted itself."""
    said: int
    """Rows of the result."""

    @property
    def over(self) -> float:
        """What was spent beyond the limit."""
        return max(0.0, self.reached - self.case.limit)

    @property
    def kept(self) -> bool:
        """Whether the limit was exceeded by at most one unit (or SLACK), and every row was counted."""
        slack = SLACK if self.case.name == "seconds" else ROW_OF_CHECK
        return self.over <= max(self.unit, slack) and self.counted == self.said


def cases(only: str) -> Iterator[Case]:
    """Return every run that a solver does not refuse."""
    for family, problem in FAMILIES.items():
        for offer in host().offers("solver"):
            if only in (offer.name, "") and not swarmkit.make_solver(offer.name).refuses(made(family)):
                yield from (Case(offer.name, family, name, k) for name in ("looks", "evaluations") for k in LIMITS)
                yield Case(offer.name, family, "seconds", SECONDS)
        del problem


@cache
def made(family: str) -> Problem:
    """Return a problem that is only asked, never run."""
    return FAMILIES[family]()


def measure(case: Case) -> Measured:
    """Make a run to its limit, and the same one in small steps."""
    problem, solver = FAMILIES[case.family](), swarmkit.make_solver(case.solver)
    rows = count_rows(problem)
    limits = swarmkit.Budget.model_validate({case.name: case.limit, **ceiling(case)})
    result = Run(problem, solver, make_spec(problem, solver, 1, limits)).go()
    counted, said = sum(rows), result.evaluations + result.setup_evaluations
    unit = slowest_unit(case) if case.name == "seconds" else last_unit(case)
    return Measured(case, float(getattr(result, case.name)), unit, counted, said)


def ceiling(case: Case) -> dict[str, float]:
    """Return a second limit for what never spends the first: tables are read without evaluations."""
    return {"looks": 3_000_000, "seconds": 20.0} if case.name == "evaluations" else {}


def last_unit(case: Case) -> float:
    """Return the size of the unit in which a run reaches its limit, found by its smallest steps."""
    driven = Driven(swarmkit.make_solver(case.solver), FAMILIES[case.family](), 1)
    tail = TAIL if case.name == "evaluations" else TAIL // 5 * len(driven.problem.sizes)
    spent = before = float(getattr(driven.spent, case.name))
    end = time.monotonic() + WAIT if driven.method.waits else float("inf")
    while spent < case.limit and not driven.done and driven.spent.looks < 3_000_000 and time.monotonic() < end:
        left = int(case.limit - tail - spent)
        driven.step((Left()._replace(**{case.name: left}) if left > 1 else SMALLEST)._replace(seconds=WAIT))
        before, spent = spent, float(getattr(driven.spent, case.name))
    driven.method.stop()
    return spent - before


def slowest_unit(case: Case) -> float:
    """Return the seconds of the longest of the first units, compiled before."""
    problem, solver = FAMILIES[case.family](), swarmkit.make_solver(case.solver)
    solver.prepare(problem)
    driven, longest, begun = Driven(solver, problem, 1), 0.0, time.perf_counter()
    while not driven.done and time.perf_counter() - begun < SECONDS:
        before = time.perf_counter()
        driven.step(SMALLEST)
        longest = max(longest, time.perf_counter() - before)
    driven.method.stop()
    return longest


def read(file: Path) -> dict[Case, Measured]:
    """Return the runs of a file; a line that was cut off by a kill is left out."""
    found = {}
    for line in file.read_text().splitlines() if file.exists() else []:
        try:
            row = json.loads(line)
        except ValueError:
            continue
        measured = Measured(Case(*row[0]), *row[1:])
        found[measured.case] = measured
    return found


def table(runs: list[Measured]) -> list[str]:
    """Return a line per solver and family: the largest overshoot in units and in seconds."""
    lines = [f"{'solver':<16} {'family':<22} {'units over':>10} {'seconds over':>12} {'rows':>6}  kept"]
    for solver, family in dict.fromkeys((run.case.solver, run.case.family) for run in runs):
        own = [run for run in runs if (run.case.solver, run.case.family) == (solver, family)]
        units = max((run.over / run.unit for run in own if run.case.name != "seconds" and run.unit), default=0.0)
        seconds = max((run.over for run in own if run.case.name == "seconds"), default=0.0)
        rows = "equal" if all(run.counted == run.said for run in own) else "differ"
        kept = "yes" if all(run.kept for run in own) else "NO"
        lines.append(f"{solver:<16} {family:<22} {units:>10.2f} {seconds:>12.3f} {rows:>6}  {kept}")
    return lines


def main() -> None:
    """Make the runs that are not in the file, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, default=Path("overshoot.jsonl"), help="where the runs are kept")
    parser.add_argument("--only", default="", help="one solver")
    given = parser.parse_args()
    known = read(given.file)
    todo = list(cases(given.only))
    with given.file.open("a") as file:
        for case in todo:
            if case not in known:
                known[case] = measure(case)
                file.write(json.dumps(known[case]) + "\n")
                file.flush()
    runs = [known[case] for case in todo]
    print("\n".join(table(runs)))
    for run in runs:
        if not run.kept:
            print(f"above the bar: {run}")
    sys.exit(any(not run.kept for run in runs))


if __name__ == "__main__":
    main()
