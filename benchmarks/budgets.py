"""Budgets that are kept: evaluations to the row, looks to the step, seconds to a tenth, by every solver.

    python benchmarks/budgets.py --file budgets.jsonl             # about two hours; the same command continues
    python benchmarks/budgets.py --parts evaluations --step 25    # every 25th limit: five minutes

`evaluations`: on three black boxes, runs with every limit from 1 to 1,200 score exactly that many rows (all of a run
that ends before), counted a second time by the problem itself. Every CONTINUED-th of them is continued from its
checkpoint to 1,200: solution, score and evaluations are those of the uninterrupted run, and no row is scored twice.
`looks`: no run goes beyond its limit, except by a first step or a proof. `seconds`: exceeded by at most 0.1 s.
The runs are kept in the file, a line each.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import swarmkit
from swarmkit import Budget, Problem, Result
from swarmkit.plugins.host import host
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec
from swarmkit.testing.evidence import count_rows

MOST = 1_200
"""The largest limit of evaluations, to which runs are continued."""

CONTINUED = 20
"""Every such limit of evaluations is continued."""

LOOKS = (1_000, 10_000, 100_000)
SECONDS = 1.0
SLACK = 0.1
"""Seconds by which a run may exceed its limit."""

SEED = 1


class Interactions(Problem):
    """Nothing but a score: the sum of random numbers of neighbouring stages.

    Args:
        n: the number of stages.
        m: the number of their candidates.
    """

    def __init__(self, n: int, m: int) -> None:
        self.sizes = np.full(n, m)
        self._tables = np.random.default_rng(1).random((n - 1, m, m))

    def score(self, X: Any) -> Any:
        """Sum the entries of all pairs."""
        return self._tables[np.arange(len(self._tables)), X[:, :-1], X[:, 1:]].sum(axis=1)


class Capacity(Interactions):
    """The same with a capacity that half of all solutions exceed."""

    def __init__(self, n: int, m: int) -> None:
        super().__init__(n, m)
        self.capacity = n * (m - 1) // 2

    def feasible(self, X: Any) -> Any:
        """Judge complete solutions."""
        return X.sum(axis=1) <= self.capacity

    def allowed(self, X: Any, stage: int) -> Any:
        """Return the candidates that fit; candidate 0 always does."""
        used = np.where(X < 0, 0, X)
        used[:, stage] = 0
        return used.sum(axis=1)[:, None] + np.arange(self.sizes[stage]) <= self.capacity


SMALL: dict[str, Callable[[], Problem]] = {
    "categories": lambda: Interactions(25, 5),
    "permutation": lambda: swarmkit.make_problem("flowshop", jobs=12),
    "constrained": lambda: Capacity(20, 4),
}
"""The black boxes of limits of evaluations."""

LARGE: dict[str, Callable[[], Problem]] = {
    "pairwise": lambda: swarmkit.make_problem("synthetic", n=200, window=5),
    "chain": lambda: swarmkit.make_problem("synthetic", n=200, window=1),
    "tour": lambda: swarmkit.make_problem("tsp", n=100),
    "assignment": lambda: swarmkit.make_problem("qap", n=30),
    "black box": lambda: Interactions(2_000, 12),
    "constrained box": lambda: Capacity(200, 6),
    "flow shop": lambda: swarmkit.make_problem("flowshop", jobs=50),
}
"""The problems of limits of looks and seconds."""


class Case(NamedTuple):
    """A run with a limit."""

    part: str
    """The name of the limit: evaluations, looks or seconds."""
    solver: str
    problem: str
    limit: float


class Outcome(NamedTuple):
    """What became of it."""

    case: Case
    used: float
    """What the run has spent of its limit."""
    stopped: str
    """Why it ended; `first step` or `proof` where that went beyond a limit of looks."""
    continued: bool
    """Whether it was continued to MOST evaluations."""
    fault: str
    """What was not as it must be; empty if all was."""


def cases(parts: list[str], only: str, step: int) -> Iterator[Case]:
    """Yield every run that a solver does not refuse."""
    for offer in host().offers("solver"):
        if only not in (offer.name, ""):
            continue
        for part in parts:
            for problem in SMALL if part == "evaluations" else LARGE:
                if swarmkit.make_solver(offer.name).refuses(problem_of(problem)) is None:
                    for limit in limits_of(part, step):
                        yield Case(part, offer.name, problem, limit)


def limits_of(part: str, step: int) -> tuple[float, ...]:
    """Return the limits of a part; of evaluations every one, or every step-th."""
    return {"evaluations": tuple(range(1, MOST + 1, step)), "looks": LOOKS, "seconds": (SECONDS,)}[part]


@cache
def problem_of(name: str) -> Problem:
    """Return a problem that has counted the rows of its evaluations itself since it was made."""
    problem = {**SMALL, **LARGE}[name]()
    ROWS[name] = count_rows(problem)
    return problem


ROWS: dict[str, list[int]] = {}
"""The rows that each problem has counted, by name."""


@cache
def whole_run(solver: str, problem: str) -> Result:
    """Return the uninterrupted run of MOST evaluations."""
    return run_of(solver, problem, evaluations=MOST).run()


def run_of(solver: str, problem: str, file: Path | None = None, **limits: float) -> Run:
    """Return a run that has not begun; unlike `solve` it does not sample at random afterwards."""
    instance, method = problem_of(problem), swarmkit.make_solver(solver)
    spec = make_spec(instance, method, SEED, Budget.model_validate(limits))
    return Run(instance, method, spec, checkpoint=file)


def measure(case: Case) -> Outcome:
    """Make a run, and say what is wrong with it."""
    if case.part == "evaluations":
        return measure_evaluations(case)
    problem_of(case.problem)
    rows = sum(ROWS[case.problem])
    run = run_of(case.solver, case.problem, **{case.part: case.limit})
    result = run.run()
    rows = sum(ROWS[case.problem]) - rows - run.uncounted  # of a step that would have gone beyond a limit of looks
    used = float(getattr(result, case.part))
    stopped, slack = str(result.stopped), SLACK if case.part == "seconds" else 0.0
    if case.part == "looks" and used > case.limit:
        proof = result.bound is not None and result.stopped == "done"
        stopped, slack = ("proof", np.inf) if proof else ("first step", np.inf if result.steps == 1 else 0.0)
    fault = f"{used - case.limit:g} {case.part} over" if used > case.limit + slack else ""
    return Outcome(case, used, stopped, continued=False, fault=fault or row_fault(result, rows))


def row_fault(result: Result, rows: int) -> str:
    """Return a fault if the result does not have the rows that the problem counted."""
    said = result.evaluations + result.setup_evaluations
    return "" if said == rows else f"{rows} rows counted, {said} in the result"


def measure_evaluations(case: Case) -> Outcome:
    """Make a run of some evaluations, and now and then continue it from its checkpoint."""
    whole, limit = whole_run(case.solver, case.problem), int(case.limit)
    continued = limit % CONTINUED in (0, 1)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.ckpt" if continued else None
        before = sum(ROWS[case.problem])
        result = run_of(case.solver, case.problem, file, evaluations=limit).run()
        fault = row_fault(result, sum(ROWS[case.problem]) - before)
        if result.evaluations != min(limit, whole.evaluations):
            fault = f"{result.evaluations} evaluations; the whole run has {whole.evaluations}"
        if file is not None and not fault:
            fault = continuation_fault(case, file, result, whole)
    return Outcome(case, result.evaluations, str(result.stopped), continued, fault)


def continuation_fault(case: Case, file: Path, cut: Result, whole: Result) -> str:
    """Continue a run from its checkpoint to MOST evaluations, and return what differs from the uninterrupted one."""
    run = Run.restore(file, problem_of(case.problem), swarmkit.make_solver(case.solver))
    run.spec = run.spec.model_copy(update={"budget": Budget(evaluations=MOST)})
    before = sum(ROWS[case.problem])  # the checkpoint has been checked: a row or two that are none of the search
    result = run.run()
    rows = sum(ROWS[case.problem]) - before
    names = ("solution", "score", "evaluations")
    different = [name for name in names if getattr(result, name) != getattr(whole, name)]
    if different:
        return f"continued, it has another {', '.join(different)}"
    left = whole.evaluations - cut.evaluations
    return "" if rows == left else f"continued, it scored {rows} rows instead of {left}"


def read(file: Path) -> dict[Case, Outcome]:
    """Return the runs of a file; a line that was cut off by a kill is left out."""
    outcomes = {}
    for line in file.read_text().splitlines() if file.exists() else []:
        try:
            case, *rest = json.loads(line)
        except ValueError:
            continue
        outcomes[Case(*case)] = Outcome(Case(*case), *rest)
    return outcomes


def table(outcomes: list[Outcome]) -> Iterator[str]:
    """Yield a line for each part and solver, and one for all."""
    yield f"{'part':12} {'solver':16} {'runs':>6} {'at limit':>8} {'continued':>9} {'most over':>9}  faults, exceptions"
    for part, solver in dict.fromkeys((one.case.part, one.case.solver) for one in outcomes):
        yield line(part, solver, [one for one in outcomes if (one.case.part, one.case.solver) == (part, solver)])
    for part in dict.fromkeys(one.case.part for one in outcomes):
        yield line(part, "all", [one for one in outcomes if one.case.part == part])


def line(part: str, name: str, outcomes: list[Outcome]) -> str:
    """Return the line of some runs."""
    reached = sum(one.used >= one.case.limit for one in outcomes)
    over = max(one.used - one.case.limit for one in outcomes if one.stopped not in EXCEPTIONS)
    counts = Counter(one.stopped for one in outcomes if one.stopped in EXCEPTIONS)
    faults = sum(bool(one.fault) for one in outcomes)
    said = ", ".join([f"{faults} faults", *(f"{count} by a {name}" for name, count in counts.items())])
    continued = sum(one.continued for one in outcomes)
    return f"{part:12} {name:16} {len(outcomes):6} {reached:8} {continued:9} {max(0.0, over):9.3f}  {said}"


EXCEPTIONS = ("first step", "proof")
"""What may go beyond a limit of looks."""


def main() -> int:
    """Make the runs that are not in the file, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, default=Path("budgets.jsonl"), help="where the runs are kept")
    parser.add_argument("--only", default="", help="one solver")
    parts = ["evaluations", "looks", "seconds"]
    parser.add_argument("--parts", nargs="+", default=parts, choices=parts, help="the limits")
    parser.add_argument("--step", type=int, default=1, help="the distance of two limits of evaluations")
    options = parser.parse_args()
    known, todo = read(options.file), list(cases(options.parts, options.only, options.step))
    with options.file.open("a") as file:
        for case in todo:
            if case not in known:
                known[case] = measure(case)
                file.write(json.dumps(known[case]) + "\n")
                file.flush()
    outcomes = [known[case] for case in todo]
    print("\n".join(table(outcomes)))
    faulty = [outcome for outcome in outcomes if outcome.fault]
    for outcome in faulty:
        print(f"fault: {outcome}")
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
