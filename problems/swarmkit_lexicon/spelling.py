"""How WordNet writes the senses of a word: names have capital letters."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from swarmkit_lexicon.lexicon import Lexicon


PERSON_FILE = 18
"""The number of the lexicographer file noun.person, lexnames(5WN)."""


class Spelling(NamedTuple):
    """Numbers of the senses of an entry by the way in which WordNet writes them."""

    small: int
    """Without capital letters."""
    capital: int
    """With capital letters."""
    persons: int
    """With capital letters, and an instance of `person`."""
    seen: int
    """The count in WordNet's tagged texts of those with capital letters."""
    people: bool
    """Whether the first sense without capital letters is a kind of person."""


def capitalised(lexicon: Lexicon, senses: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return for each sense whether WordNet writes its word with capital letters."""
    return np.array([_written(lexicon, sense) != lexicon.lemma(sense) for sense in senses.tolist()], bool)


def _written(lexicon: Lexicon, sense: int) -> str:
    """Return the word of a sense as WordNet writes it, with underscores for spaces."""
    lemma = lexicon.lemma(sense)
    return next((word for word in lexicon.words(int(lexicon.sense_synset[sense])) if word.lower() == lemma), lemma)


def spelling(lexicon: Lexicon, lemma: str, pos: str) -> Spelling:
    """Return how WordNet writes the senses of an entry."""
    senses = lexicon.senses(lemma, pos)
    names = capitalised(lexicon, senses)
    small, capital = senses[~names], senses[names]
    persons = sum(_is_person(lexicon, sense) for sense in capital.tolist())
    people = len(small) > 0 and _lexfile(lexicon, int(small[0])) == PERSON_FILE
    return Spelling(len(small), len(capital), persons, int(lexicon.sense_count[capital].sum()), people)


def _lexfile(lexicon: Lexicon, sense: int) -> int:
    return int(lexicon.arrays["synset.lexfile"][lexicon.sense_synset[sense]])


def _is_person(lexicon: Lexicon, sense: int) -> bool:
    """Return whether a sense is an instance, and by its lexicographer file a person."""
    instances = lexicon.related(int(lexicon.sense_synset[sense]), "@i")
    return _lexfile(lexicon, sense) == PERSON_FILE and next(instances, None) is not None
