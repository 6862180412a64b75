"""Compare the results of two versions, run by run: every solver on every kind of problem, by seed.

    python benchmarks/same_results.py --write old.json --old       (in an environment with the version before)
    python benchmarks/same_results.py --against old.json           (in an environment with this version)

A case is the same when solution, score, looks and iterations are. `--old` spells solvers and parameters as version 0.1
did, before `sa`, `ga` and `ils` were split. Where a case differs, the scores of both versions are printed: mean and
range over the seeds.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import swarmkit
from swarmkit import Pairwise, PairwiseProblem, Problem
from swarmkit.testing.families import BlackBox, Bounded, Shape, random_form

LOOKS = 300_000


class Method(NamedTuple):
    """A solver with its parameters, as this version and as version 0.1 spell it."""

    solver: str
    params: dict[str, Any]
    old_solver: str
    old_params: dict[str, Any]

    @property
    def label(self) -> str:
        """The solver and its parameters in one line."""
        return " ".join([self.solver, *(f"{name}={value}" for name, value in self.params.items())])


def same(name: str, **params: Any) -> Method:
    """Return a method that both versions spell alike."""
    return Method(name, params, name, params)


def paper_bees(**params: Any) -> Method:
    """Return `dbees` with the paper's values, which version 0.1 had as its defaults."""
    return Method("dbees", {"preset": "paper", **params}, "dbees", params)


def plain_ga(old: dict[str, Any], **params: Any) -> Method:
    """Return `ga` as it is on every problem, which version 0.1 had to be told on tours."""
    plain = {"founders": "random", "arranging": "order", "rearranging": "swap", "crossover_rate": 0.9}
    return Method("ga", params, "ga", plain | {"replacement": "generation"} | old)


def ants(old: dict[str, Any], **params: Any) -> Method:
    """Return `tsp-aco` with a construction that version 0.1 spelled otherwise."""
    return Method("tsp-aco", params, "tsp-aco", old)


METHODS = [
    *(same(name) for name in ("first", "random", "greedy", "icm", "exhaustive", "max-relatedness", "viterbi")),
    same("vote", solver="icm", runs=3),
    paper_bees(),
    paper_bees(walk="wrap", ties="first"),
    paper_bees(literal=True),
    same("bco"),
    same("bco", normalise="max", bees=7),
    same("aca"),
    same("tsp-aco"),
    same("tsp-aco", variant="acs"),
    same("tsp-aco", variant="as"),
    same("tsp-aco", local_search="icm"),
    same("tsp-aco", local_search="2opt"),
    ants({"part": 0}, construction="walk"),
    ants({"focus": 0, "local_search": "2opt"}, construction="walk", local_search="2opt"),
    ants({"focus": 2}, construction="focused"),
    same("sa"),
    same("sa", cooling=0.95),
    Method("annealing", {}, "sa", {"preset": "auto"}),
    Method("annealing", {"shortest": 8}, "sa", {"preset": "auto", "shortest": 8}),
    plain_ga({}),
    plain_ga({"selection": "roulette", "crossover": "uniform"}, selection="roulette", crossover="uniform"),
    plain_ga(
        {"arranging": "pmx", "rearranging": "inversion"},
        permutation_crossover="pmx",
        permutation_mutation="inversion",
    ),
    plain_ga({"local_search": "icm"}, local_search="icm"),
    Method("tour-ga", {"initial": "nearest", "local_search": "none"}, "ga", {}),
    Method("tour-ga", {"initial": "nearest", "local_search": "2opt"}, "ga", {"local_search": "2opt"}),
    same("ils"),
    Method("robust-tabu", {}, "ils", {}),
]

ON_TOURS_ONLY, ON_ASSIGNMENTS_ONLY = {"tour-ga"}, {"robust-tabu"}


