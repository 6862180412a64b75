"""The words of a text with their senses and posteriors, from the problem `wsd`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit import make_settings
from swarmkit_lexsub.task_files import Item
from swarmkit_wsd import WordSenses
from swarmkit_wsd.options import WsdOptions


class Target(NamedTuple):
    """A word to substitute, its sentence, and its senses."""

    words: tuple[str, ...]
    """The words of the sentence."""
    start: int
    """The number of its first word in the sentence; `end` is one more than that of its last."""
    end: int
    surface: str
    """The word as the text has it."""
    place: tuple[int, int]
    """Where it begins and ends: characters of a text, words of a list."""
    lemma: str
    pos: str
    senses: NDArray[np.int32]
    posteriors: NDArray[np.float64]
    """The probability of each sense; they sum to 1."""
    slots: NDArray[np.int64]
    """The slot of each sense in the problem `wsd`."""


def read_text(options: dict[str, Any]) -> tuple[WordSenses, list[Target]]:
    """Return the problem `wsd` of a text with all its words that have senses, in the order of the text.

    Args:
        options: those of the problem `wsd`.
    """
    problem = WordSenses.build(_settings(options))
    return problem, list(_targets(problem))


def read_item(item: Item, options: dict[str, Any]) -> tuple[WordSenses, Target | None]:
    """Return the problem `wsd` of an item's sentence and its target word; None if WordNet does not have the word.

    Args:
        item: the item, which gives lemma and part of speech of its target.
        options: those of the problem `wsd`.
    """
    problem = WordSenses.of_words(item.words, {item.at: (item.lemma, item.pos)}, _settings(options))
    return problem, next((target for target in _targets(problem) if target.start == item.at), None)


def _settings(options: dict[str, Any]) -> WsdOptions:
    return make_settings(WsdOptions, options, "problem 'wsd'")


def _targets(problem: WordSenses) -> Iterator[Target]:
    """Iterate over the answered words in the order of the text.

    The senses of a word are those of all readings that cover the same part of the text as the chosen one.
    """
    x = problem.default_solution()
    posteriors = problem.posteriors(x)
    for stage in problem.answered(x):
        target = problem.targets[stage]
        choice = target.reading_of(int(x[stage]))
        # A word may have readings of several lengths (New York, York): those of the chosen length compete.
        extent = (choice.start, choice.end)
        readings = [at for at, reading in enumerate(target.readings) if (reading.start, reading.end) == extent]
        senses = np.flatnonzero(np.isin(target.reading, readings))
        tokens = problem.sentences[target.sentence].tokens
        inside = [at for at, token in enumerate(tokens) if choice.start <= token.start and token.end <= choice.end]
        yield Target(
            words=tuple(token.surface for token in tokens),
            start=inside[0],
            end=inside[-1] + 1,
            surface=choice.surface,
            place=extent,
            lemma=choice.lemma,
            pos=choice.pos,
            senses=target.senses[senses],
            posteriors=_shares(posteriors[stage][senses]),
            slots=problem.form.offsets[stage] + senses,
        )


def _shares(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    total = weights.sum()
    return weights / total if total > 0 else np.full(len(weights), 1 / len(weights))


def select_targets(targets: Sequence[Target], word: str) -> list[Target]:
    """Return the targets that a person means by a word: written so, or with this lemma; case does not matter."""
    form = " ".join(word.lower().replace("_", " ").split())
    return [target for target in targets if form in (target.surface.lower(), target.lemma.replace("_", " "))]
