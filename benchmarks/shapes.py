"""The recipes of the cookbook, and drawn problems with linear constraints, beside CP-SAT, HiGHS, SCIP and pymoo.

    python benchmarks/shapes.py --store shapes.jsonl                five seeds, 6 CPU seconds a run: about two hours
    python benchmarks/shapes.py --store shapes.jsonl --report       what the store has as a table, losses first
    python benchmarks/shapes.py --store shapes.jsonl --cookbook     the same of the recipes, in the order of the page
    python benchmarks/shapes.py --store shapes.jsonl --only sudoku --seeds 1
    python benchmarks/shapes.py --store shapes.jsonl --knapsacks mknapcb1.txt --seconds 10

Every run is a process on one thread, and ends by its CPU time: loading, compiling and writing the problem down are not
counted. CP-SAT (also with linearization 2), HiGHS and SCIP get the program of 0-1 columns that `highs` makes of the
problem (of the linear ordering a column for each pair of things), pymoo's genetic algorithm its tables and rows. CP-SAT
gets models of its own of the two orders whose score is a function. The peers live in an environment of their own
(`shapes-requirements.txt`). Runs are kept in the store, a line each; the same command makes only the missing ones.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from against import environment

import swarmkit
from swarmkit.contract.problem_view import problem_view
from swarmkit_exact.cpsat import scale_of
from swarmkit_exact.highs import no_program
from swarmkit_exact.linearisation import linearise

HERE = Path(__file__).parent
PINS = HERE / "shapes-requirements.txt"
PEER = HERE / "against" / "shapes_peer.py"
PROGRAMS = ("CP-SAT", "CP-SAT, linearization 2", "HiGHS", "SCIP")
METHODS = ("auto", *PROGRAMS, "pymoo GA")
MOST_PAIRS = 30_000
"""The most entries of tables that are linearised for the peers."""
DRAWN = {
    "set cover 500 x 5000": ("setcover", {"rows": 500, "columns": 5000, "density": 0.02}),
    "knapsack 30 x 500": ("knapsack", {"capacities": 30, "n": 500}),
    "assignment D 10 x 100": ("assignment", {"kind": "D", "agents": 10, "jobs": 100}),
    "assignment E 10 x 100": ("assignment", {"kind": "E", "agents": 10, "jobs": 100}),
    "assignment D 20 x 200": ("assignment", {"kind": "D", "agents": 20, "jobs": 200}),
    "assignment E 20 x 200": ("assignment", {"kind": "E", "agents": 20, "jobs": 200}),
}

Run = dict[str, Any]


def instances(knapsacks: Path | None) -> dict[str, Callable[[], swarmkit.Problem]]:
    """Return functions that make the problems, by name."""
    sys.path.insert(0, str(HERE.parent / "docs"))
    from recipes import model_of, recipes

    made: dict[str, Callable[[], swarmkit.Problem]] = {
        title: lambda source=source: model_of(source).problem() for title, source in recipes().items()
    }
    for name, (problem, options) in DRAWN.items():
        made[name] = lambda problem=problem, options=options: swarmkit.make_problem(problem, **options)
    for number in range(1, 31) if knapsacks else ():
        made[f"{knapsacks.stem} {number}"] = lambda number=number: swarmkit.make_problem(
            "knapsack", file=str(knapsacks), number=number
        )
    return made


SCHEDULES = {"Flow shop": ("times",), "Sequencing with set-up times": ("takes", "weight", "setup", "due")}
"""The recipes whose score is a function of an order, and what CP-SAT's model of them is made of."""


