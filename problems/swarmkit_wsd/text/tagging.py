"""Part-of-speech tagging of English words, by HanTa (whose model is in its package) or NLTK.

HanTa (Wartena 2019) uses the C5 tags of the British National Corpus; NLTK's Penn Treebank tags are mapped to them. A C5
tag is then mapped to n, v, a, r, or None for words that are never disambiguated: function words, marks, single letters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from swarmkit import MissingError, install_hint, unknown
from swarmkit_wsd.corpus import Pos

Tagger = Literal["hanta", "nltk"]

LONGEST = 30
"""Longer words are tagged by their last letters: HanTa takes quadratic time in the length of an unknown word, and the
ending determines the part of speech."""

C5: dict[str, Pos] = {"AJ": "a", "AV": "r", "CR": "a", "NN": "n", "NP": "n", "OR": "a", "UN": "n", "VV": "v"}
"""The part of speech by the first two letters of a C5 tag."""

FUNCTION_TAGS = frozenset({"AVQ"})
INFLECTED = frozenset({"AJC", "AJS", "NN2", "VVD", "VVN"})

FOLLOWERS = {"VB": "NG", "VH": "N", "VD": "IB"}
"""By auxiliary (be, have, do): the last letters of the C5 tags of the verbs that it can help."""

BETWEEN = frozenset({"AV0", "EX0", "PNP", "XX0"})
"""Tags of the words that may be between an auxiliary and its verb."""

PENN = {
    "CC": "CJC", "CD": "CRD", "DT": "AT0", "EX": "EX0", "FW": "UNC", "IN": "PRP", "JJ": "AJ0", "JJR": "AJC",
    "JJS": "AJS", "MD": "VM0", "NN": "NN1", "NNP": "NP0", "NNPS": "NP0", "NNS": "NN2", "PDT": "DT0", "POS": "POS",
    "PRP": "PNP", "PRP$": "DPS", "RB": "AV0", "RBR": "AV0", "RBS": "AV0", "RP": "AVP", "TO": "TO0", "UH": "ITJ",
    "VB": "VVI", "VBD": "VVD", "VBG": "VVG", "VBN": "VVN", "VBP": "VVB", "VBZ": "VVZ", "WDT": "DTQ", "WP": "PNQ",
    "WP$": "DTQ", "WRB": "AVQ",
}  # fmt: skip
"""C5 tags by Penn Treebank tag."""

AUXILIARIES = {
    **dict.fromkeys(("be", "am", "is", "are", "was", "were", "been", "being", "'m", "'re"), "VB"),
    **dict.fromkeys(("have", "has", "had", "having", "'ve"), "VH"),
    **dict.fromkeys(("do", "does", "did", "done", "doing"), "VD"),
}
"""C5 has tags of their own for be, have and do."""

_STRAIGHT = str.maketrans({"\u2018": "'", "\u2019": "'", "\u2010": "-", "\u2011": "-", "\u201c": '"', "\u201d": '"'})


class Tagged(NamedTuple):
    """A tagged word: part of speech, C5 tag, and the tagger's lemma if it has one."""

    pos: Pos | None
    tag: str
    lemma: str | None = None


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


def tag(words: Sequence[str], tagger: Tagger = "hanta") -> list[Tagged]:
    """Return the tags of the words of one sentence."""
    if tagger not in get_args(Tagger):
        raise unknown("tagger", tagger, get_args(Tagger))
    if not words:
        return []
    spelt = [word.translate(_STRAIGHT)[-LONGEST:] or "-" for word in words]
    return _hanta_tags(spelt) if tagger == "hanta" else _nltk_tags(spelt)


def _hanta_tags(words: list[str]) -> list[Tagged]:
    model = _hanta()
    tags = model.tag_sent(words, taglevel=0)
    return [Tagged(_content(tags, at), tag, _base(model, words[at], tag)) for at, tag in enumerate(tags)]


def _nltk_tags(words: list[str]) -> list[Tagged]:
    tags = [_as_c5(word, tag) for word, tag in _nltk().tag(words)]
    return [Tagged(_content(tags, at), tag) for at, tag in enumerate(tags)]


def _as_c5(word: str, tag: str) -> str:
    """Return the C5 tag for a word and its Penn Treebank tag."""
    form, tag = word.lower(), PENN.get(tag, "PUN")
    if form in ("not", "n't"):
        return "XX0"
    return AUXILIARIES.get(form, "VV") + tag[2] if tag.startswith("VV") else tag


def _content(tags: Sequence[str], at: int) -> Pos | None:
    """Return the part of speech of a word; be, have and do are verbs unless they are auxiliaries."""
    tag = tags[at]
    if tag in FUNCTION_TAGS:
        return None
    if tag[:2] in FOLLOWERS:
        return None if _is_auxiliary(tags, at) else "v"
    return C5.get(tag[:2])


def _is_auxiliary(tags: Sequence[str], at: int) -> bool:
    """Return whether be, have or do helps the first verb after it, skipping adverbs, pronouns and negation."""
    after = at + 1
    while after < len(tags) and after - at <= 4 and tags[after] in BETWEEN:
        after += 1
    if after == len(tags) or tags[after][:2] not in ("VV", *FOLLOWERS):
        return False
    return tags[after][2] in FOLLOWERS[tags[at][:2]]


def _base(model: Any, word: str, tag: str) -> str | None:
    """Return the lemma of an inflected form, which may be a lemma itself: saw is the past of see, and an infinitive."""
    if tag not in INFLECTED:
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
