"""What each extension of D-Bees brings: score, F1 and looks, from the paper's values to the default.

    python benchmarks/dbees_quality.py --data DIR        (DIR holds senseval2)
    python benchmarks/dbees_quality.py                   (only other problems)

Word senses: Senseval-2, whole documents, the settings of `fast` and of `best`, and two that are harder to optimise
because nothing is said about single senses. Scores are shares of the best known, of which `ils` and `annealing` find
most in `--best-looks` looks a text. Other problems: the paper's values, the default, and `ils`
with its default budget, as distances from the best of all. Medians over the seeds; D-Bees always ends by itself.
"""

from __future__ import annotations

import argparse
import statistics
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
    "large neighbourhood search, segments of up to 100 stages": {"segment": 100},
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


def measure(
    problem: swarmkit.Problem, solver: str, params: dict[str, Any], seeds: int, looks: int | None = None
) -> Measured:
    """Run a solver and return medians of score, F1 in percent (0 without a key) and looks."""
    runs = []
    for seed in range(seeds):
        result = swarmkit.solve(problem, solver, seed=seed, params=params, looks=looks)
        score = -np.inf if result.score is None else result.score
        runs.append(Measured(score, 100 * result.metrics.get("f1", 0.0), result.looks))
    return Measured(*(statistics.median(column) for column in zip(*runs, strict=True)))


def methods() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of the ablation: a name and the parameters of D-Bees."""
    params: dict[str, Any] = {"preset": "paper"}
    for number, (name, change) in enumerate(STEPS.items()):
        params = params | change
        yield ("+ " if number else "") + name, params
    yield from ASIDE.items()


def word_senses(data: Path, options: dict[str, Any], seeds: int, best_looks: int) -> dict[str, Measured]:
    """Return the rows of the ablation on one setting of the problem, with scores as percentages of the best known."""
    corpus, key = data / "senseval2/senseval2.data.xml", data / "senseval2/senseval2.gold.key.txt"
    problem = swarmkit.make_problem("wsd", corpus=str(corpus), key=str(key), **options)
    all_looks = best_looks * len(problem.parts)
    known = [measure(problem, solver, {}, 1, all_looks) for solver in ("ils", "annealing")]
    rows = {name: measure(problem, "dbees", params, seeds, ENDLESS) for name, params in methods()}
    looks = int(rows[DEFAULT].looks)
    rows["`ils` with the looks of the default"] = measure(problem, "ils", {}, seeds, looks)
    rows[f"`ils` with {all_looks:.0e} looks".replace("e+0", "e")] = known[0]
    best = max(row.score for row in (*known, *rows.values()))
    return {name: row._replace(score=100 * row.score / best) for name, row in rows.items()}


def ablation(data: Path, seeds: int, best_looks: int) -> list[str]:
    """Return the lines of the table of word senses; everything in it depends on the seeds alone."""
    columns = {setting: word_senses(data, options, seeds, best_looks) for setting, options in SETTINGS.items()}
    fast, best, *others = columns.values()
    head = ["", "`fast`: score", "F1", "looks", "`best`: score", "F1", *list(columns)[2:]]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for name, row in fast.items():
        cells = [name, f"{row.score:.3f} %", f"{row.f1:.2f}", f"{row.looks:,.0f}"]
        cells += [
            f"{best[name].score:.3f} %",
            f"{best[name].f1:.2f}",
            *(f"{each[name].score:.3f} %" for each in others),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


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
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--best-looks", type=int, default=3_000_000)
    given = parser.parse_args()
    if given.data is not None:
        print("\n".join(ablation(given.data, given.seeds, given.best_looks)), flush=True)
    other_problems(given.seeds)


if __name__ == "__main__":
    main()