def write_down(name: str, problem: swarmkit.Problem, file: Path) -> list[str]:
    """Write a problem for the peers, and return those that can take it."""
    view = problem_view(problem)
    form, rows = view.structure.pairwise, view.structure.linear
    if form is None and name not in SCHEDULES:
        return []
    if form is None:
        numbers = recipe_numbers(name)
        np.savez(file, schedule=name, **{key: numbers[key] for key in SCHEDULES[name]})
        return ["CP-SAT"]
    data: dict[str, Any] = {
        name: getattr(form, name) for name in ("sizes", "unary", "edges", "starts", "weights", "flat")
    }
    arrays = ("indptr", "slots", "coefficients", "lower", "upper")
    empty = {"indptr": np.zeros(1, np.int64), "slots": np.zeros(0, np.int64)}
    for array in arrays:
        data[f"row_{array}"] = empty.get(array, np.zeros(0)) if rows is None else getattr(rows, array)
    data["distinct"] = view.distinct
    takes = ["pymoo GA"]
    if name == "Linear ordering":
        data |= ordering_program(recipe_numbers(name)["better"])
        takes += PROGRAMS
    elif no_program(view, MOST_PAIRS) is None:
        program = linearise(view)
        kinds = {"integral": np.int64, "indptr": np.int64, "columns": np.int64}
        data |= {key: np.array(values, kinds.get(key, np.float64)) for key, values in program.plain.items()}
        data["constant"] = program.constant
        scale = scale_of(rows) if rows is not None else None
        data["digits"] = 0 if scale is None else round(np.log10(scale))
        takes += [method for method in PROGRAMS if scale is not None or not method.startswith("CP-SAT")]
    np.savez(file, **data)
    return takes


def recipe_numbers(name: str) -> Run:
    """Return what a recipe defines, by name."""
    from recipes import names_of, recipes

    return names_of(recipes()[name])


def ordering_program(better: Any) -> Run:
    """Return the program of a linear ordering: a column says whether the first of two things comes first.

    Of three things i, j, k there is no circle: i before j and j before k, but not i before k, or all the other way.
    """
    n = len(better)
    i, j = np.triu_indices(n, 1)
    column = np.zeros((n, n), np.int64)
    column[i, j] = np.arange(len(i))
    a, b, c = np.array(list(itertools.combinations(range(n), 3))).T
    count = len(a)
    return {
        "costs": (better[j, i] - better[i, j]).astype(float),
        "integral": np.ones(len(i), np.int64),
        "constant": float(better[j, i].sum()),
        "indptr": 3 * np.arange(count + 1),
        "columns": np.column_stack([column[a, b], column[b, c], column[a, c]]).ravel(),
        "coefficients": np.tile([1.0, 1.0, -1.0], count),
        "lower": np.zeros(count),
        "upper": np.ones(count),
        "digits": 0,
    }


def ours(problem: swarmkit.Problem, seconds: float, seed: int) -> Run:
    """Make a run of `auto`."""
    result = swarmkit.solve(problem, "auto", seed=seed, cpu_seconds=seconds)
    cost = None if result.score is None else -result.score
    return {"cost": cost, "bound": None if result.bound is None else -result.bound, "cpu": result.seconds}


def theirs(python: Path, method: str, file: Path, seconds: float, seed: int) -> Run:
    """Make a run of a peer, in a process of its own."""
    command = [str(python), str(PEER), method, str(file), str(seconds), str(seed)]
    return environment.run_peer(command, seconds)


def make_runs(given: argparse.Namespace, runs: dict[tuple[str, str], dict[int, Run]]) -> Iterator[Run]:
    """Make the runs that are missing, all instances with one seed before the next seed."""
    python = environment.python_of(given.env)
    refused = environment.prepare(given.env, PINS)
    for pin, why in refused.items():
        print(f"{pin}: {why}", file=sys.stderr)
    chosen = {name: make for name, make in instances(given.knapsacks).items() if given.only in name.lower()}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, given.seeds + 1):
            for number, (name, make) in enumerate(chosen.items()):
                problem, file = make(), Path(folder) / f"{number}.npz"
                for method in ["auto", *write_down(name, problem, file)]:
                    if seed in runs[name, method] or given.method not in (None, method):
                        continue
                    if method == "auto":
                        run = ours(problem, given.seconds, seed)
                    else:
                        run = theirs(python, method, file, given.seconds, seed)
                    sign = 1 if problem.direction == "minimise" else -1
                    facts = {"instance": name, "method": method, "seed": seed, "seconds": given.seconds, "sign": sign}
                    yield facts | run


def read_store(path: Path, seconds: float) -> dict[tuple[str, str], dict[int, Run]]:
    """Return the runs in the store, by instance and method, then by seed."""
    runs: dict[tuple[str, str], dict[int, Run]] = defaultdict(dict)
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        run = json.loads(line)
        if run["seconds"] == seconds:
            runs[run["instance"], run["method"]][run["seed"]] = run
    return runs


