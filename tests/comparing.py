"""Records of small real runs, for the tests of statistics and reports."""

from functools import cache

import numpy as np

import swarmkit
from swarmkit.comparison.record import Record
from swarmkit.statistics import Outcomes

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
    """Give a record another score."""
    return Record(
        record.key,
        other.pop("instance", record.instance),
        other.pop("method", record.method),
        record.repetition,
        record.result.model_copy(update={"score": score, **other}),
    )


def outcomes(table):
    """Make outcomes from {instance: {method: scores}}."""
    methods = tuple(dict.fromkeys(method for row in table.values() for method in row))
    scores = {(i, m): np.array(s, dtype=float) for i, row in table.items() for m, s in row.items()}
    return Outcomes(tuple(table), methods, scores)


def blocks(rows, methods="abcdefgh"):
    """Make outcomes of one run per instance (row) and method (column)."""
    return outcomes({f"i{n}": {m: [x] for m, x in zip(methods, row, strict=False)} for n, row in enumerate(rows)})
