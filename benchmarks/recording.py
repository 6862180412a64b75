"""Recording a run: the same result with and without, and what it costs at 20 frames a second of run time.

For every case and seed a run is made without and with a recorder, alternately. The recorder takes a frame every so many
looks as the run without it makes in a twentieth of a second. The cost is the median, over the seeds of a case, of the
recorded run's CPU time over the other's.

    python benchmarks/recording.py            # 50 runs
"""

from __future__ import annotations

import argparse
import time
from statistics import median
from typing import Any, NamedTuple

import swarmkit
from swarmkit import Recorder, Result

FRAMES_PER_SECOND = 20
BAR = 1.10


class Case(NamedTuple):
    """A problem, a solver and a budget that takes about half a second."""

    problem: str
    options: dict[str, Any]
    solver: str
    looks: int
    params: dict[str, Any] = {}  # noqa: RUF012  (never changed)


CASES = (
    Case("synthetic", {"n": 300, "seed": 1}, "dbees", 4_000_000, {"iterations": 100_000}),
    Case("synthetic", {"n": 300, "seed": 1}, "bco", 10_000_000, {"iterations": 100_000}),
    Case("tsp", {"n": 100}, "tsp-aco", 10_000_000),
    Case("tsp", {"n": 200}, "annealing", 10_000_000),
    Case("synthetic", {"n": 300, "seed": 1}, "annealing", 20_000_000),
    Case("flowshop", {}, "ga", 1_000_000),
    Case("synthetic", {"n": 300, "seed": 1}, "ga", 10_000_000),
    Case("qap", {"n": 30}, "robust-tabu", 20_000_000),
    Case("synthetic", {"n": 300, "seed": 1}, "icm", 10_000_000),
    Case("maxcut", {}, "annealing", 20_000_000),
)


def timed(case: Case, problem: Any, seed: int, recorder: Recorder | None) -> tuple[Result, float]:
    """Return the result of a run and its CPU seconds."""
    solver = swarmkit.make_solver(case.solver, **case.params)
    begun = time.process_time()
    observers = [] if recorder is None else [recorder]
    result = swarmkit.solve(problem, solver, seed=seed, looks=case.looks, observers=observers)
    return result, time.process_time() - begun


def main() -> None:
    """Measure all cases and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    seeds = parser.parse_args().seeds
    same = total = 0
    print("case                              same   frames/s   cost")
    for case in CASES:
        problem = swarmkit.make_problem(case.problem, **case.options)
        timed(case, problem, 0, None)  # compile and load
        ratios, rates, alike = [], [], 0
        for seed in range(seeds):
            plain, seconds = timed(case, problem, seed, None)
            recorder = Recorder(every=max(1, int(plain.looks / seconds / FRAMES_PER_SECOND)))
            recorded, longer = timed(case, problem, seed, recorder)
            assert recorder.recording is not None
            total += 1
            alike += not recorded.differences(plain)
            ratios.append(longer / seconds)
            rates.append(len(recorder.recording.frames) / seconds)
        same += alike
        name = f"{case.problem} by {case.solver}"
        print(f"{name:32} {alike:2}/{seeds:2}   {median(rates):8.1f}   {median(ratios):.3f}", flush=True)
    print(f"{same} of {total} recorded runs are the same run; bar on the cost: {BAR}")


if __name__ == "__main__":
    main()
