"""What `--eval-jobs` brings on an expensive score: the same runs with 1 process and with several.

    python benchmarks/eval_jobs.py                 # a score of 10 ms that waits, as for a simulator
    python benchmarks/eval_jobs.py --busy          # one that computes: needs as many idle cores

Prints the seconds of the search, the speed-up for each solver, and whether the results are the same. The promise: at
least 1.7 with two processes for ga and random.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import swarmkit
from swarmkit import Floats, Solutions

STAGES, CANDIDATES = 40, 6
BAR = 1.7


class Simulated(swarmkit.Problem):
    """Costs of assignments that a simulator computes, one after another."""

    direction = "minimise"
    sizes = (CANDIDATES,) * STAGES

    def __init__(self, milliseconds: float, busy: bool) -> None:
        self.seconds, self.busy = milliseconds / 1000, busy
        self.table = np.random.default_rng(0).random((STAGES, CANDIDATES))

    def score(self, X: Solutions) -> Floats:
        """Return the cost of each row, after the time that its simulation takes."""
        for _ in X:
            if self.busy:
                end = time.process_time() + self.seconds
                while time.process_time() < end:
                    pass
            else:
                time.sleep(self.seconds)
        return np.asarray(self.table[np.arange(STAGES), X].sum(axis=1))


def main() -> int:
    """Measure every solver with one process and with several, in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solvers", nargs="+", default=["ga", "random"])
    parser.add_argument("--evaluations", type=int, default=400)
    parser.add_argument("--milliseconds", type=float, default=10.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--busy", action="store_true")
    given = parser.parse_args()
    problem, good = Simulated(given.milliseconds, given.busy), True
    print(f"{'solver':12} {'1 process':>10} {f'{given.jobs} processes':>12} {'speed-up':>9}  results")
    for solver in given.solvers:
        one, several = (
            swarmkit.solve(problem, solver, evaluations=given.evaluations, eval_jobs=jobs) for jobs in (1, given.jobs)
        )
        ratio, same = one.seconds / several.seconds, not one.differences(several)
        print(
            f"{solver:12} {one.seconds:9.2f}s {several.seconds:11.2f}s {ratio:9.2f}  {'same' if same else 'different'}"
        )
        good &= same and (ratio >= BAR or solver not in ("ga", "random") or given.jobs != 2)
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