def problems() -> dict[str, Problem]:
    """Return one problem of each kind: pairwise, chain, tours, assignments, a black box, constraints."""
    rng = np.random.default_rng(7)
    table = rng.random((30, 30))
    asymmetric = Pairwise.of([30] * 30, [(i, (i + 1) % 30, table, -1.0) for i in range(30)], distinct=True)
    sparse = random_form(Shape(12, 12, 3, "signs", 5), distinct=True, shared=False)
    return {
        "pairwise": swarmkit.make_problem("synthetic", n=60, window=4, seed=3),
        "chain": swarmkit.make_problem("synthetic", n=50, window=1, seed=4),
        "tour": swarmkit.make_problem("tsp", n=60, seed=5),
        "small tour": swarmkit.make_problem("tsp", n=7, seed=5),
        "asymmetric tour": PairwiseProblem(asymmetric),
        "assignment": swarmkit.make_problem("qap", n=20, seed=6),
        "permutation": PairwiseProblem(sparse),
        "flow shop": swarmkit.make_problem("flowshop", jobs=12, machines=4),
        "black box": BlackBox(random_form(Shape(9, 4, 2, "floats", 11))),
        "constrained": Bounded(random_form(Shape(9, 4, 2, "floats", 12))),
    }


def applies(method: Method, kind: str) -> bool:
    """Return whether a case is the same method in both versions: `ga` and `ils` of version 0.1 chose by the problem."""
    if method.solver in ON_TOURS_ONLY:
        return kind == "tour"
    if method.solver in ON_ASSIGNMENTS_ONLY:
        return kind == "assignment"
    if method.params == {"construction": "focused"} and kind == "asymmetric tour":
        return False  # version 0.1 walked instead; this one refuses what it cannot do
    return not (method.solver == "ils" and kind in ("assignment",))


def cases() -> Iterator[tuple[str, Method, Problem]]:
    """Yield every pair of a method and a problem that can be compared, with a name."""
    made = problems()
    for method in METHODS:
        for kind, problem in made.items():
            if applies(method, kind):
                yield f"{method.label} | {kind}", method, problem


def outcome(method: Method, problem: Problem, seed: int, old: bool) -> dict[str, Any] | str:
    """Run one case and return what must be the same, or the solver's refusal."""
    name, params = (method.old_solver, method.old_params) if old else (method.solver, method.params)
    try:
        result = swarmkit.solve(problem, name, seed=seed, looks=LOOKS, params=params)
    except swarmkit.Refusal:
        return "refused"
    return {key: getattr(result, key) for key in ("solution", "score", "looks", "iterations")}


def measure(seeds: int, old: bool, only: str | None) -> dict[str, Any]:
    """Run every case with every seed."""
    found: dict[str, Any] = {}
    for name, method, problem in cases():
        if only is None or name.startswith(only):
            found[name] = [outcome(method, problem, seed, old) for seed in range(seeds)]
            print(f"\r{len(found)} cases", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


def scores(outcomes: list[Any]) -> str:
    """Return mean and range of the scores of some runs."""
    known = [run["score"] for run in outcomes if isinstance(run, dict) and run["score"] is not None]
    return f"mean {statistics.mean(known):.6g} in [{min(known):.6g}, {max(known):.6g}]" if known else str(outcomes[0])


def main() -> int:
    """Write the results of this version, or compare them with another's."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, help="write the results here")
    parser.add_argument("--against", type=Path, help="compare with results written before")
    parser.add_argument("--old", action="store_true", help="spell solvers and parameters as version 0.1 did")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", help="cases that begin with this, for instance 'sa'")
    given = parser.parse_args()
    found = measure(given.seeds, given.old, given.only)
    if given.write:
        given.write.write_text(json.dumps(found))
    if not given.against:
        return 0
    before = json.loads(given.against.read_text())
    different = [name for name, runs in found.items() if before[name][: given.seeds] != json.loads(json.dumps(runs))]
    for name in different:
        print(f"{name}\n    before: {scores(before[name])}\n    now:    {scores(found[name])}")
    print(f"{len(found) - len(different)} of {len(found)} cases are the same for {given.seeds} seeds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
