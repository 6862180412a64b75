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
    return problem, next((one for one in _targets(problem) if one.start == item.at), None)


def _settings(options: dict[str, Any]) -> WsdOptions:
    return make_settings(WsdOptions, options, "problem 'wsd'")


def _targets(problem: WordSenses) -> Iterator[Target]:
    """Iterate over the answered words in the order of the text.

    The senses of a word are those of all readings that cover the same part of the text as the chosen one.
    """
    x = problem.default_solution()
    likely = problem.posteriors(x)
    for stage in problem.answered(x):
        target = problem.targets[stage]
        chosen = target.chosen(int(x[stage]))
        alike = [
            number for number, one in enumerate(target.readings) if (one.start, one.end) == (chosen.start, chosen.end)
        ]
        kept = np.flatnonzero(np.isin(target.reading, alike))
        tokens = problem.sentences[target.sentence].tokens
        inside = [at for at, one in enumerate(tokens) if chosen.start <= one.start and one.end <= chosen.end]
        yield Target(
            words=tuple(token.surface for token in tokens),
            start=inside[0],
            end=inside[-1] + 1,
            surface=chosen.surface,
            place=(chosen.start, chosen.end),
            lemma=chosen.lemma,
            pos=chosen.pos,
            senses=target.senses[kept],
            posteriors=_shares(likely[stage][kept]),
            slots=problem.form.offsets[stage] + kept,
        )


def _shares(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    total = weights.sum()
    return weights / total if total > 0 else np.full(len(weights), 1 / len(weights))


def named(targets: Sequence[Target], word: str) -> list[Target]:
    """Return the targets that a person means by a word: written so, or with this lemma; case does not matter."""
    wanted = " ".join(word.lower().replace("_", " ").split())
    return [one for one in targets if wanted in (one.surface.lower(), one.lemma.replace("_", " "))]
