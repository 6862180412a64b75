"""The compiled search for shared phrases; a plain twin is among the tests. Imported only when needed.

Single words need no search: once the longer phrases are taken out, each word contributes the smaller of its numbers of
occurrences in both texts. A phrase of n words, c of them content words, takes c from that sum and adds n². So the score
of two texts is a product of two sparse rows plus n² - c for every phrase of two or more content words, and only these
are searched.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from swarmkit import Ints

PLACE_BITS = 21
"""A key packs three numbers into 63 bits: a text, a diagonal and a position, or two positions and a number of words."""

PLACE = (1 << PLACE_BITS) - 1
MAX_TEXT = 1 << (PLACE_BITS - 1)


class Side(NamedTuple):
    """The texts of one side: text t has the content words starts[t], …, starts[t + 1] - 1."""

    starts: Ints
    owner: Ints
    """The row, or on the other side the column, to which the score of each text is added."""
    rank: Ints
    """The text of lower rank is the first of a pair, so that the score does not depend on the order of the sides."""
    place: Ints
    """The position of each content word in its gloss, function words counted."""


class Postings(NamedTuple):
    """Where side b has each link: link l is at the content words word[starts[l]], …, word[starts[l + 1] - 1]."""

    starts: Ints
    word: Ints
    text: Ints
    """The text of each content word of side b."""


class Span(NamedTuple):
    """One text of a pair: its first content word; for all content words the place, and the pair that last took it."""

    begin: int
    place: Ints
    stamps: Ints


@njit(cache=True)
def add_phrases(a: Any, links: Any, b: Any, postings: Any, out: Any) -> None:
    """Add n² - c to `out` for every phrase of two or more content words that a text of `a` shares with a text of `b`.

    Args:
        a: the `Side` of the rows.
        links: the link of each content word of `a`, a number of `postings`, or -1.
        b: the `Side` of the columns.
        postings: the `Postings` of the links in `b`.
        out: the scores, a row for each owner of `a`, a column for each owner of `b`.
    """
    stamps_a, stamps_b = np.zeros(len(a.place), np.int64), np.zeros(len(b.place), np.int64)
    keys = np.empty(1024, np.int64)
    stamp = 0
    for s in range(len(a.starts) - 1):
        begin, end = a.starts[s], a.starts[s + 1]
        match_count = 0
        for i in range(begin, end):
            if links[i] >= 0:
                match_count += postings.starts[links[i] + 1] - postings.starts[links[i]]
        if match_count > len(keys):
            keys = np.empty(2 * match_count, np.int64)
        match_count = 0
        for i in range(begin, end):
            if links[i] < 0:
                continue
            for p in range(postings.starts[links[i]], postings.starts[links[i] + 1]):
                j = postings.word[p]
                text = postings.text[j]
                diagonal = (j - b.starts[text]) - (i - begin) + MAX_TEXT
                keys[match_count] = (((text << PLACE_BITS) | diagonal) << PLACE_BITS) | (i - begin)
                match_count += 1
        matches = np.sort(keys[:match_count])
        first = 0
        while first < match_count:
            text = matches[first] >> (2 * PLACE_BITS)
            last = first + 1
            while last < match_count and matches[last] >> (2 * PLACE_BITS) == text:
                last += 1
            stamp += 1
            span_a, span_b = Span(begin, a.place, stamps_a), Span(b.starts[text], b.place, stamps_b)
            a_first = a.rank[s] <= b.rank[text]
            out[a.owner[s], b.owner[text]] += _greedy(matches[first:last], span_a, span_b, a_first, stamp)
            first = last


@njit(cache=True)
def _greedy(matches: Any, a: Any, b: Any, a_first: bool, stamp: int) -> Any:
    """Take the phrases of one pair of texts, the longest first; return the sum of n² - c.

    Args:
        matches: sorted keys of the links that both texts have: diagonal and position in the text of `a`.
        a: the `Span` of one text.
        b: the `Span` of the twin.
        a_first: whether the text of `a` is the first of the pair.
        stamp: the number of the pair, which marks the words that are taken.
    """
    # A run is a phrase of both texts: its two positions and its content words in one number. A run that has lost words
    # leaves shorter ones, which join the list, so that there are never more runs than content words.
    runs, lengths = np.empty(2 * len(matches), np.int64), np.empty(2 * len(matches), np.int64)
    count = begin = longest = 0
    while begin < len(matches):
        end = begin + 1
        while end < len(matches) and matches[end] == matches[end - 1] + 1:
            end += 1
        i = matches[begin] & PLACE
        j = i + ((matches[begin] >> PLACE_BITS) & PLACE) - MAX_TEXT
        content = end - begin + 1
        words = a.place[a.begin + i + content - 1] - a.place[a.begin + i] + 1
        if end == len(matches) and begin == 0:  # the most frequent case: one phrase, nothing to choose
            return words * words - content
        first, second = (i, j) if a_first else (j, i)
        runs[count], lengths[count] = (((first << PLACE_BITS) | second) << PLACE_BITS) | content, words
        longest = max(longest, words)
        count += 1
        begin = end
    if a_first:
        return _take(runs, lengths, count, longest, a, b, stamp)
    return _take(runs, lengths, count, longest, b, a, stamp)


@njit(cache=True)
def _take(runs: Any, lengths: Any, count: int, longest: int, side: Any, twin: Any, stamp: int) -> Any:
    """Take runs in the order of their lengths in words; return the sum of n² - c.

    What a longer run has left of a run is put back with its new length, and taken when it is its turn.
    """
    total = 0
    turn = np.empty(len(runs), np.int64)
    for words in range(longest, 1, -1):
        waiting = 0
        for run in range(count):
            if lengths[run] == words:
                turn[waiting] = runs[run]
                waiting += 1
        for run in np.sort(turn[:waiting]):
            first, second, content = run >> (2 * PLACE_BITS), (run >> PLACE_BITS) & PLACE, run & PLACE
            i, j = side.begin + first, twin.begin + second
            since = 0
            for k in range(content + 1):
                if k < content and side.stamps[i + k] != stamp and twin.stamps[j + k] != stamp:
                    continue
                if k - since == content:
                    for word in range(content):
                        side.stamps[i + word] = twin.stamps[j + word] = stamp
                    total += words * words - content
                elif k - since >= 2:
                    left = ((first + since) << PLACE_BITS) | (second + since)
                    runs[count] = (left << PLACE_BITS) | (k - since)
                    lengths[count] = side.place[i + k - 1] - side.place[i + since] + 1
                    count += 1
                since = k + 1
    return total
