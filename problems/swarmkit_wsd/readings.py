"""The readings of raw text's words in the score: which part of speech, which lemma, one word or several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit_wsd.units import Target


def weigh_readings(unary: NDArray[np.float64], unit: Sequence[Target], weights: NDArray[Any]) -> NDArray[np.float64]:
    """Return the values of the senses alone, made comparable between the readings of a word.

    The best senses of two readings differ by the difference of the readings' biases times the weight, the other senses
    keep their distance to the best one of their reading, and the least value of a word is 0. The values of a word with
    one reading are not changed.

    Args:
        unary: the value of each sense alone, word after word.
        unit: the words.
        weights: for each word, the factor of the natural logarithm of a reading's probability.
    """
    weighed = unary.copy()
    begin = 0
    for target, weight in zip(unit, weights.tolist(), strict=True):
        end = begin + len(target.senses)
        if len(target.readings) > 1:
            values = weighed[begin:end]
            for number, reading in enumerate(target.readings):
                own = target.reading == number
                if own.any():
                    values[own] += weight * reading.bias - values[own].max()
            values -= values.min()
        begin = end
    return weighed


def covered(unit: Sequence[Target], x: NDArray[Any]) -> set[int]:
    """Return the positions of the words that are part of a longer entry, chosen for another word of their sentence."""
    longer: dict[int, list[tuple[int, int, int]]] = {}
    for stage, (target, candidate) in enumerate(zip(unit, x.tolist(), strict=True)):
        reading = target.chosen(candidate)
        if reading.end - reading.start > target.token.end - target.token.start:
            longer.setdefault(target.sentence, []).append((reading.start, reading.end, stage))
    return {
        stage
        for stage, target in enumerate(unit)
        for start, end, other in longer.get(target.sentence, ())
        if stage != other and start <= target.token.start < end
    }
