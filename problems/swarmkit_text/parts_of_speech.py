"""WordNet's parts of speech of a word in its sentence, with their probabilities.

A C5 tag does not determine a part of speech: *today* is an adverb for the tagger and a noun for WordNet, *growing* an
adjective or a verb, *more* a determiner, an adjective or an adverb. The probability of a part of speech is the sum over
the tags of P(tag) · P(part of speech | tag, word), and the second factor is proportional to
WEIGHTS[tag][part of speech] · (1 + the word's count with this part of speech in WordNet's tagged texts) ^ POWER.
Weights and power were fitted to SemCor.

Where the encoder runs anyway, its own probability of each part of speech is a second opinion, and the result is
proportional to P(by the tags) ^ (1 - w) · P(by the encoder) ^ w. The encoder sees the whole sentence; the tagger sees
capital letters and the tags of two neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit_text.corpus import POS, Pos
from swarmkit_text.tagging import Tagged, plain

POWER = 0.6
"""Of the counts."""

ENCODER = 0.5
HALFWAY = 2
"""The weight w of the encoder's opinion about a word that occurs c times in WordNet's tagged texts, from which its
network has learnt, is ENCODER · c / (c + HALFWAY)."""

LEAST = 0.02
"""The smallest probability by the tags, where the encoder has one: the tagger may be wrong about any word."""

Classes = NDArray[np.float32]
"""The logarithms of the encoder's probabilities of a word's parts of speech, in the order of POS, and of none."""

Classify = Callable[[Sequence[Sequence[str]]], Sequence[Classes]]
"""Returns for each sentence, a list of words, the `Classes` of its words."""

Weights = Mapping[Pos, float]

NOUN: Weights = {"n": 1, "a": 0.1, "r": 0.1, "v": 0.01}
ADJECTIVE: Weights = {"a": 1, "n": 0.06, "v": 0.05, "r": 0.05}
VERB: Weights = {"v": 1, "n": 0.02, "a": 0.01, "r": 0.01}

WEIGHTS: dict[str, Weights] = {
    "AJ": ADJECTIVE,
    "NN": NOUN,
    "UN": {"n": 1, "a": 1, "v": 1, "r": 0.1},
    "VV": VERB,
    "AJC": {"a": 1, "r": 0.05, "n": 0.01},
    "AJS": {"a": 1, "n": 0.3, "r": 0.01},
    "AV0": {"r": 1, "a": 0.17, "n": 0.1, "v": 0.02},
    "AVP": {"r": 1, "a": 0.3},
    "CRD": {"a": 1, "n": 0.34, "r": 0.1},
    "ITJ": {"n": 1, "r": 0.5, "v": 0.3},
    "DT0": {"a": 1, "n": 0.5, "r": 0.2},
    "ORD": {"a": 1, "r": 0.5, "n": 0.2},
    "VVG": {"v": 1, "n": 0.16, "a": 0.1, "r": 0.02},
    "VVN": {"v": 1, "a": 0.36, "n": 0.04, "r": 0.02},
    "XX0": {"r": 1},
}
"""By the whole C5 tag, or by its first two letters; words with any other tag are function words, marks or letters."""

NAME: Weights = {"n": 1}
PROPER_NAME: Weights = {"n": 1, "a": 0.4}
"""Of names (NP0), and of those that are adjectives, too, if WordNet writes them with capital letters (English)."""

DETERMINERS = frozenset({
    "all", "another", "any", "both", "each", "either", "every", "neither", "no", "one", "some", "that", "these", "this",
    "those",
})  # fmt: skip
"""Function words where they are tagged DT0; other words with this tag (such, several, many) are not."""

FULL: dict[str, Weights] = {"PNI": {"n": 1}, "VM0": {"v": 1}}
FULL_WORDS = frozenset({"nothing", "need", "dare"})
"""The only words with the tags of FULL, pronouns and modal verbs, that are not function words."""

DAYS = frozenset({"today", "tomorrow", "yesterday"})
DAY: Weights = {"n": 1, "r": 0.5}
"""Adverbs for the tagger, mostly nouns for WordNet."""

ABOUT = frozenset({"about", "around", "over", "under"})
"""Adverbs before a number, otherwise mostly prepositions."""

DEGREE = frozenset({"enough", "few", "fewer", "less", "least", "little", "many", "more", "most", "much"})
"""Adjectives before a noun, `of` and `than`, otherwise adverbs; the tagger confuses them."""

QUANTITY: Weights = {"r": 1, "a": 0.3, "n": 0.2}
"""Of DEGREE words that the tagger takes for adverbs."""

TOLD_APART = 20.0
"""The factor of a part of speech that the word after it suggests."""

FOLLOWERS = {"VB": "NG", "VH": "N", "VD": "IB"}
"""By auxiliary (be, have, do): the last letters of the C5 tags of the verbs that it can help."""

BETWEEN = frozenset({"AV0", "EX0", "PNP", "XX0"})
"""Tags of the words that may be between an auxiliary and its verb."""


def content(tagged: Sequence[Tagged], at: int) -> Pos | None:
    """Return the part of speech that a word's most probable tag stands for; None for function words and marks."""
    tag = tagged[at].tag
    if tag[:2] in FOLLOWERS:
        return None if is_auxiliary(tagged, at) else "v"
    weights = NOUN if tag == "NP0" else WEIGHTS.get(tag, WEIGHTS.get(tag[:2], {}))
    return max(weights, key=weights.__getitem__, default=None)


class Share(NamedTuple):
    """The probability of a part of speech, and the part of it in which the word is a name."""

    share: float = 0.0
    name: float = 0.0


