"""The regret of `auto` against every single heuristic with its default settings, in six families of instances.

    python benchmarks/auto.py --store auto.db --data DIR          # 60 instances, 1 CPU s, 5 seeds
    python benchmarks/auto.py --store auto.db --data DIR --long   # 24 of them, 10 CPU s
    python benchmarks/auto.py --store auto.db --report            # what the store has

DIR holds folders tsplib, qaplib, gset and colouring; without it only drawn instances are run. `--draw 1` draws others
of the same kinds. What is in the store is not run again. `--nearest 4` saves time: after the first seed (with --long,
after the first seed of 1 s) only the four heuristics with the highest scores on an instance go on to the other seeds,
and the best single solver is chosen among these. Regret = (V - auto) / (V - random sampling), with V the median of the
best single solver, chosen on three seeds and measured on two others. Bars: median <= 1 %, mean <= 5 % in every
family, no single solver with a lower mean over all families (one that refuses an instance counts as random sampling),
choosing in less than 50 ms.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from choosing.instances import Instance, instances
from choosing.regret import AUTO, REFERENCE, best_single, regrets
from choosing.runs import RunStore, run

import swarmkit
from swarmkit.contract.problem_view import problem_view

LEFT_OUT = ("exact", "vote", "auto", "baselines")
"""The packages whose solvers are no heuristics to compare with: swarmkit_NAME."""

SHORT = 1.0
"""CPU seconds of the runs by which the heuristics of an instance are ranked."""

MEDIAN, MEAN, CHOOSING = 0.01, 0.05, 0.05
"""The bars."""


def heuristics() -> list[str]:
    """Return the names of the single heuristics."""
    packages = {f"swarmkit_{name}" for name in LEFT_OUT}
    found = swarmkit.registered("solver").items()
    return [name for name, kind in found if kind.__module__.partition(".")[0] not in packages]


class Plan(NamedTuple):
    """Which runs are made."""

    solvers: Sequence[str]
    seeds: int
    budget: float
    """CPU seconds of a run."""
    nearest: int | None = None
    """The number of heuristics that go on after the first seed; None for all."""

    def rivals(self, instance: str, store: RunStore, seed: int) -> Sequence[str]:
        """Return the solvers that are run with a seed: all, or those nearest to the best on the first one."""
        ranked_at = min(self.budget, SHORT)
        if self.nearest is None or (seed == 0 and self.budget == ranked_at):
            return self.solvers
        first = {name: own.get(0, -math.inf) for name, own in store.scores(ranked_at).get(instance, {}).items()}
        ranked = sorted(set(self.solvers) & set(first) - {AUTO, REFERENCE}, key=lambda name: -first[name])
        return [name for name in self.solvers if name in (*ranked[: self.nearest], AUTO, REFERENCE)]


def measure(chosen: Sequence[Instance], plan: Plan, store: RunStore) -> None:
    """Make the runs that the store has not, seed by seed, and print each."""
    for seed in range(plan.seeds):
        for one in chosen:
            todo = [s for s in plan.rivals(one.name, store, seed) if not store.has(one.name, s, seed, plan.budget)]
            problem = one.make() if todo else None
            for name in todo:
                assert problem is not None
                solver = swarmkit.make_solver(name)
                if solver.refuses(problem_view(problem)) is not None:
                    continue
                outcome = run(problem, solver, seed, plan.budget)
                store.add(one.family, (one.name, name, seed, plan.budget), outcome)
                print(f"{one.family:>10} {one.name:<36} {name:>12} seed {seed}: {outcome}", flush=True)


def choosing_seconds(chosen: Sequence[Instance]) -> dict[str, float]:
    """Return the CPU seconds of choosing on each instance, the query of its structure included."""
    found = {}
    for one in chosen:
        problem, solver = problem_view(one.make()), swarmkit.make_solver(AUTO)
        begun = time.process_time()
        solver.refuses(problem)
        found[one.name] = time.process_time() - begun
    return found


def report(chosen: Sequence[Instance], budget: float, store: RunStore) -> bool:
    """Print the regrets by instance and by family, and return whether all bars are reached."""
    scores = store.scores(budget)
    families: dict[str, list[dict[str, float]]] = defaultdict(list)
    for one in chosen:
        own = regrets(scores.get(one.name, {}))
        if own:
            best = best_single(scores[one.name])
            families[one.family].append(own)
            name, runs = "" if best is None else best.solver, len(scores[one.name][AUTO])
            print(f"{one.family:>10} {one.name:<36} {own[AUTO]:8.2%}  best {name:<12} {runs} seeds")
    good = bool(families)
    for family, rows in families.items():
        mine = [row[AUTO] for row in rows]
        median, mean = statistics.median(mine), statistics.fmean(mine)
        good &= median <= MEDIAN and mean <= MEAN
        print(f"{family}: {len(mine)} instances, median regret {median:.2%} (bar 1 %), mean {mean:.2%} (bar 5 %)")
    names = {name for rows in families.values() for row in rows for name in row}
    means = {
        name: statistics.fmean(statistics.fmean(row.get(name, 1.0) for row in rows) for rows in families.values())
        for name in names
    }
    for name, mean in sorted(means.items(), key=lambda item: item[1]):
        print(f"mean regret over families, {name}: {mean:.2%}")
    return good and min(means, key=lambda name: means[name]) == AUTO


def main() -> int:
    """Measure, report, and return whether all bars are reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, required=True, help="the file of runs, which is continued")
    parser.add_argument("--data", type=Path, help="the folder with files of others")
    parser.add_argument("--draw", type=int, default=0, help="another number draws other instances")
    parser.add_argument("--long", action="store_true", help="24 instances for 10 s")
    parser.add_argument("--seconds", type=float, help="CPU seconds of a run (default 1, with --long 10)")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--families", nargs="+", help="only these families")
    parser.add_argument("--instances", nargs="+", help="only instances whose name contains one of these")
    parser.add_argument("--solvers", nargs="+", help="only these solvers (default: all heuristics, auto and random)")
    parser.add_argument("--nearest", type=int, help="heuristics that go on after the first seed (default: all)")
    parser.add_argument("--again", nargs="+", default=[], help="forget the runs of these solvers first")
    parser.add_argument("--report", action="store_true", help="make no runs")
    given = parser.parse_args()
    budget = given.seconds or (10.0 if given.long else 1.0)
    chosen = [
        one
        for one in instances(given.data, given.draw)
        if (not given.long or one.long)
        and (not given.families or one.family in given.families)
        and (not given.instances or any(word in one.name for word in given.instances))
    ]
    store = RunStore(given.store)
    for name in given.again:
        store.forget(name)
    if not given.report:
        solvers = given.solvers or [*heuristics(), AUTO, REFERENCE]
        measure(chosen, Plan(solvers, given.seeds, budget, given.nearest), store)
    good = report(chosen, budget, store)
    choosing = choosing_seconds(chosen)
    slowest = max(choosing, key=lambda name: choosing[name])
    median = statistics.median(choosing.values())
    print(f"choosing: median {1e3 * median:.1f} ms, at most {1e3 * choosing[slowest]:.1f} ms ({slowest}; bar 50 ms)")
    return 0 if good and choosing[slowest] < CHOOSING else 1


if __name__ == "__main__":
    sys.exit(main())
