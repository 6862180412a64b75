"""Tests of two systems word by word: McNemar's test with Holm's correction, and the paired bootstrap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pydantic import BaseModel, ConfigDict

from swarmkit import Floats
from swarmkit.statistics import Paired, Test, holm, mcnemar, paired_bootstrap


class Comparison(BaseModel):
    """A system against another, word by word; differences are the first minus the second."""

    model_config = ConfigDict(frozen=True)

    mcnemar: Test
    """Of the runs with the median number of right words."""
    adjusted: float | None
    """The p-value of McNemar's test after Holm's correction for all comparisons."""
    bootstrap: Paired
    """Of the share of runs in which each word is right."""


def compare_runs(pairs: Sequence[tuple[Floats, Floats]]) -> list[Comparison]:
    """Return the comparisons of pairs of systems.

    Args:
        pairs: for each of the two systems a row for each run, with the credit of each word.

    Raises:
        MissingError: the package for the tests is missing.
    """
    tests = [mcnemar(median_run(a), median_run(b)) for a, b in pairs]
    adjusted = holm([test.p for test in tests])
    # Every bootstrap draws the same samples: a comparison does not depend on the others.
    return [
        Comparison(
            mcnemar=test,
            adjusted=p,
            bootstrap=paired_bootstrap(a.mean(axis=0), b.mean(axis=0), np.random.default_rng(0)),
        )
        for (a, b), test, p in zip(pairs, tests, adjusted, strict=True)
    ]


def median_run(runs: Floats) -> Floats:
    """Return the run with the median number of right words.

    >>> median_run(np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 1.0]])).tolist()
    [0.0, 1.0]
    """
    order = np.argsort(runs.sum(axis=1), kind="stable")
    return np.asarray(runs[order[(len(order) - 1) // 2]])
