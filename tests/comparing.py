"""Records of small real runs, for the tests of statistics and reports."""

from functools import cache

import numpy as np

import swarmkit
from swarmkit.comparison.record import Record
from swarmkit.contract.progress import Trace
from swarmkit.statistics import Scores

METHODS = ("icm", "random", "greedy", "viterbi")


@cache
def compared(instances=4, repetitions=6, methods=METHODS):
    """Run methods on small chains, whose optimum viterbi proves, for a few looks each."""
    problems = {
        f"synthetic n={n}": swarmkit.make_problem("synthetic", n=n, window=1) for n in range(20, 20 + instances)
    }
    return tuple(
        Record(f"{name}/{method}/{k}", name, method, k, swarmkit.solve(problem, method, seed=k, looks=2_000))
        for name, problem in problems.items()
        for method in methods
        for k in range(repetitions)
    )


def scored(record, score, **other):
    """Return a record with another score."""
    return Record(
        record.key,
        other.pop("instance", record.instance),
        other.pop("method", record.method),
        record.repetition,
        record.result.model_copy(update={"score": score, **other}),
    )


def score_table(table):
    """Make scores from {instance: {method: scores}}."""
    methods = tuple(dict.fromkeys(method for row in table.values() for method in row))
    scores = {(i, m): np.array(s, dtype=float) for i, row in table.items() for m, s in row.items()}
    return Scores(tuple(table), methods, scores)


def blocks(rows, methods="abcdefgh"):
    """Make scores of one run per instance (row) and method (column)."""
    return score_table({f"i{n}": {m: [x] for m, x in zip(methods, row, strict=False)} for n, row in enumerate(rows)})


def traced(record, points, end, **other):
    """Return a record with a trace of the given (looks, score) points."""
    looks, score = zip(*points, strict=True) if points else ((), ())
    trace = Trace(list(looks), [1] * len(looks), [x / 10 for x in looks], list(score))
    return scored(record, score[-1] if score else None, trace=trace, looks=end, seconds=end / 10, bound=None, **other)


def two_runs():
    """Two runs of one method: one gets to 10 after 40 looks, the other stays at 6 for 100."""
    first, second = compared(1, 2, ("icm",))
    return [traced(first, [(10, 0.0), (40, 10.0)], 50), traced(second, [(20, 6.0)], 100)]
