"""The words that a measure compares: content words of glosses, related synsets, words of the synsets' names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit_lexicon.arrays import gather
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_lexicon.naming import POINTERS

Synsets = NDArray[Any]
"""Numbers of synsets, which index the lexicon's arrays."""

RELATIONS = {
    "hypernyms": "@ @i",
    "hyponyms": "~ ~i",
    "meronyms": "%m %s %p",
    "holonyms": "#m #s #p",
    "attributes": "=",
    "similar": "&",
    "also": "^",
    "entailments": "*",
    "causes": ">",
    "derivations": "+",
    "pertainyms": "\\",
    "domains": ";c ;r ;u",
}
"""The relations whose glosses can be included, and their pointer symbols; a verb's hyponyms are its troponyms."""

USUAL = ("hypernyms", "hyponyms", "meronyms", "holonyms", "attributes", "similar", "also")
"""Banerjee & Pedersen's relations, and those that adjectives have instead; also the default of gloss-cosine, which was
less accurate with all relations on the development set (Senseval-2)."""


def known_relations(relations: tuple[str, ...]) -> tuple[str, ...]:
    """Return the relations; raise ValueError if one of them is not in RELATIONS."""
    if unknown := [name for name in relations if name not in RELATIONS]:
        raise ValueError(f"no relation named '{unknown[0]}'. There are: {', '.join(RELATIONS)}")
    return relations


@dataclass(frozen=True)
class Glosses:
    """The content words of many glosses, one after the other."""

    owner: NDArray[np.int64]
    """The index of the synset of each word, among those asked for."""
    item: NDArray[np.int64]
    """The position of each word in the lexicon's content arrays."""


def glosses(lexicon: Lexicon, synsets: Synsets, examples: bool) -> Glosses:
    """Return the content words of each synset's own gloss, with or without its examples."""
    starts = lexicon.arrays["content.starts"]
    item, owner = gather(starts, synsets)
    # The content words of a definition come before those of its examples, and `content.defined` counts them.
    if not examples:
        inside = item - starts[synsets][owner] < lexicon.arrays["content.defined"][synsets][owner]
        item, owner = item[inside], owner[inside]
    return Glosses(owner, item)


def names(lexicon: Lexicon, synsets: Synsets) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the content words in the names of synsets: the index of the synset of each word, and the word."""
    item, owner = gather(lexicon.arrays["named.starts"], synsets)
    return owner, lexicon.arrays["named.word"][item]


def related(lexicon: Lexicon, synsets: Synsets, relations: tuple[str, ...]) -> tuple[NDArray[Any], ...]:
    """Return the related synsets of each synset, as three arrays: index of the synset, relation, related synset.

    Relation 0 is the synset itself, 1 the first of `relations`.
    """
    item, owner = gather(lexicon.arrays["relation.starts"], synsets)
    relation = _relation_of_kind(relations)[lexicon.arrays["relation.kind"][item]]
    target, selection = lexicon.arrays["relation.target"][item], relation > 0
    synset_numbers = np.arange(len(synsets))
    rows = np.stack(
        [
            np.concatenate([synset_numbers, owner[selection]]),
            np.concatenate([np.zeros_like(synset_numbers), relation[selection]]),
            np.concatenate([np.asarray(synsets, np.int64), target[selection]]),
        ]
    )
    # Two words of a synset may point to the same target, whose gloss counts once.
    width, depth = len(lexicon.synset_pos), len(relations) + 1
    keys = np.unique((rows[0] * depth + rows[1]) * width + rows[2])
    return keys // width // depth, keys // width % depth, keys % width


def _relation_of_kind(relations: tuple[str, ...]) -> NDArray[np.int64]:
    number = np.zeros(len(POINTERS), np.int64)
    for index, name in enumerate(relations, 1):
        number[[POINTERS.index(symbol) for symbol in RELATIONS[name].split()]] = index
    return number
