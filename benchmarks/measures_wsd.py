"""What each measure of relatedness brings on a corpus, and what it costs.

    python benchmarks/measures_wsd.py --corpus senseval2.data.xml --key senseval2.gold.key.txt

Every row is the preset `fast` (sense counts, all pairs of words up to 40 apart) with another measure, solved by
ICM. `words` is the number of words that the row answers right and gloss-cosine does not, and the reverse, with the p of
McNemar's test. `nats` is the mean of -ln(posterior of the right sense) over words with several senses, smaller is
better, with the standard error of its difference to gloss-cosine's; the posterior is the softmax of what each sense
gains beside the chosen senses of the other words, at the best temperature of each row. It says more than F1, which
changes only when an answer does. `CPU s` is the time of tables and search, the second of two runs, so that arrays and
kernels are in the caches.
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit import make_problem
from swarmkit.statistics import mcnemar
from swarmkit_text.corpora.scoring import credit
from swarmkit_wsd import WordSenses

RELATIONS_ONLY = {"gloss_links": False}
ROWS: dict[str, dict[str, Any]] = {
    "gloss-cosine": {},
    "ppr, relations": {"measure": "ppr", "measure_params": RELATIONS_ONLY, "prior_weight": 1 / 45},
    "ppr": {"measure": "ppr", "prior_weight": 1 / 45},
    "weighted-mean, relations": {
        "measure": "weighted-mean",
        "measure_params": {"params": {"ppr": RELATIONS_ONLY}},
        "prior_weight": 1 / 105,
    },
    "weighted-mean": {"measure": "weighted-mean", "prior_weight": 1 / 105},
}
"""Counts have weight 1 beside 100 · gloss-cosine, 45 · ppr, 60 · gloss-cosine + 45 · ppr."""

Floats = NDArray[np.float64]


def solved(options: dict[str, Any]) -> tuple[WordSenses, NDArray[np.int64], float]:
    """Build the problem and solve it, twice; return the problem, the solution and the CPU seconds of the second."""
    for _ in range(2):
        begun = time.process_time()
        problem = make_problem("wsd", **options)
        assert isinstance(problem, WordSenses)
        x = problem.default_solution()
        seconds = time.process_time() - begun
    return problem, x, seconds


def nats(problem: WordSenses, x: NDArray[np.int64]) -> Floats:
    """Return -ln(posterior of the right senses) of each word with several senses, at the best of 60 temperatures."""
    assert problem.gold is not None
    degrees = np.maximum(1, np.diff(problem.form.half_edges.indptr))
    cases = []
    for stage, (begin, end) in enumerate(pairwise(problem.form.offsets)):
        keys = problem.gold[str(problem.targets[stage].token.id)].keys
        right = np.array([credit(keys, [problem.lexicon.key(int(one))]) for one in problem.senses[begin:end]]) > 0
        if end - begin > 1 and right.any():
            cases.append((problem.form.marginals(x[None], stage)[0] / degrees[stage], right))
    found = np.array([[surprise(*case, heat) for case in cases] for heat in np.geomspace(0.002, 0.2, 60)])
    return np.asarray(found[found.mean(axis=1).argmin()])


def surprise(values: Floats, right: NDArray[np.bool_], temperature: float) -> float:
    """Return -ln(posterior of the right senses) of one word."""
    weights = np.exp((values - values.max()) / temperature)
    return float(-np.log(max(weights[right].sum() / weights.sum(), 1e-300)))


def rights(problem: WordSenses, x: NDArray[np.int64]) -> Floats:
    """Return 1 for every word that was answered right, 0 for all others."""
    return np.array([given or 0.0 for text in problem.credits(x).values() for given in text.values()])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--key", type=Path, required=True)
    given = parser.parse_args()
    print(f"{'measure':26} {'F1, %':>7} {'words':>8} {'p':>6} {'nats':>16} {'CPU s':>6}")
    before: tuple[Floats, Floats] | None = None
    for name, options in ROWS.items():
        problem, x, seconds = solved({"preset": "fast", "corpus": str(given.corpus), "key": str(given.key)} | options)
        now = rights(problem, x), nats(problem, x)
        before = before or now
        print(f"{name:26} {100 * problem.metrics(x)['f1']:7.2f} {compared(now, before)} {seconds:6.2f}", flush=True)


def compared(now: tuple[Floats, Floats], before: tuple[Floats, Floats]) -> str:
    """Return the columns of a row that compare it with the first."""
    (right, surprises), (was_right, were) = now, before
    p = mcnemar(right, was_right).p
    words = f"+{int((right > was_right).sum())} -{int((right < was_right).sum())}"
    error = np.std(surprises - were, ddof=1) / np.sqrt(len(were))
    return f"{words:>8} {'' if p is None else f'{p:.2f}':>6} {surprises.mean():7.4f} ± {error:.4f}"


if __name__ == "__main__":
    main()
