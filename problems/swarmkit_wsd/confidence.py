"""How sure a sense is: the posterior of each word's senses, calibrated on Senseval-2, and sums over clusters of senses.

The posterior of a word is the softmax of its senses' values beside the senses chosen for the other words, divided by a
temperature; with the model, that of each reading of raw text, times the reading's probability. Of words whose chosen
sense has confidence c, a share of about c is answered rightly.
"""

from __future__ import annotations

from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from swarmkit import quoted, read_text, wrong_line
from swarmkit_text.corpora.keys import SENSE_KEY

if TYPE_CHECKING:
    from swarmkit_wsd.problem import WordSenses
    from swarmkit_wsd.units import Target

MODEL_TEMPERATURE = 1.35
"""Of values in the sense model's log-odds."""

COUNTS_TEMPERATURE = 0.014
"""Of values of counts and relatedness, for each related word: mean confidence 61 %, 63 % right."""

Posteriors = list[NDArray[np.float64]]

EXPECTED = "a file of sense clusters, each line the sense keys of one cluster"


def posteriors(problem: WordSenses, x: NDArray[Any]) -> Posteriors:
    """Return the probability of each candidate at each stage, the other stages being as in a solution.

    Those of a word of raw text sum to its certainty: it may be a function word, or a name that WordNet does not have.
    With the model its readings have their own probabilities, and only the senses of one reading share in a softmax.
    A known sense has probability 1.
    """
    rows = _softmaxes(problem, x)
    for stage, candidate in problem.fixed.items():
        rows[stage] = np.eye(len(rows[stage]))[candidate]
    return rows


def _softmaxes(problem: WordSenses, x: NDArray[Any]) -> Posteriors:
    if problem.model is not None:
        return [
            _by_reading(problem.form.marginals(x[None], at)[0], target) for at, target in enumerate(problem.targets)
        ]
    scale = temperatures(problem)
    return [
        target.token.certainty * softmax(problem.form.marginals(x[None], stage)[0] / scale[stage])
        for stage, target in enumerate(problem.targets)
    ]


def temperatures(problem: WordSenses) -> NDArray[np.float64]:
    """Return for each stage the difference of two candidates' values that makes one e times as probable."""
    if problem.model is not None:
        return np.full(len(problem.targets), MODEL_TEMPERATURE)
    # Values grow with the number of related words, whose values are summed.
    return COUNTS_TEMPERATURE * np.maximum(1, np.diff(problem.form.half_edges.indptr))


def _by_reading(values: NDArray[np.float64], target: Target) -> NDArray[np.float64]:
    """Return the probabilities of a word's senses, given their values in the model's log-odds."""
    shares = np.zeros(len(values))
    for number, reading in enumerate(target.readings):
        members = target.reading == number
        if members.any():
            # P(reading) · P(sense | reading); biases are logarithms of probabilities.
            shares[members] = exp(reading.bias) * softmax(values[members] / MODEL_TEMPERATURE)
    return np.asarray(target.token.certainty * shares / shares.sum())


def softmax(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities proportional to the exponentials of values.

    >>> softmax(np.array([0.0, 0.0])).tolist()
    [0.5, 0.5]
    """
    weights = np.exp(values - values.max())  # no overflow; the factor cancels
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


class Clusters:
    """Groups of senses that are close enough to be counted as one."""

    def __init__(self, cluster: dict[str, int]) -> None:
        self._cluster = cluster

    def merge(self, keys: list[str], probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each sense of a word the sum over the senses in its cluster; a sense in none stays alone.

        >>> Clusters({"a%1:03:00::": 0, "a%1:03:01::": 0}).merge(
        ...     ["a%1:03:00::", "a%1:03:01::", "a%1:03:02::"], np.array([0.5, 0.25, 0.25])).tolist()
        [0.75, 0.75, 0.25]
        """
        # A sense in no cluster gets a number of its own, below all numbers of clusters.
        group = np.array([self._cluster.get(key.lower(), -1 - at) for at, key in enumerate(keys)])
        sums: NDArray[np.float64] = (group[:, None] == group) @ probabilities
        return sums


def read_clusters(path: str | Path) -> Clusters:
    """Read a file of clusters; keys that a WordNet does not have are ignored where it is used."""
    cluster_of: dict[str, int] = {}
    for number, line in enumerate(read_text(path, EXPECTED).splitlines(), 1):
        for key in line.split():
            if SENSE_KEY.fullmatch(key) is None:
                raise wrong_line(path, number, f"{quoted(key)} is not a sense key; expected {EXPECTED}")
            cluster_of[key.lower()] = number
    return Clusters(cluster_of)
