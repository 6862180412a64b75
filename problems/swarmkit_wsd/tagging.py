"""Parts of speech of English words: HanTa by default, whose model comes with the package.

HanTa (Wartena 2019) speaks the C5 tags of the British National Corpus; NLTK's, from the Penn Treebank, are put into
them. From these come n, v, a, r or None: function words, marks and single letters, which are never disambiguated.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from swarmkit import MissingError, unknown
from swarmkit_wsd.tokens import Pos

Tagger = Literal["hanta", "nltk"]

# HanTa's cost is quadratic in the length of a word it does not know; endings tell the part of speech.
LONGEST = 30

C5: dict[str, Pos] = {"AJ": "a", "AV": "r", "CR": "a", "NN": "n", "NP": "n", "OR": "a", "UN": "n", "VV": "v"}
FUNCTION_TAGS = frozenset({"AVQ"})
INFLECTED = frozenset({"AJC", "AJS", "NN2", "VVD", "VVN"})

# Be, have and do are auxiliaries if the first verb after them has one of these endings, with only such words between.
FOLLOWERS = {"VB": "NG", "VH": "N", "VD": "IB"}
BETWEEN = frozenset({"AV0", "EX0", "PNP", "XX0"})

# The Penn Treebank's tags in C5, which tells be, have and do apart from other verbs.
PENN = {
    "CC": "CJC", "CD": "CRD", "DT": "AT0", "EX": "EX0", "FW": "UNC", "IN": "PRP", "JJ": "AJ0", "JJR": "AJC",
    "JJS": "AJS", "MD": "VM0", "NN": "NN1", "NNP": "NP0", "NNPS": "NP0", "NNS": "NN2", "PDT": "DT0", "POS": "POS",
    "PRP": "PNP", "PRP$": "DPS", "RB": "AV0", "RBR": "AV0", "RBS": "AV0", "RP": "AVP", "TO": "TO0", "UH": "ITJ",
    "VB": "VVI", "VBD": "VVD", "VBG": "VVG", "VBN": "VVN", "VBP": "VVB", "VBZ": "VVZ", "WDT": "DTQ", "WP": "PNQ",
    "WP$": "DTQ", "WRB": "AVQ",
}  # fmt: skip
HELPERS = {
    **dict.fromkeys(("be", "am", "is", "are", "was", "were", "been", "being", "'m", "'re"), "VB"),
    **dict.fromkeys(("have", "has", "had", "having", "'ve"), "VH"),
    **dict.fromkeys(("do", "does", "did", "done", "doing"), "VD"),
}

_STRAIGHT = str.maketrans({"\u2018": "'", "\u2019": "'", "\u2010": "-", "\u2011": "-", "\u201c": '"', "\u201d": '"'})


class Tagged(NamedTuple):
    """Hold what a tagger says about a word: the part of speech, its own tag, and its lemma where it ventures one."""

    pos: Pos | None
    tag: str
    lemma: str | None = None


def plain(surface: str) -> str:
    """Spell a word as the lexicon would: lower case, no accents, straight quotes and hyphens.

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
    """Tag the words of one sentence."""
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
    """Say in C5 what the Penn Treebank's tag says."""
    form, tag = word.lower(), PENN.get(tag, "PUN")
    if form in ("not", "n't"):
        return "XX0"
    return HELPERS.get(form, "VV") + tag[2] if tag.startswith("VV") else tag


def _content(tags: Sequence[str], at: int) -> Pos | None:
    """Map a C5 tag; be, have and do are verbs like others unless they help one."""
    tag = tags[at]
    if tag in FUNCTION_TAGS:
        return None
    if tag[:2] in FOLLOWERS:
        return None if _helps(tags, at) else "v"
    return C5.get(tag[:2])


def _helps(tags: Sequence[str], at: int) -> bool:
    """Tell an auxiliary by the first verb after it, adverbs, pronouns and negation between them not counting."""
    after = at + 1
    while after < len(tags) and after - at <= 4 and tags[after] in BETWEEN:
        after += 1
    if after == len(tags) or tags[after][:2] not in ("VV", *FOLLOWERS):
        return False
    return tags[after][2] in FOLLOWERS[tags[at][:2]]


def _base(model: Any, word: str, tag: str) -> str | None:
    """Ask for the lemma of inflected forms, which may be lemmas too: saw is see in the past, but saw in the present."""
    if tag not in INFLECTED:
        return None
    lemma: str = model.analyze(word, pos=tag)[0]
    return lemma.lower()


@cache
def _hanta() -> Any:
    """Load the model, once."""
    try:
        module = import_module("HanTa.HanoverTagger")
    except ImportError as error:
        raise MissingError("tagging raw text needs HanTa: pip install 'pyswarmkit[wsd]'.") from error
    # By its full path: HanTa would rather unpickle a file of that name from the folder the user happens to be in.
    model = module.HanoverTagger(str(Path(module.__file__ or "").with_name("morphmodel_en.pgz")))
    # Words it has no table for cost 0.5 ms each time they occur, and in one text they occur again.
    for slow in ("analyze_forward", "analyze"):
        setattr(model, slow, lru_cache(maxsize=2**14)(getattr(model, slow)))
    return model


@cache
def _nltk() -> Any:
    """Load NLTK's averaged perceptron, whose data are a download of their own."""
    try:
        return import_module("nltk.tag.perceptron").PerceptronTagger()
    except (ImportError, LookupError) as error:
        raise MissingError(
            "NLTK's tagger or its data are missing: python -m nltk.downloader averaged_perceptron_tagger_eng, "
            "or use tagger=hanta, which needs no download."
        ) from error
