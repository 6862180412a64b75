"""D-Bees at the paper's full setting (10 iterations) against plain Python with the similarities already tabled.

    python benchmarks/dbees.py --data DIR

The chain of the 677 target words of d004, the longest text of SemEval-2007 task 7, in the order of the text; without
`--data` one that is shaped like it. Prints medians of process CPU time and the ratio of the two, which the project
promises to be at least 50. Both do all ten iterations, from the same hives. Plain Python is `plain_bees.py`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import numpy as np
from plain_bees import PythonRandom, Reference, tables_of

import swarmkit
from swarmkit_bees.dbees import DBees

LIMIT = 50


def text_like(n: int, seed: int) -> swarmkit.PairwiseProblem:
    """Make a chain shaped like a text: most words have few senses, some have many; most pairs are hardly related."""
    rng = np.random.Generator(np.random.PCG64(seed))
    sizes = np.minimum(1 + rng.geometric(0.25, n) - (rng.random(n) < 0.3), 30)
    edges = [(i, i + 1, rng.beta(0.6, 3.0, (int(sizes[i]), int(sizes[i + 1])))) for i in range(n - 1)]
    return swarmkit.PairwiseProblem(swarmkit.Pairwise.of(sizes, edges))


def chain(data: Path | None) -> swarmkit.Problem:
    """Return the chain to run on."""
    if data is None:
        return text_like(677, seed=4)
    corpus = str(data / "semeval2007-coarse/eng-coarse-all-words.xml")
    options = {"preset": "paper", "corpus": corpus, "text_id": "d004", "unit": "document", "order": "text"}
    return swarmkit.make_problem("wsd", **options).parts[0].problem


def main() -> int:
    """Measure both in turn, so that a noisy moment hits both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--data", type=Path, help="the folder that holds semeval2007-coarse")
    given = parser.parse_args()
    problem = chain(given.data)
    print(f"a chain of {len(problem.sizes)} words with {sum(problem.sizes)} senses")
    tables = tables_of(problem.pairwise())
    solver = DBees(preset="paper")
    solver.prepare(problem)

    def fast(seed: int, hive: int) -> float:
        rng = np.random.default_rng(seed)
        state, best, done = solver.begin(problem, hive, rng), float("-inf"), False
        while not done:
            found = solver.steps(problem, state, rng, 10)
            best, done = max(best, found.score or best), found.done
        return best

    def plain(seed: int, hive: int) -> float:
        return Reference(tables, solver.plan(problem, hive), PythonRandom(seed)).search(10).quality

    methods = {"plain Python": plain, "swarmkit": fast}
    fast(0, solver.start(problem, np.random.default_rng(0)).hive)  # what is derived from the tables is kept with them
    times: dict[str, list[float]] = {name: [] for name in methods}
    scores: dict[str, list[float]] = {name: [] for name in methods}
    for seed in range(given.repeats):
        hive = solver.start(problem, np.random.default_rng(seed)).hive
        for name, method in methods.items():
            begun = time.process_time()
            scores[name].append(method(seed, hive))
            times[name].append(time.process_time() - begun)
    medians = {name: statistics.median(seen) for name, seen in times.items()}
    for name, seconds in medians.items():
        print(f"{name:14} {seconds * 1e3:10.2f} ms   mean score {statistics.mean(scores[name]):.3f}")
    ratio = medians["plain Python"] / medians["swarmkit"]
    print(f"ratio {ratio:.1f} (at least {LIMIT})")
    return 0 if ratio >= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
