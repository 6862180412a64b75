"""What each extension of D-Bees brings: score, F1, looks and CPU time, from the paper's values to the default.

    python benchmarks/dbees_quality.py --data DIR        (DIR holds senseval2)
    python benchmarks/dbees_quality.py                   (only other problems)

Word senses: Senseval-2, whole documents, the setting of `fast`, that of `best` if this installation has its model, and
two that are harder to optimise because nothing is said about single senses. Scores are shares of the best known, that
of `ils` and `annealing` after `--best-looks` looks a text. Other problems: the paper's values, the default, and `ils`
with its default budget, as distances from the best of all. Medians over the seeds; D-Bees always ends by itself.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import swarmkit

ENDLESS = 10**12
"""Looks that no run of D-Bees takes."""

STEPS: dict[str, dict[str, Any]] = {
    "`preset=paper`": {},
    "no θ": {"theta": None},
    "recruiters climb": {"local_search": "local"},
    "segments of up to 100 stages": {"segment": 100},
    "at most 10 bees: the default": {"most_bees": 10},
}
"""The changes from the paper to the default, each added to those before."""

DEFAULT = "+ " + list(STEPS)[-1]

ASIDE: dict[str, dict[str, Any]] = {
    "`preset=paper`, all candidates tried": {"preset": "paper", "theta": None, "tries": None},
    "the default, all candidates tried": {"tries": None},
}

SETTINGS: dict[str, dict[str, Any]] = {
    "fast": {"preset": "fast"},
    "best": {"preset": "best"},
    "gloss cosine alone": {"preset": "fast", "prior": "none"},
    "Lin and Lesk alone": {"preset": "fast", "prior": "none", "measure": "lin-lesk", "repeats": True},
}

OTHERS: dict[str, tuple[str, dict[str, Any]]] = {
    "synthetic, 40 stages, planted": ("synthetic", {"n": 40, "planted": True}),
    "synthetic, 300 stages, window 4": ("synthetic", {"n": 300, "window": 4, "seed": 3}),
    "synthetic, 2,000 stages, window 10": ("synthetic", {"n": 2000, "window": 10, "seed": 3}),
    "tsp, 100 cities": ("tsp", {"n": 100, "seed": 1}),
    "tsp, 200 cities": ("tsp", {"n": 200, "seed": 2}),
    "qap, 20 facilities": ("qap", {"n": 20, "seed": 1}),
    "qap, 40 facilities": ("qap", {"n": 40, "seed": 2}),
    "flow shop, 20 jobs, 5 machines": ("flowshop", {"jobs": 20, "machines": 5}),
}


class Measured(NamedTuple):
    """Medians over the seeds."""

    score: float
    f1: float
    looks: float
    seconds: float


def measure(
    problem: swarmkit.Problem, solver: str, params: dict[str, Any], seeds: int, looks: int | None = None
) -> Measured:
    """Run a solver and return medians of score, F1 in percent (0 without a key), looks and process CPU seconds."""
    runs = []
    for seed in range(seeds):
        begun = time.process_time()
        result = swarmkit.solve(problem, solver, seed=seed, params=params, looks=looks)
        seconds = time.process_time() - begun
        f1 = 100 * result.metrics.get("f1", 0.0)
        runs.append(Measured(result.score or -np.inf, f1, result.looks, seconds))
    return Measured(*(statistics.median(column) for column in zip(*runs, strict=True)))


def methods() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of the ablation: a name and the parameters of D-Bees."""
    params: dict[str, Any] = {"preset": "paper"}
    for number, (name, change) in enumerate(STEPS.items()):
        params = params | change
        yield ("+ " if number else "") + name, params
    yield from ASIDE.items()


def word_senses(data: Path, setting: str, options: dict[str, Any], seeds: int, best_looks: int) -> None:
    """Print the ablation on one setting of the problem."""
    corpus, key = data / "senseval2/senseval2.data.xml", data / "senseval2/senseval2.gold.key.txt"
    problem = swarmkit.make_problem("wsd", corpus=str(corpus), key=str(key), **options)
    swarmkit.solve(problem, "dbees")  # what is compiled and derived is there before the clock runs
    all_looks = best_looks * len(problem.parts)
    known = [measure(problem, solver, {}, 1, all_looks) for solver in ("ils", "annealing")]
    best = max(known).score
    print(f"\n{setting}: {len(problem.sizes):,} words, {sum(problem.sizes):,} senses, best known {best:.2f}\n")
    print("| D-Bees | share of the best known | F1 | looks | CPU s |\n|---|---|---|---|---|")

    def row(name: str, found: Measured) -> None:
        share = f"{100 * found.score / best:.3f} %"
        print(f"| {name} | {share} | {found.f1:.2f} | {found.looks:,.0f} | {found.seconds:.2f} |", flush=True)

    found = {name: measure(problem, "dbees", params, seeds, ENDLESS) for name, params in methods()}
    for name, one in found.items():
        row(name, one)
    looks = int(found[DEFAULT].looks)
    row("`ils` with the looks of the default", measure(problem, "ils", {}, seeds, looks))
    row(f"`ils` with {all_looks:.0e} looks".replace("e+0", "e"), known[0])


def other_problem(name: str, seeds: int) -> str:
    """Return how far from the best of all runs the paper's values, the default and `ils` end on a problem, as a row."""
    kind, options = OTHERS[name]
    problem = swarmkit.make_problem(kind, **options)
    found = [measure(problem, "dbees", {"preset": preset}, seeds, ENDLESS) for preset in ("paper", "best")]
    found.append(measure(problem, "ils", {}, seeds))
    best = max(one.score for one in found)
    gaps = " | ".join(f"{100 * (best - one.score) / abs(best):.2f} %" for one in found)
    return f"| {name} | {gaps} | {found[1].looks:,.0f} |"


def other_problems(seeds: int) -> None:
    """Print the table of the other problems; everything in it depends on the seeds alone."""
    print("\n| problem | `preset=paper` | default | `ils` | looks of the default |\n|---|---|---|---|---|")
    for name in OTHERS:
        print(other_problem(name, seeds), flush=True)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the folder that holds senseval2")
    parser.add_argument("--model", help="the model of 'best', if it is not the bundled one")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--best-looks", type=int, default=30_000_000)
    given = parser.parse_args()
    if given.data is not None:
        from swarmkit_wsd.options import best_preset

        for setting, options in SETTINGS.items():
            if setting == "best" and given.model is not None:
                word_senses(given.data, setting, options | {"model": given.model}, given.seeds, given.best_looks)
            elif setting != "best" or best_preset() == "best":
                word_senses(given.data, setting, options, given.seeds, given.best_looks)
    other_problems(given.seeds)


if __name__ == "__main__":
    main()
