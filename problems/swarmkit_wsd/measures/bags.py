"""The words a measure compares: content words of glosses, of related synsets' glosses, and the synsets' own names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit_wsd.arrays import gather
from swarmkit_wsd.lexicon import Lexicon
from swarmkit_wsd.measures.measure import Synsets
from swarmkit_wsd.wndb import POINTERS

# The relations whose glosses can be drawn in, by name; a verb's hyponyms are its troponyms.
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

# Banerjee & Pedersen's, with those that adjectives have instead. For gloss-cosine, too: on the development set
# (Senseval-2) all relations together made worse neighbours.
USUAL = ("hypernyms", "hyponyms", "meronyms", "holonyms", "attributes", "similar", "also")


def known_relations(relations: tuple[str, ...]) -> tuple[str, ...]:
    """Return the relations if all have names that WordNet's relations go by here."""
    if unknown := [name for name in relations if name not in RELATIONS]:
        raise ValueError(f"no relation named '{unknown[0]}'. There are: {', '.join(RELATIONS)}")
    return relations


@dataclass(frozen=True)
class Glosses:
    """Content words of many glosses in one row: whose they are, and where they are in the lexicon's content arrays."""

    owner: NDArray[np.int64]
    item: NDArray[np.int64]


def glosses(lexicon: Lexicon, synsets: Synsets, examples: bool) -> Glosses:
    """Return the content words of each synset's own gloss, with or without its examples."""
    starts = lexicon.arrays["content.starts"]
    item, owner = gather(starts, synsets)
    if not examples:
        inside = item - starts[synsets][owner] < lexicon.arrays["content.defined"][synsets][owner]
        item, owner = item[inside], owner[inside]
    return Glosses(owner, item)


def names(lexicon: Lexicon, synsets: Synsets) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the content words in the names of each synset, and whose each is."""
    item, owner = gather(lexicon.arrays["named.starts"], synsets)
    return owner, lexicon.arrays["named.word"][item]


def related(lexicon: Lexicon, synsets: Synsets, relations: tuple[str, ...]) -> tuple[NDArray[Any], ...]:
    """Return who is related to what: owner, relation (0 is the synset itself, 1 the first of the relations), target."""
    item, owner = gather(lexicon.arrays["relation.starts"], synsets)
    relation = _relation_of_kind(relations)[lexicon.arrays["relation.kind"][item]]
    target, kept = lexicon.arrays["relation.target"][item], relation > 0
    own = np.arange(len(synsets))
    rows = np.stack(
        [
            np.concatenate([own, owner[kept]]),
            np.concatenate([np.zeros_like(own), relation[kept]]),
            np.concatenate([np.asarray(synsets, np.int64), target[kept]]),
        ]
    )
    # Two words of a synset may point to the same one: its gloss counts once.
    width, depth = len(lexicon.synset_pos), len(relations) + 1
    keys = np.unique((rows[0] * depth + rows[1]) * width + rows[2])
    return keys // width // depth, keys // width % depth, keys % width


def _relation_of_kind(relations: tuple[str, ...]) -> NDArray[np.int64]:
    number = np.zeros(len(POINTERS), np.int64)
    for index, name in enumerate(relations, 1):
        number[[POINTERS.index(symbol) for symbol in RELATIONS[name].split()]] = index
    return number
