"""Part-of-speech tagging of English words, by HanTa (whose model is in its package) or NLTK.

HanTa (Wartena 2019) uses the C5 tags of the British National Corpus; NLTK's Penn Treebank tags are mapped to them.
HanTa is a trigram model of tags, from which the probability of every tag of a word in its sentence is computed; NLTK's
tagger returns one tag for each word.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from math import exp
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from swarmkit import MissingError, install_hint, unknown
from swarmkit_text.posteriors import posteriors

Tagger = Literal["hanta", "nltk"]

EMPTY, START, END = 0, 1, 2
"""HanTa's numbers of the tags around a sentence."""

LONGEST = 30
"""Longer words are tagged by their last letters: HanTa takes quadratic time in the length of an unknown word, and the
ending determines the part of speech."""

INFLECTIONS = frozenset({"AJC", "AJS", "NN2", "VVD", "VVN"})
"""Tags of the forms whose lemma HanTa determines."""

CUT = 8.0
"""Tags of an unknown word that are less likely than the likeliest by this factor, a natural logarithm, are dropped."""

UNTAGGED = ("NN1", "NP0", "AJ0", "UNC")
"""The tags of a word that HanTa cannot analyse."""

PENN = {
    "CC": "CJC", "CD": "CRD", "DT": "AT0", "EX": "EX0", "FW": "UNC", "IN": "PRP", "JJ": "AJ0", "JJR": "AJC",
    "JJS": "AJS", "MD": "VM0", "NN": "NN1", "NNP": "NP0", "NNPS": "NP0", "NNS": "NN2", "PDT": "DT0", "POS": "POS",
    "PRP": "PNP", "PRP$": "DPS", "RB": "AV0", "RBR": "AV0", "RBS": "AV0", "RP": "AVP", "TO": "TO0", "UH": "ITJ",
    "VB": "VVI", "VBD": "VVD", "VBG": "VVG", "VBN": "VVN", "VBP": "VVB", "VBZ": "VVZ", "WDT": "DTQ", "WP": "PNQ",
    "WP$": "DTQ", "WRB": "AVQ",
}  # fmt: skip
"""C5 tags by Penn Treebank tag."""

UNIVERSAL = {
    "ADJ": "AJ0", "ADP": "PRP", "ADV": "AV0", "AUX": "VM0", "CCONJ": "CJC", "CONJ": "CJC", "DET": "AT0", "INTJ": "ITJ",
    "NOUN": "NN1", "NUM": "CRD", "PART": "TO0", "PRON": "PNP", "PROPN": "NP0", "PRT": "AVP", "SCONJ": "CJS",
    "SYM": "UNC", "VERB": "VVB", "X": "UNC", "n": "NN1", "v": "VVB", "a": "AJ0", "s": "AJ0", "r": "AV0",
}  # fmt: skip
"""C5 tags by universal tag, and by WordNet's letter: the most frequent one, since these say less."""

AUXILIARIES = {
    **dict.fromkeys(("be", "am", "is", "are", "was", "were", "been", "being", "'m", "'re"), "VB"),
    **dict.fromkeys(("have", "has", "had", "having", "'ve"), "VH"),
    **dict.fromkeys(("do", "does", "did", "done", "doing"), "VD"),
}
"""C5 has tags of their own for be, have and do."""

_STRAIGHT = str.maketrans({"\u2018": "'", "\u2019": "'", "\u2010": "-", "\u2011": "-", "\u201c": '"', "\u201d": '"'})


class Tagged(NamedTuple):
    """A tagged word."""

    tag: str
    """The most probable C5 tag."""
    shares: Mapping[str, float]
    """The probability of each C5 tag."""
    lemma: str | None = None
    """The tagger's lemma, if it has one."""


def plain(surface: str) -> str:
    """Return a word as the lexicon spells it: lower case, no accents, straight quotes and hyphens.

    >>> plain("Naïve"), plain("o\u2019clock")
    ('naive', "o'clock")
    """
    if surface.isascii():
        return surface.lower()
    bare = "".join(
        mark for mark in unicodedata.normalize("NFKD", surface) if unicodedata.category(mark) not in ("Mn", "Cf")
    )
    return bare.translate(_STRAIGHT).lower()


