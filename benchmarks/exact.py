"""Against exact answers, on word sense disambiguation: what share of the optimum, and how fast.

    python benchmarks/exact.py --data DIR        (needs the extra 'exact')

D-Bees on the chains of all sentences, the paper's setting: its share of the Viterbi optimum, mean over seeds. Then
`annealing` and `ils` on whole documents, all pairs of words in a window: their distance from toulbar2's optimum after a
budget of process CPU time a text. Kernels are compiled before any clock runs.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

import swarmkit

SETTINGS: list[dict[str, object]] = [
    {"preset": "paper", "window": 5},
    {"preset": "fast"},
]
"""The paper's measure among near words, and sense counts with glosses."""

CORPUS = "semeval2007-coarse/eng-coarse-all-words.xml"


def bees(corpus: str, seeds: int) -> None:
    """Print D-Bees' share of the optimum on sentences, for each way to walk and the literal reading."""
    problem = swarmkit.make_problem("wsd", preset="paper", corpus=corpus)
    optimum = swarmkit.solve(problem, "viterbi").score or 0.0
    print(f"chains of {len(problem.parts)} sentences: optimum {optimum:.3f} (viterbi)")
    for reading in ({}, {"walk": "wrap"}, {"literal": True}):
        params: dict[str, object] = {"preset": "paper", **reading}
        results = [swarmkit.solve(problem, "dbees", seed=seed, params=params) for seed in range(seeds)]
        shares = [(result.score or 0.0) / optimum for result in results]
        seconds = statistics.median(result.seconds for result in results)
        print(f"  dbees {reading or ''}: {statistics.mean(shares):.1%} of it, {seconds:.2f} s for all sentences")


def within(problem: swarmkit.Problem, solver: str, seed: int, seconds: float) -> float:
    """Run a solver for some CPU time and return its best score."""
    score = swarmkit.solve(problem, solver, seed=seed, cpu_seconds=seconds).score
    return float("-inf") if score is None else score


def documents(corpus: str, seeds: int, seconds: float, setting: dict[str, object]) -> bool:
    """Print how far `annealing` and `ils` are from toulbar2's optimum on each document."""
    texts = [text.id for text in swarmkit.make_problem("wsd", preset="paper", corpus=corpus).corpus.texts]  # type: ignore[attr-defined]  # it is wsd
    good = True
    print(f"\ndocuments, {setting}, {seconds:g} CPU s a text, median of {seeds} seeds")
    for text in texts:
        options = {"corpus": corpus, "text_id": text, "unit": "document", "shape": "pairwise"} | setting
        whole = swarmkit.make_problem("wsd", **options)
        problem = whole.parts[0].problem
        proved = swarmkit.solve(problem, "toulbar2", params={"seconds": 60})
        bound, optimal = proved.bound, proved.bound is not None and proved.bound == proved.score
        line = f"  {text}: nothing proved in {proved.seconds:.1f} s;"
        if bound is not None:
            line = f"  {text}: {'optimum' if optimal else 'bound'} {bound:.4f} in {proved.seconds:.1f} s;"
        for solver in ("annealing", "ils"):
            score = statistics.median(within(problem, solver, seed, seconds) for seed in range(seeds))
            good &= not optimal or score >= 0.999 * bound
            line += f"  {solver} {score:.4f}" if bound is None else f"  {solver} {1 - score / bound:.4%} below"
        print(line, flush=True)
    return good


def main() -> int:
    """Measure both; the exit code says whether documents come within 0.1% of a proved optimum."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    given = parser.parse_args()
    corpus = str(given.data / CORPUS)
    bees(corpus, given.seeds)
    good = [documents(corpus, given.seeds, given.seconds, setting) for setting in SETTINGS]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