def shares(
    words: Sequence[str], tagged: Sequence[Tagged], at: int, counts: Mapping[Pos, float], proper: bool
) -> dict[Pos, Share]:
    """Return the probabilities of a word's parts of speech; what they lack of 1 is that of a function word.

    Args:
        words: the words of the sentence.
        tagged: their tags.
        at: the position of the word.
        counts: the word's count with each part of speech that it has in WordNet.
        proper: whether it has adjective senses that WordNet writes with capital letters.
    """
    if tagged[at].tag[:2] in FOLLOWERS:
        return {"v": Share(1.0)} if "v" in counts and not is_auxiliary(tagged, at) else {}
    form = plain(words[at])
    scale = {pos: (1 + count) ** POWER for pos, count in counts.items()}
    # A neighbour's hint multiplies one weight: the others stay possible.
    suggestion = _suggestion(words, tagged, at)
    if suggestion in scale:
        scale[suggestion] *= TOLD_APART
    result = dict.fromkeys(counts, Share())
    for tag, share in _tags(form, tagged, at).items():
        weights = _weights(form, tag, proper)
        # P(part of speech | tag, word), normalised over those that the word has in WordNet.
        total = sum(weights.get(pos, 0.0) * scale[pos] for pos in counts)
        for pos in counts if total else ():
            part = share * weights.get(pos, 0.0) * scale[pos] / total
            result[pos] = Share(result[pos].share + part, result[pos].name + part * (tag == "NP0"))
    return {pos: share for pos, share in result.items() if share.share}


def second_opinion(by_tags: Mapping[Pos, Share], counts: Mapping[Pos, float], classes: Classes) -> dict[Pos, Share]:
    """Return the probabilities of a word's parts of speech by the tags and by the encoder together.

    Args:
        by_tags: those by the tags.
        counts: the word's count with each part of speech that it has in WordNet.
        classes: the word's, by the encoder.
    """
    # The more often the network has seen the word, the more its opinion counts.
    weight = ENCODER * sum(counts.values()) / (sum(counts.values()) + HALFWAY)
    # The encoder's last class is that of words without a sense: function words and marks.
    no_class = _mix(1.0 - sum(entry.share for entry in by_tags.values()), classes[-1], weight)
    mixture = {pos: _mix(by_tags.get(pos, Share()).share, classes[POS.index(pos)], weight) for pos in counts}
    total = no_class + sum(mixture.values())
    names = {pos: entry.name / entry.share for pos, entry in by_tags.items()}
    return {pos: Share(share / total, share / total * names.get(pos, 0.0)) for pos, share in mixture.items()}


def _mix(share: float, opinion: float, weight: float) -> float:
    """Return the weighted geometric mean of the tags' probability and of the encoder's, which is a logarithm."""
    return float(max(share, LEAST) ** (1 - weight)) * exp(weight * opinion)


def _weights(form: str, tag: str, proper: bool) -> Weights:
    """Return the weights of the parts of speech of a word with this tag: none if it is a function word."""
    if tag in FULL:
        return FULL[tag] if form in FULL_WORDS else {}
    # 'that' as an adverb (that big) has a sense; as a determiner it has none.
    if form in DETERMINERS and tag in ("AV0", "DT0"):
        return {"r": 1} if tag == "AV0" else {}
    if tag == "AV0" and form in DEGREE:
        return QUANTITY
    if tag == "NP0":
        return PROPER_NAME if proper else NAME
    if tag == "AV0" and form in DAYS:
        return DAY
    if tag == "PRP" and form.endswith(("ing", "ed")):  # including, following, based
        return VERB
    return WEIGHTS.get(tag, WEIGHTS.get(tag[:2], {}))


def _suggestion(words: Sequence[str], tagged: Sequence[Tagged], at: int) -> Pos | None:
    """Return the part of speech that a neighbour suggests for a noun, a name, a number, a degree word or a particle."""
    if tagged[at].tag == "AVP":
        return "a" if at and tagged[at - 1].tag[:2] == "VB" else None
    if at + 1 == len(words):
        return None
    tag = tagged[at + 1].tag
    if tagged[at].tag in ("CRD", "ORD"):
        return "n" if tag == "PRF" else "r" if tag[:2] == "VV" else None
    if tagged[at].tag in ("NN1", "NP0"):  # wireless mouse, English novelist
        return "a" if tag[:2] == "NN" else None
    if plain(words[at]) not in DEGREE:
        return None
    if tag[:2] in ("NN", "NP") or tag == "PRF" or words[at + 1].lower() == "than":
        return "a"
    return "r" if tag[:2] in ("AJ", "AV", "VV") else None


def _tags(form: str, tagged: Sequence[Tagged], at: int) -> Mapping[str, float]:
    """Return the probabilities of a word's tags, with that of an adverb multiplied for *about* before a number."""
    shares = tagged[at].shares
    if form not in ABOUT or at + 1 == len(tagged) or tagged[at + 1].tag not in ("CRD", "DT0"):
        return shares
    weights = {tag: share * (TOLD_APART if tag == "AV0" else 1.0) for tag, share in shares.items()}
    return {tag: share / sum(weights.values()) for tag, share in weights.items()}


def is_auxiliary(tagged: Sequence[Tagged], at: int) -> bool:
    """Return whether be, have or do helps the first verb after it, skipping adverbs, pronouns and negation."""
    after = at + 1
    # At most four words in between: has not always been seen.
    while after < len(tagged) and after - at <= 4 and tagged[after].tag in BETWEEN:
        after += 1
    if after == len(tagged) or tagged[after].tag[:2] not in ("VV", *FOLLOWERS):
        return False
    return tagged[after].tag[2] in FOLLOWERS[tagged[at].tag[:2]]
