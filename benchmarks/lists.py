"""Routes and schedules beside PyVRP, OR-Tools routing and CP-SAT.

    python benchmarks/lists.py --store lists.jsonl --files DIR/*.vrp DIR/la*    five seeds, 10 CPU seconds a run
    python benchmarks/lists.py --store lists.jsonl --seconds 1 --files …        the same after a second
    python benchmarks/lists.py --store lists.jsonl --only 5000 --seconds 60     5,000 stops without peers
    python benchmarks/lists.py --store lists.jsonl --report                     what the store has, as a table

Every run is a process on one thread, and ends by its CPU time: loading, compiling and writing the problem down are not
counted. `auto` and `dbees` stop at the best known cost, CP-SAT at a proof. Routes of peers are costed again by our
code. The peers live in an environment of their own (`lists-requirements.txt`). Runs are kept in the store, a line each;
the same command makes only the missing ones.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from against import environment

import swarmkit

HERE = Path(__file__).parent
PINS = HERE / "lists-requirements.txt"
PEER = HERE / "against" / "lists_peer.py"
OURS = "auto", "dbees"
METHODS = (*OURS, "PyVRP", "OR-Tools routing", "CP-SAT")
DRAWN = {
    "windows 100": ("cvrp", {"n": 100, "windows": True, "seed": 1}),
    "windows 100, clustered": ("cvrp", {"n": 100, "windows": True, "layout": "clustered", "seed": 1}),
    "job shop 20 x 15": ("jobshop", {"jobs": 20, "machines": 15, "seed": 1}),
    "cvrp 5000": ("cvrp", {"n": 5000, "seed": 1}),
}
LARGEST = 1500
"""The most stops that peers get, as a matrix of all arcs."""
DIGITS = 10_000
"""Peers count in whole numbers: distances that are not are rounded up to four digits."""

Run = dict[str, Any]
Instance = tuple[str, dict[str, Any]]


def instances(files: list[Path]) -> dict[str, Instance]:
    """Return the problem and options of each instance: files, then what is drawn."""
    read = {file.stem: ("cvrp" if file.suffix == ".vrp" else "jobshop", {"file": str(file)}) for file in files}
    return {**read, **DRAWN}


def write_down(problem: Any, file: Path) -> list[str]:
    """Write a problem for the peers, and return those that can take it."""
    shape = problem.shape
    if shape.schedule is not None:
        np.savez(
            file, durations=np.where(shape.schedule.able, shape.schedule.durations, -1), edges=shape.schedule.edges
        )
        return ["CP-SAT"]
    routes, n = shape.routes, len(shape.routes.names)
    if n > LARGEST:
        return []
    arcs = routes.arcs(np.arange(n)[:, None], np.arange(n))
    scale = 1 if (arcs % 1 == 0).all() else DIGITS
    windows = np.clip(routes.windows, 0, 2 * float(arcs.max()) * n) * scale
    data = {"arcs": np.ceil(arcs * scale - 1e-6), "early": np.ceil(windows[:, 0]), "late": np.floor(windows[:, 1])}
    data |= {"services": np.ceil(routes.services * scale), "amounts": routes.amounts, "timed": routes.timed}
    np.savez(file, **data, capacity=routes.capacities[0], vehicles=shape.count, depot=routes.starts[0])
    return ["PyVRP", "OR-Tools routing"]


def ours(instance: Instance, solver: str, seconds: float, seed: int) -> Run:
    """Make a run of ours, in a process of its own: its memory is that of the run."""
    import resource

    problem = swarmkit.make_problem(instance[0], **instance[1])
    limits: dict[str, float] = {} if problem.best is None else {"target": problem.best}  # type: ignore[attr-defined]
    result = swarmkit.solve(problem, solver, seed=seed, cpu_seconds=seconds, **limits)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"cost": result.cost, "cpu": result.cpu_seconds, "megabytes": round(memory), "looks": result.looks}


def theirs(python: Path, method: str, problem: Any, file: Path, seconds: float, seed: int) -> Run:
    """Make a run of a peer, in a process of its own."""
    command = [str(python), str(PEER), method, str(file), str(seconds), str(seed)]
    run = environment.run_peer(command, seconds)
    lists = run.pop("lists", None)
    if lists is not None:
        routes = problem.shape.routes
        items = [np.searchsorted(routes.nodes, nodes) for nodes in lists if nodes]
        run["cost"] = routes.cost(items)
        if sorted(np.concatenate(items)) != list(range(problem.shape.items)):
            return {"error": "its routes leave out stops"}
    return run


def make_runs(given: argparse.Namespace, runs: dict[tuple[str, str], dict[int, Run]]) -> Iterator[Run]:
    """Make the runs that are missing, all instances with one seed before the next seed."""
    python = environment.python_of(given.env)
    chosen = {name: of for name, of in instances(given.files).items() if given.only in name.lower()}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, given.seeds + 1):
            for number, (name, instance) in enumerate(chosen.items()):
                problem: Any = swarmkit.make_problem(instance[0], **instance[1])
                file = Path(folder) / f"{number}.npz"
                takes = [*OURS, *write_down(problem, file)]
                # OR-Tools routing draws nothing: all of its runs are one.
                takes = [method for method in takes if seed == 1 or method != "OR-Tools routing"]
                takes = [method for method in takes if method in (given.method or METHODS)]
                takes = [method for method in takes if seed not in runs[name, method]]
                if any(method not in OURS for method in takes) and seed == 1:
                    for pin, why in environment.prepare(given.env, PINS).items():
                        print(f"{pin}: {why}", file=sys.stderr)
                for method in takes:
                    if method in OURS:
                        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                            run = pool.submit(ours, instance, method, given.seconds, seed).result()
                    else:
                        run = theirs(python, method, problem, file, given.seconds, seed)
                    facts = {"instance": name, "method": method, "seed": seed, "seconds": given.seconds}
                    yield facts | {"best": problem.best} | run


def read_store(path: Path, seconds: float) -> dict[tuple[str, str], dict[int, Run]]:
    """Return the runs in the store, by instance and method, then by seed."""
    runs: dict[tuple[str, str], dict[int, Run]] = defaultdict(dict)
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        run = json.loads(line)
        if run["seconds"] == seconds:
            runs[run["instance"], run["method"]][run["seed"]] = run
    return runs


def report(runs: dict[tuple[str, str], dict[int, Run]]) -> str:
    """Return a table: a row for each instance, the median gap of each method to the best known, or best seen, cost."""
    names = list(dict.fromkeys(name for name, _ in runs))
    lines = [f"| instance | best | {' | '.join(METHODS)} | MB of auto |", "|---" * (len(METHODS) + 3) + "|"]
    for name in names:
        of_instance = [run for (instance, _), seeds in runs.items() if instance == name for run in seeds.values()]
        costs = [run["cost"] for run in of_instance if run.get("cost") is not None]
        known = of_instance[0]["best"]
        best = known or min(costs, default=np.nan)
        cells = [cell(runs.get((name, method), {}), best) for method in METHODS]
        least = min((value for value, _ in cells if value is not None), default=None)
        shown = [f"**{text}**" if value is not None and value == least else text for value, text in cells]
        memory = max((run["megabytes"] for run in runs.get((name, "auto"), {}).values()), default="")
        lines.append(f"| {name} | {best:,.10g}{'' if known else ' (seen)'} | {' | '.join(shown)} | {memory} |")
    return "\n".join(lines)


def cell(seeds: dict[int, Run], best: float) -> tuple[float | None, str]:
    """Return the median gap of some runs, and what is shown of it: the mean too, and in how many it is 0."""
    if not seeds:
        return None, ""
    costs = [np.inf if run.get("cost") is None else run["cost"] for run in seeds.values()]
    if np.isinf(costs).all():
        return None, next((run["error"][:40] for run in seeds.values() if "error" in run), "none")
    gaps = [round(100 * (cost / best - 1), 4) for cost in costs]
    middle, hits = statistics.median_low(gaps), sum(gap <= 0 for gap in gaps)
    return middle, f"{middle:.2f} (mean {statistics.fmean(gaps):.2f}; {hits} of {len(gaps)})"


def main() -> None:
    """Make runs, or report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--store", type=Path, required=True, help="keeps the runs, a line each")
    add("--files", type=Path, nargs="*", default=[], help="VRPLIB's .vrp, others are job shops")
    add("--seeds", type=int, default=5)
    add("--seconds", type=float, default=10.0, help="CPU seconds of a run")
    add("--only", default="", type=str.lower, help="instances whose names contain this")
    add("--method", choices=METHODS, nargs="+", help="these methods alone")
    add("--env", type=Path, default=environment.default_folder(PINS), help="folder of the peers' environment")
    add("--report", action="store_true", help="print the tables of the store")
    given = parser.parse_args()
    runs = read_store(given.store, given.seconds)
    if not given.report:
        with given.store.open("a", encoding="utf-8") as store:
            for run in make_runs(given, runs):
                print(json.dumps(run), file=store, flush=True)
                print(
                    f"{run['instance']:24} {run['method']:18} {run['seed']}: {run.get('error') or run['cost']}",
                    file=sys.stderr,
                )
        runs = read_store(given.store, given.seconds)
    print(report(runs))


if __name__ == "__main__":
    main()
