r"""Raw text split into sentences of words by rules: no model, linear time, one sentence or block in memory.

English contractions are split as in the British National Corpus (do|n't, it|'s), which the tagger was trained on; other
languages have `Rules` of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

LONGEST = 200
"""Words after which a sentence without an end (a table, a list of names) is cut, which bounds memory and search."""

MARGIN = 4096
"""Characters at the end of a block that may be read differently once the next block is there: more than _TOKEN looks
ahead (an address of 2,000 characters is the longest)."""

# Characters that belong to a word: combining accents, soft hyphens, joiners.
_MARK = r"\u0300-\u036f\u00ad\u200c\u200d"
# An underscore at either end is no part of a word, but the mark of italics in plain text: _word_.
_LETTERS = rf"[^\W_](?:[\w{_MARK}]*[^\W_])?[{_MARK}]*"

# Abbreviations that never end a sentence: another word always follows.
_TITLES = (
    "Mr|Mrs|Ms|Messrs|Dr|Prof|Gen|Col|Capt|Lt|Sgt|Maj|Cmdr|Adm|Rev|Hon|Sen|Rep|Gov|Pres|St|Mt|Ft|Fr|Msgr|Supt"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|vs|cf|viz|approx|eds|esp"
)
# Abbreviations that end a sentence if the next word is one that often begins sentences.
_ABBREVIATIONS = r"Inc|Ltd|Co|Corp|Bros|Jr|Sr|Esq|Ph\.D|etc|al|dept|est|Ave|Blvd|Rd"
_STARTERS = re.compile(
    "a|after|all|although|an|and|another|as|at|because|before|but|by|during|each|even|every|few|finally|first|for|from|he"
    "|her|here|his|how|however|i|if|in|it|its|last|like|many|meanwhile|more|most|my|no|now|of|on|once|one|only|other|our"
    "|she|since|so|some|such|that|the|their|then|there|these|they|this|those|though|to|two|under|until|we|what|when|where"
    "|while|who|why|with|yesterday|yet|you|your",
    re.IGNORECASE,
)


def token_pattern(titles: str, abbreviations: str) -> re.Pattern[str]:
    """Return the pattern of tokens, whose groups are their kinds.

    Args:
        titles: abbreviations that never end a sentence, as alternatives of a pattern, without their full stops.
        abbreviations: abbreviations that may end one.
    """
    # Repetitions are bounded where a failed match would be tried again from its next letter: quadratic time otherwise.
    return re.compile(
        rf"""
    (?P<gap>\n[^\S\n]*\n\s*)
  | (?P<address>(?i:https?://|www\.)[^\s<>"]{{1,2000}}[^\s<>"'.,;:!?)\]]
      | [\w.+-]{{1,64}}@[\w-]{{1,64}}(?:\.[\w-]{{1,64}}){{1,8}})
  | (?P<abbreviation>(?:{titles}|{abbreviations})\.(?!\w)
      | (?:No|Nos|Fig|Figs|Vol|pp?)\.(?=\s*\d)
      | (?:[^\W\d_]\.){{2,}}(?!\w)
      | [A-HJ-Z]\.(?=\s+[^\W\d_]))  # J. Smith; but not I, as in: so do I.
  | (?P<number>\d+(?:[.,:/]\d+)+(?!\w))
  | (?P<clitic>(?i:['\u2019](?:s|re|ve|ll|d|m|em|tis|twas))(?![^\W_]))
  | (?P<word>{_LETTERS}(?:(?:['\u2019&\u2010\u2011-]|\.(?=[a-z\d])){_LETTERS})*)
  | (?P<italics>_+)
  | (?P<mark>\.{{2,}}|-{{2,}}|``|''|[!?]+|\S)
    """,
        re.VERBOSE,
    )


_CONTRACTION = re.compile(r"(?s:.+?)(n['\u2019]t|['\u2019](?:s|re|ve|ll|d|m))", re.IGNORECASE)
_ENDS = re.compile(r"\.+|[!?]+|[\u2026\u3002\uff01\uff1f]")
_CLOSING = frozenset("\"'\u201d\u2019\u00bb)]}") | {"''"}


Cuts = Callable[[str, int, int], tuple[int, ...]]
"""Returns where a word of a text, from `start` to `end`, is cut into several."""


def contractions(text: str, start: int, end: int) -> tuple[int, ...]:
    """Return where an English word is cut.

    >>> contractions("didn't", 0, 6), contractions("did", 0, 3)
    ((3,), ())
    """
    match = _CONTRACTION.fullmatch(text, start, end)
    return (match.start(1),) if match else ()


class Rules(NamedTuple):
    """How the text of a language is split."""

    token: re.Pattern[str]
    """As `token_pattern` makes it."""
    cuts: Cuts
    titles: re.Pattern[str]
    """Abbreviations that never end a sentence."""
    starters: re.Pattern[str]
    """Words with which a sentence begins after an abbreviation."""


ENGLISH = Rules(token_pattern(_TITLES, _ABBREVIATIONS), contractions, re.compile(_TITLES), _STARTERS)


class Word(NamedTuple):
    """A word, and where it is in the text."""

    surface: str
    start: int
    end: int


class Passage(NamedTuple):
    """A sentence, and the piece of text that its words are positions of."""

    text: str
    start: int
    """Where the piece is in the whole text."""
    words: list[Word]


def split_passages(blocks: Iterable[str], rules: Rules = ENGLISH) -> Iterator[Passage]:
    """Iterate over the sentences of a text that arrives in blocks: the same ones, however it is cut into blocks.

    The last sentence of what has arrived, and what is within MARGIN of its end, wait for the next block. A sentence
    may be longer than a block: what waits is read again only when it has doubled, so that the time stays linear.

    >>> [[word.surface for word in passage.words] for passage in split_passages(["So d", "o I. Wh", "y?"])]
    [['So', 'do', 'I', '.'], ['Why', '?']]
    """
    text, start, enough = "", 0, 2 * MARGIN
    for block in blocks:
        text += block
        if len(text) < enough:
            continue
        last: list[Word] = []
        # A sentence is complete when the next one has begun well before the end of what has arrived.
        for words in split_sentences(text, rules):
            if words[-1].end > len(text) - MARGIN:
                break
            if last:
                yield Passage(text, start, last)
            last = words
        read = last[0].start if last else 0
        text, start = text[read:], start + read
        enough = max(2 * MARGIN, 2 * len(text))
    for words in split_sentences(text, rules):
        yield Passage(text, start, words)


def split_sentences(text: str, rules: Rules = ENGLISH) -> Iterator[list[Word]]:
    """Iterate over the sentences of a text, each a list of words.

    >>> [[word.surface for word in sentence] for sentence in split_sentences("Mr. Lee didn't go. Why?")]
    [['Mr.', 'Lee', 'did', "n't", 'go', '.'], ['Why', '?']]
    """
    words: list[Word] = []
    may_end = False
    # The last gap ends the last sentence, so that it needs no case of its own.
    for kind, word in chain(_words(text, rules), [("gap", Word("", len(text), len(text)))]):
        cut = kind == "gap" or len(words) >= LONGEST or (may_end and _begins(words, word, rules))
        if cut and words:
            yield words
            words = []
        if kind == "gap":
            may_end = False
            continue
        may_end = _ends(kind, word, rules) or (may_end and not cut and word.surface in _CLOSING)
        words.append(word)


def _words(text: str, rules: Rules) -> Iterator[tuple[str, Word]]:
    """Iterate over words, punctuation marks and gaps between paragraphs, each with its kind."""
    for match in rules.token.finditer(text):
        kind, start, end = match.lastgroup or "mark", match.start(), match.end()
        if kind == "italics":
            continue
        for cut in rules.cuts(text, start, end) if kind == "word" else ():
            yield kind, Word(text[start:cut], start, cut)
            start = cut
        yield kind, Word(text[start:end], start, end)


def _ends(kind: str, word: Word, rules: Rules) -> bool:
    """Return whether a sentence may end with this word."""
    if kind == "abbreviation":
        return rules.titles.fullmatch(word.surface[:-1]) is None
    return kind == "mark" and _ENDS.fullmatch(word.surface) is not None


def _begins(words: list[Word], word: Word, rules: Rules) -> bool:
    """Return whether a sentence begins with this word, given the words before it, which may be a whole sentence."""
    # 'He met J. Smith' goes on after the full stop, 'I saw it. Then' does not.
    first, last = word.surface[0], words[-1].surface
    if last.endswith(".") and len(last) > 1 and last.strip("."):  # an abbreviation
        return first.isupper() and rules.starters.fullmatch(word.surface) is not None
    if word.surface in _CLOSING:
        # A quotation mark after a space opens the next sentence.
        return word.start > words[-1].end
    return not (first.islower() or first in ",;:")