def report(runs: dict[tuple[str, str], dict[int, Run]], names: list[str]) -> str:
    """Return a table: a row for each instance, the median objective of each method, and the best bound.

    Args:
        runs: the runs, by instance and method, then by seed.
        names: the instances that are shown, if there are runs of them.
    """
    lines = [f"| instance | {' | '.join(METHODS)} | bound |", "|---" * (len(METHODS) + 2) + "|"]
    for name in names:
        of_instance = [run for (instance, _), seeds in runs.items() if instance == name for run in seeds.values()]
        if not of_instance:
            continue
        sign = of_instance[0]["sign"]
        bounds = [run["bound"] for run in of_instance if run.get("bound") is not None]
        cells = [cell(runs.get((name, method), {}), sign) for method in METHODS]
        best = min((value for value, _ in cells if value is not None), default=np.inf)
        shown = [f"**{text}**" if value is not None and equal(value, best) else text for value, text in cells]
        lines.append(f"| {name} | {' | '.join(shown)} | {number(sign * max(bounds)) if bounds else ''} |")
    return "\n".join(lines)


def equal(value: float, best: float) -> bool:
    """Return whether a cost is the best one but for rounding."""
    return value <= best + 1e-6 * max(1.0, abs(best))


def losses_first(runs: dict[tuple[str, str], dict[int, Run]]) -> list[str]:
    """Return the instances, those first where another method's median is better than that of `auto`."""
    medians: dict[str, dict[str, float]] = defaultdict(dict)
    for (name, method), seeds in runs.items():
        value, _ = cell(seeds, 1)
        medians[name][method] = np.inf if value is None else value
    return sorted(medians, key=lambda name: equal(medians[name].get("auto", np.inf), min(medians[name].values())))


def cell(seeds: dict[int, Run], sign: int) -> tuple[float | None, str]:
    """Return the median cost of some runs and what is shown of it: a run without a solution counts as the worst."""
    if not seeds:
        return None, ""
    errors = [run["error"] for run in seeds.values() if "error" in run]
    if len(errors) == len(seeds):
        return None, errors[0][:40]
    costs = sorted(np.inf if run.get("cost") is None else run["cost"] for run in seeds.values())
    middle = statistics.median_low(costs)
    none = sum(np.isinf(cost) for cost in costs)
    note = f" ({len(seeds) - none} of {len(seeds)} runs)" if none else ""
    return (None, f"none{note}") if np.isinf(middle) else (middle, number(sign * middle) + note)


def number(value: float) -> str:
    """Return a number as people write it.

    >>> number(1627.00001), number(43977.78), number(0.94636)
    ('1,627', '43,977.8', '0.9464')
    """
    if abs(value - round(value)) < 1e-4:
        return f"{round(value):,}"
    return f"{value:,.1f}" if abs(value) >= 100 else f"{value:.4g}"


def main() -> None:
    """Make runs, or report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--store", type=Path, required=True, help="keeps the runs, a line each")
    add("--seeds", type=int, default=5)
    add("--seconds", type=float, default=6.0, help="CPU seconds of a run")
    add("--only", default="", type=str.lower, help="instances whose names contain this")
    add("--method", choices=METHODS, help="this method alone")
    add("--knapsacks", type=Path, metavar="FILE", help="OR-Library's 30 problems in mknapcb1, too")
    add("--env", type=Path, default=environment.default_folder(PINS), help="folder of the peers' environment")
    add("--report", action="store_true", help="print the table of the store")
    add("--cookbook", action="store_true", help="print that of the recipes")
    given = parser.parse_args()
    runs = read_store(given.store, given.seconds)
    if not (given.report or given.cookbook):
        with given.store.open("a", encoding="utf-8") as store:
            for run in make_runs(given, runs):
                print(json.dumps(run), file=store, flush=True)
                shown = run.get("error") or f"{run['cost']} (bound {run['bound']})"
                print(f"{run['instance']:28} {run['method']:24} seed {run['seed']}: {shown}", file=sys.stderr)
        runs = read_store(given.store, given.seconds)
    print(report(runs, list(instances(None)) if given.cookbook else losses_first(runs)))


if __name__ == "__main__":
    main()
