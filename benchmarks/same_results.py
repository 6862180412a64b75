"""Compare the results of two versions, run by run: every solver on every kind of problem, by seed.

    python benchmarks/same_results.py --write benchmarks/results/0.2.json     (in an environment with version 0.2)
    python benchmarks/same_results.py --against benchmarks/results/0.2.json   (in an environment with this version)

Runs end after equal iterations where the problem has tables, after equal evaluations where it is nothing but a score. A
case is the same when, for every seed, solution and score are, and iterations (tables) or evaluations (black boxes).
Version 0.2 exceeds a limit of evaluations by a few; both versions then count as ended by it. Looks are for information.
A case that differs is printed with the scores of both versions and the p-value of a two-sided Mann-Whitney test; it is
worse if its scores are lower and p < 0.05. Exit code 1 if one is worse, or differs without a reason in `REASONS`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import swarmkit
from swarmkit import Pairwise, PairwiseProblem, Problem

SEEDS = 30
"""The runs of a case."""

WHOLE = 3
"""The runs of which the solution is written; of the others, a hash."""

EVALUATIONS = 400
"""The evaluations of a run on a black box."""

ALPHA = 0.05

ROUNDING = 1e-9
"""The relative difference of scores of one solution that summing in another order makes."""


BATCH = "an iteration scores up to 64 solutions, in 0.2 one"
ANY_ROW = "every row that was scored may be the answer, in 0.2 the solutions where a chain or a climb had arrived"
SEQUENCES = "moves of sequences are swaps, insertions and reversals, in 0.2 swaps alone"
REASONS = {
    r"(random|exhaustive) \|": BATCH,
    r"auto \| (few solutions|parts|bounded tables|small tour)": f"it runs `exhaustive`: {BATCH}",
    r"vote .*solver=icm.* \| (pairwise|chain)": "a step beyond the looks of a run is not counted, in 0.2 it was cut",
    r"vote ": "the best row that was scored is the answer, if it is better than the vote",
    r"(sa|annealing|ils)\b.* \| judged": "0.2 had a step without a look, and fewer chains, after an infeasible start",
    r"(sa|annealing|auto)\b.* \| asymmetric tour": SEQUENCES,
    r"(sa|annealing|ils|auto)\b.* \| ": ANY_ROW,
    r"(dbees|ga)\b.* \| (black box permutation|flow shop)": SEQUENCES,
    r"(first|dbees)\b.* \| judged": "a run without a feasible solution samples some, in 0.2 it had none",
    r"tabu \| (bounded|(small |asymmetric )?tour|assignment|permutation|(binary )?black box|flow shop|judged)": (
        "0.2 refused what is no table of free stages"
    ),
    r"tsp-aco variant=as \| judged": "rounding: deposits are added in another order, and later a draw differs",
}
"""Why cases differ from version 0.2, by the beginning of their names; the first that fits."""


class Method(NamedTuple):
    """A solver with its parameters, and the iterations of its runs on tables."""

    solver: str
    iterations: int = 20
    params: dict[str, Any] = {}  # noqa: RUF012  # never changed

    @property
    def label(self) -> str:
        """The solver and its parameters in one line."""
        return " ".join([self.solver, *(f"{name}={value}" for name, value in self.params.items())])


METHODS = [
    *(Method(name) for name in ("first", "random", "greedy", "exhaustive", "max-relatedness", "viterbi")),
    Method("icm", 8),
    Method("toulbar2", params={"backtracks": 1000}),
    Method("vote", 1000, {"solver": "icm", "runs": 3, "looks": 1000}),
    Method("vote", 1000, {"solver": "dbees", "params": {"preset": "paper", "iterations": 2}, "runs": 3}),
    Method("auto", 40),
    Method("dbees", 6),
    Method("dbees", 6, {"preset": "paper"}),
    Method("dbees", 6, {"preset": "paper", "walk": "wrap", "ties": "first"}),
    Method("dbees", 6, {"preset": "paper", "literal": True}),
    Method("dbees", 6, {"preset": "paper", "literal": True, "followers": "sequence"}),
    Method("dbees", 6, {"local_search": "none"}),
    Method("dbees", 6, {"stretch": None, "draw": "replace", "theta": 0.5}),
    Method("bco", 6),
    Method("bco", 6, {"normalise": "max", "bees": 7}),
    Method("aca", 10),
    Method("tsp-aco"),
    Method("tsp-aco", params={"variant": "acs"}),
    Method("tsp-aco", params={"variant": "as"}),
    Method("tsp-aco", params={"local_search": "icm"}),
    Method("tsp-aco", params={"local_search": "2opt"}),
    Method("tsp-aco", params={"construction": "walk"}),
    Method("tsp-aco", params={"construction": "focused"}),
    Method("sa", 40),
    Method("sa", 40, {"cooling": 0.95, "chains": 3}),
    Method("annealing", 60),
    Method("annealing", 60, {"shortest": 8}),
    Method("ga", 30),
    Method("ga", 30, {"selection": "roulette", "crossover": "uniform"}),
    Method("ga", 30, {"permutation_crossover": "pmx", "permutation_mutation": "inversion"}),
    Method("ga", 10, {"local_search": "icm"}),
    Method("tour-ga", 10),
    Method("tour-ga", 10, {"initial": "nearest", "local_search": "none"}),
    Method("tour-ga", 10, {"initial": "nearest", "local_search": "2opt"}),
    Method("p3", 10),
    Method("ils", 40),
    Method("tabu", 300),
    Method("robust-tabu", 300),
]


class BlackBox(Problem):
    """A problem of which nothing but sizes and score is known."""

    def __init__(self, form: Pairwise) -> None:
        self._form, self.sizes, self.distinct = form, form.sizes, form.distinct

    def score(self, X: Any) -> Any:
        """Score by hidden tables."""
        return self._form.score(X)


class Judged(BlackBox):
    """A black box that forbids candidate 0 at two consecutive stages, by `feasible` alone."""

    def feasible(self, X: Any) -> Any:
        """Judge complete solutions."""
        return ~((X[:, 1:] == 0) & (X[:, :-1] == 0)).any(axis=1)


class Bounded(BlackBox):
    """A black box with a capacity: the candidate numbers sum to at most half of their largest sum."""

    def feasible(self, X: Any) -> Any:
        """Judge complete solutions."""
        return X.sum(axis=1) <= self._capacity

    def allowed(self, X: Any, stage: int) -> Any:
        """Return the candidates that fit; as candidate 0 uses no capacity, each can be completed."""
        used = np.where(X < 0, 0, X)
        used[:, stage] = 0
        return used.sum(axis=1)[:, None] + np.arange(self.sizes[stage]) <= self._capacity

    @property
    def _capacity(self) -> int:
        return int(np.sum(np.asarray(self.sizes) - 1)) // 2


class BoundedTables(Bounded):
    """The same with tables that are not hidden."""

    def pairwise(self) -> Pairwise:
        """Return the tables."""
        return self._form


class Costs(PairwiseProblem):
    """Tables of costs."""

    direction = "minimise"


class Divided(PairwiseProblem):
    """Three independent chains side by side."""

    def __init__(self) -> None:
        forms = [tables(8, 4, 1, 20 + i) for i in range(3)]
        edges = [(8 * i + j, 8 * i + j + 1, table(form, j)) for i, form in enumerate(forms) for j in range(7)]
        joined = [np.concatenate([getattr(form, name) for form in forms]) for name in ("sizes", "unary")]
        super().__init__(Pairwise.of(joined[0], edges, joined[1]))
        parts = [(np.arange(8 * i, 8 * i + 8), PairwiseProblem(form)) for i, form in enumerate(forms)]
        self.parts = [swarmkit.Part(*part) for part in parts]


def tables(n: int, m: int, window: int, seed: int, distinct: bool = False) -> Pairwise:
    """Return random tables of both signs between n stages of up to m candidates that are at most `window` apart."""
    rng = np.random.default_rng(seed)
    sizes = np.full(n, m) if distinct else rng.integers(2, m, n, endpoint=True)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, min(n, i + 1 + window))]
    edges = [(i, j, rng.normal(size=(sizes[i], sizes[j]))) for i, j in pairs]
    return Pairwise.of(sizes, edges, rng.normal(size=int(sizes.sum())), distinct=distinct)


def table(form: Pairwise, edge: int) -> Any:
    """Return the table of an edge."""
    m, width = (int(form.sizes[stage]) for stage in form.edges[edge])
    return form.flat[form.starts[edge] : form.starts[edge] + m * width].reshape(m, width)


def problems() -> dict[str, Problem]:
    """Return one problem of each kind."""
    costs = np.random.default_rng(7).random((30, 30))
    asymmetric = Pairwise.of([30] * 30, [(i, (i + 1) % 30, costs, -1.0) for i in range(30)], distinct=True)
    return {
        "pairwise": swarmkit.make_problem("synthetic", n=60, window=4, seed=3),
        "chain": swarmkit.make_problem("synthetic", n=50, window=1, seed=4),
        "few solutions": PairwiseProblem(tables(8, 3, 2, 8)),
        "binary": swarmkit.make_problem("maxcut", n=60, seed=9),
        "costs": Costs(tables(30, 5, 3, 10)),
        "parts": Divided(),
        "bounded tables": BoundedTables(tables(9, 3, 3, 13)),
        "tour": swarmkit.make_problem("tsp", n=60, seed=5),
        "small tour": swarmkit.make_problem("tsp", n=7, seed=5),
        "asymmetric tour": PairwiseProblem(asymmetric),
        "assignment": swarmkit.make_problem("qap", n=20, seed=6),
        "permutation": PairwiseProblem(tables(12, 12, 3, 5, distinct=True)),
        "black box": BlackBox(tables(14, 4, 2, 11)),
        "binary black box": BlackBox(tables(30, 2, 3, 14)),
        "black box permutation": BlackBox(tables(12, 12, 3, 15, distinct=True)),
        "flow shop": swarmkit.make_problem("flowshop", jobs=12, machines=4),
        "judged": Judged(tables(12, 3, 2, 16)),
        "bounded": Bounded(tables(12, 4, 2, 12)),
    }


def cases(only: str) -> Iterator[tuple[str, Method, Problem]]:
    """Yield every pair of a method and a problem, with a name that begins with `only`."""
    kinds = problems()
    for method in METHODS:
        for kind, problem in kinds.items():
            name = f"{method.label} | {kind}"
            if name.startswith(only):
                yield name, method, problem


class Outcome(NamedTuple):
    """What a run returned; nothing but None where it failed."""

    solution: list[int] | None = None
    score: float | None = None
    iterations: int | None = None
    evaluations: int | None = None
    looks: int | None = None

    @property
    def digest(self) -> str:
        """A hash of the solution."""
        return hashlib.sha256(repr(self.solution).encode()).hexdigest()[:8]


def run(method: Method, problem: Problem, seed: int, evaluations: int) -> Outcome | str:
    """Make one run, and return its outcome, or `refused`; version 0.2 has runs that fail by a step without a look.

    Args:
        method: the solver.
        problem: the problem.
        seed: the seed of the run.
        evaluations: the limit on a black box; on tables the method's iterations are.
    """
    black_box = problem.structure.black_box
    limit = {"evaluations": evaluations} if black_box else {"iterations": method.iterations}
    try:
        result = swarmkit.solve(problem, method.solver, seed=seed, params=method.params, **limit)
    except swarmkit.Refusal:
        return "refused"
    except swarmkit.SolverError:
        return Outcome()
    return Outcome(*(getattr(result, field) for field in Outcome._fields))


class Case:
    """The runs of a method on a problem, as columns.

    Args:
        columns: a list for each of `scores`, `iterations`, `evaluations`, `looks`, `digests`, and the first
            `solutions`; empty where the solver refuses the problem.
    """

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self.columns = columns

    @classmethod
    def of(cls, method: Method, problem: Problem, seeds: int, before: Case | None = None) -> Case:
        """Run a case.

        Version 0.2 exceeds a limit of evaluations by a few, those of a unit of work or of the answer, scored again. Its
        run is repeated up to the limit, and if the answer is another one, up to the evaluations that it used.
        """
        outcomes = []
        for seed in range(seeds):
            outcome = run(method, problem, seed, EVALUATIONS)
            if isinstance(outcome, str):
                return cls({})
            used = before.columns["evaluations"][seed] if before and before.columns else None
            if before and (used or 0) > EVALUATIONS and outcome.digest != before.columns["digests"][seed]:
                outcome = run(method, problem, seed, used)  # on tables, where iterations are the limit, the same again
            outcomes.append(outcome)
        names = {"scores": "score", "digests": "digest"} | {name: name for name in Outcome._fields[2:]}
        columns = {name: [getattr(outcome, field) for outcome in outcomes] for name, field in names.items()}
        return cls(columns | {"solutions": [outcome.solution for outcome in outcomes[:WHOLE]]})

    def difference(self, other: Case, black_box: bool) -> str:
        """Return in what these runs differ from the first of others, empty if they do not."""
        if not (self.columns and other.columns):
            return "" if self.columns == other.columns else "refused by one of them"
        count = len(self.columns["scores"])
        pairs = {name: list(zip(self.columns[name], other.columns[name][:count], strict=True)) for name in self.columns}
        compared = ("digests", "scores", "evaluations" if black_box else "iterations")
        unequal = {name: sum(a != b and not at_limit(name, a, b) for a, b in pairs[name]) for name in compared}
        rounding = not unequal["digests"] and np.allclose(
            *(np.array(case.columns["scores"][:count], float) for case in (self, other)), ROUNDING, 0, equal_nan=True
        )
        words = [f"{number} {name}" for name, number in unequal.items() if number]
        return f"{', '.join(words)} of {count} runs{' (rounding)' if rounding else ''}" if words else ""

    @property
    def ranks(self) -> list[float]:
        """The scores, with the worst possible one where there was no feasible solution."""
        return [-np.inf if score is None else score for score in self.columns["scores"]]

    def __str__(self) -> str:
        known = [score for score in self.columns.get("scores", ()) if score is not None]
        if not known:
            return "no scores"
        looks = statistics.mean(looks for looks in self.columns["looks"] if looks is not None)
        return f"mean {statistics.mean(known):.6g} in [{min(known):.6g}, {max(known):.6g}], {looks:,.0f} looks"


def at_limit(name: str, *counts: int | None) -> bool:
    """Return whether two runs both ended at the limit of evaluations, which version 0.2 exceeds by a few."""
    return name == "evaluations" and all(count is not None and count >= EVALUATIONS for count in counts)


def verdict(case: Case, before: Case) -> str:
    """Return `better`, `worse` or `not worse` with the p-value of the Mann-Whitney test."""
    from scipy.stats import mannwhitneyu

    if not (case.columns and before.columns):
        return "worse" if before.columns else "better: not refused any more"
    now, then = case.ranks, before.ranks
    p = 1.0 if len({*now, *then}) == 1 else float(mannwhitneyu(now, then, alternative="two-sided").pvalue)
    higher = float(mannwhitneyu(now, then).statistic) >= len(now) * len(then) / 2
    return f"{'not worse' if p >= ALPHA else 'better' if higher else 'worse'}, p = {p:.3g}"


def write(path: Path, only: str, seeds: int) -> None:
    """Run every case, and write the results, a line for each; with `only`, in place of these in the file."""
    columns = json.loads(path.read_text()) if only else {}
    for name, method, problem in cases(only):
        begun = time.process_time()
        columns[name] = Case.of(method, problem, seeds).columns
        print(f"{time.process_time() - begun:8.2f} s  {name}", file=sys.stderr, flush=True)
    lines = [f"{json.dumps(name)}:{json.dumps(runs, separators=(',', ':'))}" for name, runs in columns.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def compare(path: Path, only: str, seeds: int) -> int:
    """Run every case, print those that differ from a file's, and return how many are worse or unexplained."""
    stored = {name: Case(columns) for name, columns in json.loads(path.read_text()).items()}
    counts = {"same": 0, "different": 0, "worse": 0, "unexplained": 0}
    for name, method, problem in cases(only):
        before = stored[name]
        case = Case.of(method, problem, seeds, before)
        difference = case.difference(before, problem.structure.black_box)
        counts["different" if difference else "same"] += 1
        if difference:
            all_seeds = Case.of(method, problem, SEEDS, before) if seeds < SEEDS else case
            judgement = verdict(all_seeds, before)
            counts["worse"] += judgement.startswith("worse")
            reason = next((text for pattern, text in REASONS.items() if re.match(pattern, name)), "no reason is known")
            counts["unexplained"] += reason not in REASONS.values()
            print(
                f"{name}: {difference}\n    before: {before}\n    now:    {all_seeds}\n    {judgement}; {reason}",
                flush=True,
            )
    print(f"{counts['same']} cases are the same for {seeds} seeds, {counts['different']} differ", end="")
    print(f", {counts['worse']} of them worse, {counts['unexplained']} without a reason")
    return counts["worse"] + counts["unexplained"]


def main() -> None:
    """Write the results of this version, or compare them with another's."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, help="write the results here")
    parser.add_argument("--against", type=Path, help="compare with results written before")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="runs of a case that are compared")
    parser.add_argument("--only", default="", help="cases that begin with this, for instance 'sa |'")
    options = parser.parse_args()
    if options.write:
        write(options.write, options.only, options.seeds)
    if options.against:
        sys.exit(compare(options.against, options.only, options.seeds) > 0)


if __name__ == "__main__":
    main()
