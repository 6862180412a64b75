"""The compiled search for shared phrases; its plain twin is `overlaps.overlap_score`. Imported only when needed.

Single words need no search: after the longer phrases are gone, min(how often in the one, how often in the other) of
each word is shared. A phrase of n words, c of them content words, takes c from that sum and adds n². So the score of
two texts is a product of two sparse rows plus n² - c for every phrase of two or more content words, and only these are
searched.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

PLACE_BITS = 21  # a key holds a text, a diagonal and a place, or two places and a number of words
PLACE = (1 << PLACE_BITS) - 1
MAX_TEXT = 1 << (PLACE_BITS - 1)


@njit(cache=True)
def _take(
    runs: Any,
    lengths: Any,
    count: int,
    longest: int,
    begin: int,
    begin_2: int,
    place: Any,
    used: Any,
    used_2: Any,
    stamp: int,
) -> Any:
    """Take runs in order of length; of one that has lost words to a longer one, what is left waits for its turn."""
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
            i, j = begin + first, begin_2 + second
            since = 0
            for k in range(content + 1):
                if k < content and used[i + k] != stamp and used_2[j + k] != stamp:
                    continue
                if k - since == content:
                    for taken in range(content):
                        used[i + taken] = used_2[j + taken] = stamp
                    total += words * words - content
                elif k - since >= 2:
                    left = ((first + since) << PLACE_BITS) | (second + since)
                    runs[count] = (left << PLACE_BITS) | (k - since)
                    lengths[count] = place[i + k - 1] - place[i + since] + 1
                    count += 1
                since = k + 1
    return total


@njit(cache=True)
def _greedy(
    matches: Any,
    a_begin: int,
    b_begin: int,
    a_place: Any,
    b_place: Any,
    used_a: Any,
    used_b: Any,
    stamp: int,
    a_first: bool,
) -> Any:
    """Take the phrases of one pair of texts, the longest first; return the sum of n² - c."""
    # A run is a phrase of the first text and the same of the second: both places and its content words in one number.
    # What is left of a run joins the list, having lost a word, so there are never more runs than content words.
    runs, lengths = np.empty(2 * len(matches), np.int64), np.empty(2 * len(matches), np.int64)
    count = begin = longest = 0
    while begin < len(matches):
        end = begin + 1
        while end < len(matches) and matches[end] == matches[end - 1] + 1:
            end += 1
        i = matches[begin] & PLACE
        j = i + ((matches[begin] >> PLACE_BITS) & PLACE) - MAX_TEXT
        content = end - begin + 1
        words = a_place[a_begin + i + content - 1] - a_place[a_begin + i] + 1
        if end == len(matches) and begin == 0:  # the usual case: one phrase, nothing to choose
            return words * words - content
        first, second = (i, j) if a_first else (j, i)
        runs[count], lengths[count] = (((first << PLACE_BITS) | second) << PLACE_BITS) | content, words
        longest = max(longest, words)
        count += 1
        begin = end
    if a_first:
        return _take(runs, lengths, count, longest, a_begin, b_begin, a_place, used_a, used_b, stamp)
    return _take(runs, lengths, count, longest, b_begin, a_begin, b_place, used_b, used_a, stamp)


@njit(cache=True)
def add_phrases(
    a_starts: Any, a_row: Any, a_rank: Any, a_link: Any, a_place: Any,
    b_starts: Any, b_column: Any, b_rank: Any, b_text: Any, b_place: Any,
    posting_starts: Any, postings: Any, out: Any,
) -> None:  # fmt: skip
    """Add n² - c for every phrase of two or more content words that a text of `a` shares with a text of `b`.

    A text is a span of content words. Texts with the lower rank are the first of a pair, so that the score does not
    depend on which side is asked about.
    """
    used_a, used_b = np.zeros(len(a_place), np.int64), np.zeros(len(b_place), np.int64)
    keys = np.empty(1024, np.int64)
    stamp = 0
    for s in range(len(a_starts) - 1):
        begin, end = a_starts[s], a_starts[s + 1]
        found = 0
        for i in range(begin, end):
            if a_link[i] >= 0:
                found += posting_starts[a_link[i] + 1] - posting_starts[a_link[i]]
        if found > len(keys):
            keys = np.empty(2 * found, np.int64)
        found = 0
        for i in range(begin, end):
            if a_link[i] < 0:
                continue
            for p in range(posting_starts[a_link[i]], posting_starts[a_link[i] + 1]):
                j = postings[p]
                text = b_text[j]
                diagonal = (j - b_starts[text]) - (i - begin) + MAX_TEXT
                keys[found] = (((text << PLACE_BITS) | diagonal) << PLACE_BITS) | (i - begin)
                found += 1
        matches = np.sort(keys[:found])
        first = 0
        while first < found:
            text = matches[first] >> (2 * PLACE_BITS)
            last = first + 1
            while last < found and matches[last] >> (2 * PLACE_BITS) == text:
                last += 1
            stamp += 1
            out[a_row[s], b_column[text]] += _greedy(
                matches[first:last],
                begin,
                b_starts[text],
                a_place,
                b_place,
                used_a,
                used_b,
                stamp,
                a_rank[s] <= b_rank[text],
            )
            first = last
