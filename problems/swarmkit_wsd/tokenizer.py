r"""Raw English cut into words and sentences, by rules: no model, no download, linear time, one sentence in memory.

Contractions are cut as the British National Corpus does (do|n't, it|'s), which is what the tagger has learnt from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

# A sentence without an end (a table, a list of names) is cut here, so that memory and the search stay bounded.
LONGEST = 200

# Marks that belong to a word: combining accents, soft hyphens, joiners.
_MARK = r"\u0300-\u036f\u00ad\u200c\u200d"
_LETTERS = rf"\w[\w{_MARK}]*"

# Never the end of a sentence: something always follows.
_TITLES = (
    "Mr|Mrs|Ms|Messrs|Dr|Prof|Gen|Col|Capt|Lt|Sgt|Maj|Cmdr|Adm|Rev|Hon|Sen|Rep|Gov|Pres|St|Mt|Ft|Fr|Msgr|Supt"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|vs|cf|viz|approx|eds|esp"
)
# The end of a sentence if what follows looks like a beginning.
_OTHERS = r"Inc|Ltd|Co|Corp|Bros|Jr|Sr|Esq|Ph\.D|etc|al|dept|est|Ave|Blvd|Rd"
_STARTERS = re.compile(
    "a|after|all|although|an|and|another|as|at|because|before|but|by|during|each|even|every|few|finally|first|for|from|he"
    "|her|here|his|how|however|i|if|in|it|its|last|like|many|meanwhile|more|most|my|no|now|of|on|once|one|only|other|our"
    "|she|since|so|some|such|that|the|their|then|there|these|they|this|those|though|to|two|under|until|we|what|when|where"
    "|while|who|why|with|yesterday|yet|you|your",
    re.IGNORECASE,
)

# Bounded where a run that fails would be tried again from its next letter, which costs the square of its length.
_TOKEN = re.compile(
    rf"""
    (?P<gap>\n[^\S\n]*\n\s*)
  | (?P<address>(?i:https?://|www\.)[^\s<>"]{{1,2000}}[^\s<>"'.,;:!?)\]]
      | [\w.+-]{{1,64}}@[\w-]{{1,64}}(?:\.[\w-]{{1,64}}){{1,8}})
  | (?P<abbreviation>(?:{_TITLES}|{_OTHERS})\.(?!\w)
      | (?:No|Nos|Fig|Figs|Vol|pp?)\.(?=\s*\d)
      | (?:[^\W\d_]\.){{2,}}(?!\w)
      | [A-HJ-Z]\.(?=\s+[^\W\d_]))  # J. Smith; but not I, as in: so do I.
  | (?P<number>\d+(?:[.,:/]\d+)+(?!\w))
  | (?P<clitic>(?i:['\u2019](?:s|re|ve|ll|d|m|em|tis|twas))(?!\w))
  | (?P<word>{_LETTERS}(?:(?:['\u2019&\u2010\u2011-]|\.(?=[a-z\d])){_LETTERS})*)
  | (?P<mark>\.{{2,}}|-{{2,}}|``|''|[!?]+|\S)
    """,
    re.VERBOSE,
)
_CONTRACTED = re.compile(r"(?s:.+?)(n['\u2019]t|['\u2019](?:s|re|ve|ll|d|m))", re.IGNORECASE)
_ENDS = re.compile(r"\.+|[!?]+|[\u2026\u3002\uff01\uff1f]")
_CLOSING = frozenset("\"'\u201d\u2019\u00bb)]}") | {"''"}


class Word(NamedTuple):
    """Hold a word and where it stands in the text."""

    surface: str
    start: int
    end: int


def split_sentences(text: str) -> Iterator[list[Word]]:
    """Cut a text into sentences of words.

    >>> [[word.surface for word in sentence] for sentence in split_sentences("Mr. Lee didn't go. Why?")]
    [['Mr.', 'Lee', 'did', "n't", 'go', '.'], ['Why', '?']]
    """
    words: list[Word] = []
    ended = False
    for kind, word in chain(_words(text), [("gap", Word("", len(text), len(text)))]):
        cut = kind == "gap" or len(words) >= LONGEST or (ended and _begins(words, word))
        if cut and words:
            yield words
            words = []
        if kind == "gap":
            ended = False
            continue
        ended = _ends(kind, word) or (ended and not cut and word.surface in _CLOSING)
        words.append(word)


def _words(text: str) -> Iterator[tuple[str, Word]]:
    """Find the words and marks, each with its kind; gaps between paragraphs too."""
    for found in _TOKEN.finditer(text):
        kind, start, end = found.lastgroup or "mark", found.start(), found.end()
        cut = _CONTRACTED.fullmatch(text, start, end) if kind == "word" else None
        if cut:
            yield kind, Word(text[start : cut.start(1)], start, cut.start(1))
            yield kind, Word(cut[1], cut.start(1), end)
        else:
            yield kind, Word(text[start:end], start, end)


def _ends(kind: str, word: Word) -> bool:
    """Tell whether a sentence may end here."""
    if kind == "abbreviation":
        return re.fullmatch(_TITLES, word.surface[:-1]) is None
    return kind == "mark" and _ENDS.fullmatch(word.surface) is not None


def _begins(words: list[Word], word: Word) -> bool:
    """Tell whether a sentence begins with this word, the ones before it having ended with a full stop or the like."""
    first, last = word.surface[0], words[-1].surface
    if last.endswith(".") and len(last) > 1 and last.strip("."):  # an abbreviation
        return first.isupper() and _STARTERS.fullmatch(word.surface) is not None
    if word.surface in _CLOSING:
        # Between spaces on both sides or glued to the next word, it opens what comes.
        return word.start > words[-1].end
    return not (first.islower() or first in ",;:")
