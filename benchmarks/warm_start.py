"""How much a warm start saves: from the answer to an instance, after 5 % of its numbers were drawn again.

    python benchmarks/warm_start.py                    20 instances of each problem: about 20 minutes on one core
    python benchmarks/warm_start.py --instances 5 --only ils annealing
    python benchmarks/warm_start.py --scales 0.4 1 2   instances with 0.4 times and twice as many stages, too

An instance is solved (by `annealing`, tours by `ils`, with 20 times the looks of the runs below); then 5 % of its
numbers are drawn again. A solver runs on the new instance twice with the same seed and the same looks: cold, and from
the answer to the old instance. The figure is the share of the cold run's looks that the warm one needs to reach the
cold run's final score (1 if it never does); the median over the instances should be at most a third. The second figure
counts the cold run's looks only up to its last improvement. Ends with 1 if a median is above a third.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import swarmkit
from swarmkit import Pairwise, PairwiseProblem, Problem

LIMIT = 1 / 3
"""The most of a cold run's looks that a warm one may need."""

REDRAWN = 0.05
"""The share of an instance's numbers that is drawn again."""


def redraw(numbers: Any, fresh: Any, rng: np.random.Generator) -> Any:
    """Return numbers of which some are replaced by those of another draw."""
    return np.where(rng.random(np.shape(numbers)) < REDRAWN, fresh, numbers)


def tables(rng: np.random.Generator, scale: float) -> tuple[Problem, Problem]:
    """Return 500 stages of 5 candidates with random tables between 1,500 pairs, before and after."""
    n, m, edges = int(500 * scale), 5, int(1500 * scale)
    pairs = [rng.choice(n, 2, replace=False) for _ in range(edges)]
    values, other = rng.normal(size=(2, edges, m, m))
    unary, changed = rng.normal(size=(2, n * m))

    def problem(values: Any, unary: Any) -> Problem:
        joined = [(int(i), int(j), table) for (i, j), table in zip(pairs, values, strict=True)]
        return PairwiseProblem(Pairwise.of([m] * n, joined, unary))

    return problem(values, unary), problem(redraw(values, other, rng), redraw(unary, changed, rng))


def spins(rng: np.random.Generator, scale: float) -> tuple[Problem, Problem]:
    """Return a binary problem: 400 stages with couplings between 1,600 pairs, before and after."""
    n, edges = int(400 * scale), int(1600 * scale)
    pairs = [rng.choice(n, 2, replace=False) for _ in range(edges)]
    couplings, other = rng.normal(size=(2, edges))
    agree = np.eye(2)

    def problem(couplings: Any) -> Problem:
        joined = [(int(i), int(j), agree, w) for (i, j), w in zip(pairs, couplings.tolist(), strict=True)]
        return PairwiseProblem(Pairwise.of([2] * n, joined))

    return problem(couplings), problem(redraw(couplings, other, rng))


def cities(rng: np.random.Generator, scale: float) -> tuple[Problem, Problem]:
    """Return 150 cities in a square, before and after some have moved."""
    n = int(150 * scale)
    points, other = rng.random((2, n, 2))
    moved = np.where(rng.random((n, 1)) < REDRAWN, other, points)

    def problem(points: Any) -> Problem:
        cost = -np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
        ring = [(i, (i + 1) % n, cost) for i in range(n)]
        return PairwiseProblem(Pairwise.of([n] * n, ring, distinct=True))

    return problem(points), problem(moved)


Draw = Callable[[np.random.Generator, float], tuple[Problem, Problem]]
PLAN: dict[str, tuple[Draw, int]] = {
    "sa": (tables, 1_000_000),
    "annealing": (tables, 1_000_000),
    "ga": (tables, 1_000_000),
    "ils": (tables, 1_000_000),
    "tabu": (spins, 1_000_000),
    "tsp-aco": (cities, 1_000_000),
    "bco": (tables, 1_000_000),
}
"""The instances of each solver and the looks of its runs."""


def looks_to(result: Any, score: float) -> int | None:
    """Return the looks after which a run had reached a score; None if it never did."""
    near = 1e-9 * max(1.0, abs(score))
    points = zip(result.trace.looks, result.trace.score, strict=True)
    return next((looks for looks, reached in points if reached >= score - near), None)


def one(name: str, seed: int, scale: float, known: dict[Any, Any]) -> dict[str, float]:
    """Return the two shares for one instance; `known` holds the answers to instances of before."""
    draw, looks = PLAN[name]
    before, after = draw(np.random.default_rng(seed), scale)
    if (draw, scale, seed) not in known:
        method = "ils" if draw is cities else "annealing"
        known[draw, scale, seed] = swarmkit.solve(before, method, seed=seed, looks=20 * looks).solution
    cold = swarmkit.solve(after, name, seed=seed, looks=looks)
    warm = swarmkit.solve(after, name, seed=seed, looks=looks, start=[known[draw, scale, seed]])
    took = looks_to(warm, cold.score)
    last = looks_to(cold, cold.score) or looks
    return {"share": 1.0 if took is None else took / cold.looks, "to_last": 1.0 if took is None else took / last}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=20)
    parser.add_argument("--scales", type=float, nargs="+", default=[1.0], help="multiples of the numbers of stages")
    parser.add_argument("--only", nargs="*", default=list(PLAN), choices=list(PLAN))
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    given = parser.parse_args()
    rows, known = {}, dict[Any, Any]()
    for name, scale in ((name, scale) for scale in given.scales for name in given.only):
        shares = [one(name, seed, scale, known) for seed in range(given.instances)]
        row = {key: float(np.median([share[key] for share in shares])) for key in ("share", "to_last")}
        rows[f"{name} x{scale:g}"] = row
        print(f"{name:10} x{scale:<4g} {row['share']:.3f} {row['to_last']:.3f}", file=sys.stderr, flush=True)
    if given.json:
        print(json.dumps({"limit": LIMIT, "instances": given.instances, "shares": rows}, indent=1))
    return 0 if all(row["share"] <= LIMIT for row in rows.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
