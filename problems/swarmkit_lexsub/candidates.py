"""The substitutes of a word: the words of the synsets of its senses, and of the synsets that these are related to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import log
from typing import TYPE_CHECKING, NamedTuple

from swarmkit_lexsub.word_senses import Target

if TYPE_CHECKING:
    from swarmkit_wsd import Lexicon

FLOOR = 0.02
"""Added to the probability of a sense, so that no substitute is ruled out by the senses alone."""

MARKER = re.compile(r"\((a|p|ip)\)$")
"""The syntactic marker of an adjective in WordNet's files, such as galore(ip)."""


class Relation(NamedTuple):
    """A way from a sense of the target to a synset of substitutes."""

    name: str
    pointers: str
    """WordNet's symbols of the pointers; empty for the synset itself."""
    weight: float
    """What a substitute over this relation is worth, that of a synonym being 1."""
    least: float
    """The least probability of a sense from which it is followed."""
    most: int
    """Synsets over which it is followed; a sense with more of them is left out, because its hyponyms are any thing."""


RELATIONS = (
    Relation("synonym", "", 1.0, 0.0, 1),
    Relation("similar", "&", 0.75, 0.0, 1000),
    Relation("hypernym", "@ @i", 0.6, 0.0, 1000),
    Relation("related", "^ $ * >", 0.6, 0.02, 1000),
    Relation("hyponym", "~ ~i", 0.6, 0.1, 30),
)
"""Synonyms; the head and the satellites of an adjective; hypernyms; also-see, verb groups, entailment, cause;
hyponyms. All lead to the same part of speech."""


class Link(NamedTuple):
    """How a substitute is related to the target: over which relation, from which of its senses."""

    relation: str
    sense: int
    """The number of the sense among those of the target."""
    synset: int
    """The synset that has the substitute."""
    value: float
    """The relation's weight times log((p + FLOOR) / FLOOR), p the probability of the sense: 0 for an impossible one."""


def find_substitutes(lexicon: Lexicon, target: Target) -> dict[str, Link]:
    """Return the substitutes of a target, each with its link of greatest value.

    A substitute is written with spaces, in lower case unless it is a name; the target itself is none.
    """
    own = {_folded(target.lemma), _folded(target.surface)}
    found: dict[str, Link] = {}
    for link in _links(lexicon, target):
        for word in lexicon.words(link.synset):
            name = MARKER.sub("", word).replace("_", " ")
            if _folded(name) not in own and (name not in found or link.value > found[name].value):
                found[name] = link
    return found


def _links(lexicon: Lexicon, target: Target) -> Iterator[Link]:
    for number, (sense, probability) in enumerate(zip(target.senses, target.posteriors.tolist(), strict=True)):
        synset = int(lexicon.sense_synset[sense])
        for relation in RELATIONS:
            if probability < relation.least:
                continue
            reached = sorted(set(lexicon.related(synset, relation.pointers))) if relation.pointers else [synset]
            if len(reached) <= relation.most:
                value = relation.weight * log((probability + FLOOR) / FLOOR)
                yield from (Link(relation.name, number, one, value) for one in reached)


def link_of(substitutes: Mapping[str, Link], name: str) -> Link | None:
    """Return the link of a given word, however it is written; None if it is no substitute by WordNet."""
    wanted = _folded(name)
    return next((link for one, link in substitutes.items() if _folded(one) == wanted), None)


def _folded(name: str) -> str:
    """Return a word as words are compared.

    >>> _folded("Ice_cream"), _folded("open-air")
    ('ice cream', 'open air')
    """
    return name.lower().replace("_", " ").replace("-", " ")