def tag(words: Sequence[str], tagger: Tagger = "hanta", capitals: Sequence[bool] | None = None) -> list[Tagged]:
    """Return the tags of the words of one sentence.

    Args:
        words: the words.
        tagger: which tagger.
        capitals: for each word, whether the case of its first letter tells something; by default that of all words but
            the first.
    """
    if tagger not in get_args(Tagger):
        raise unknown("tagger", tagger, get_args(Tagger))
    if not words:
        return []
    # An empty word after the cut would break the tagger.
    spelt = [word.translate(_STRAIGHT)[-LONGEST:] or "-" for word in words]
    if tagger == "nltk":
        return _nltk_tags(spelt)
    return _hanta_tags(spelt, capitals or [False] + [True] * (len(words) - 1))


def _hanta_tags(words: list[str], capitals: Sequence[bool]) -> list[Tagged]:
    model = _hanta()
    likelihoods = [_likelihoods(model, word, telling) for word, telling in zip(words, capitals, strict=True)]
    result = []
    for word, shares in zip(words, posteriors(likelihoods, model.LP_trans_word, (EMPTY, START), END), strict=True):
        by_name = {model.int2tag[number]: share for number, share in shares.items()}
        best = next(iter(by_name))
        result.append(Tagged(best, by_name, _base(model, word, best)))
    return result


def _likelihoods(model: Any, word: str, telling: bool) -> dict[int, float]:
    """Return the probability of a word given each of its tags, divided by the largest one.

    Args:
        model: HanTa's.
        word: the word.
        telling: whether the case of its first letter tells something.
    """
    # At the beginning of a sentence the case says nothing about names.
    joint = model.tag_word(word, cutoff=CUT, casesensitive=telling)
    numbers = {model.tag2int[name]: value for name, value in joint if name in model.tag2int}
    # P(word | tag) is proportional to P(tag, word) / P(tag).
    likelihoods = {tag: value - model.LP_wtag[tag] for tag, value in numbers.items() if tag in model.LP_wtag}
    likelihoods = likelihoods or {model.tag2int[name]: 0.0 for name in UNTAGGED}
    peak = max(likelihoods.values())
    return {tag: exp(value - peak) for tag, value in likelihoods.items()}


def _nltk_tags(words: list[str]) -> list[Tagged]:
    tags = [c5_tag(word, tag) for word, tag in _nltk().tag(words)]
    return [Tagged(tag, {tag: 1.0}) for tag in tags]


def c5_tag(word: str, tag: str) -> str:
    """Return the C5 tag for a word and its Penn Treebank or universal tag.

    >>> c5_tag("mice", "NNS"), c5_tag("has", "VBZ"), c5_tag("mice", "NOUN")
    ('NN2', 'VHZ', 'NN1')
    """
    form, tag = word.lower(), PENN.get(tag) or UNIVERSAL.get(tag, "PUN")
    if form in ("not", "n't"):
        return "XX0"
    return AUXILIARIES.get(form, "VV") + tag[2] if tag.startswith("VV") else tag


def _base(model: Any, word: str, tag: str) -> str | None:
    """Return the lemma of an inflected form, which may be a lemma itself: saw is the past of see, and an infinitive."""
    if tag not in INFLECTIONS:
        return None
    lemma: str = model.analyze(word, pos=tag)[0]
    return lemma.lower()


@cache
def _hanta() -> Any:
    """Return HanTa's tagger with its English model."""
    try:
        module = import_module("HanTa.HanoverTagger")
    except ImportError as error:
        raise MissingError(f"tagging raw text needs HanTa: {install_hint('wsd')}") from error
    # By its full path: otherwise HanTa unpickles a file of that name from the working directory, if there is one.
    model = module.HanoverTagger(str(Path(module.__file__ or "").with_name("morphmodel_en.pgz")))
    # An unknown word takes 0.5 ms each time it occurs, and words recur within a text.
    for slow in ("analyze_forward", "analyze"):
        setattr(model, slow, lru_cache(maxsize=2**14)(getattr(model, slow)))
    return model


@cache
def _nltk() -> Any:
    """Return NLTK's averaged perceptron tagger, whose data have to be downloaded separately."""
    try:
        return import_module("nltk.tag.perceptron").PerceptronTagger()
    except (ImportError, LookupError) as error:
        raise MissingError(
            "NLTK's tagger or its data are missing: python -m nltk.downloader averaged_perceptron_tagger_eng, "
            "or use tagger=hanta, which needs no download."
        ) from error
