"""Overlaps of phrases between two texts, exactly as Banerjee & Pedersen (2002, 2003) define them.

The longest phrase that both texts have, beginning and ending with content words, is taken out of both; then the longest
of what remains, until nothing is shared. Each counts the square of its number of words. Of equally long phrases the
earliest in the first text is taken first, then the earliest in the second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


def overlap_score(first: Sequence[int], second: Sequence[int], function: Callable[[int], bool]) -> int:
    """Return the score of two texts; the plain twin of the kernel.

    >>> overlap_score([5, 0, 6, 7], [5, 0, 6, 8, 7], lambda word: word == 0)  # "5 0 6" is 3 words, "7" is 1
    10

    Args:
        first: the words of one text, as numbers; a negative number matches nothing.
        second: the words of the other text.
        function: whether a word is a function word.
    """
    a, b, score = list(first), list(second), 0
    while longest := _longest(a, b, function):
        length, i, j = longest
        a[i : i + length] = [-1]
        b[j : j + length] = [-1]
        score += length**2
    return score


def _longest(a: list[int], b: list[int], function: Callable[[int], bool]) -> tuple[int, int, int] | None:
    best: tuple[int, int, int] | None = None
    for i in range(len(a)):
        for j in range(len(b)):
            length = 0
            while i + length < len(a) and j + length < len(b) and a[i + length] == b[j + length] >= 0:
                length += 1
            while length and function(a[i + length - 1]):
                length -= 1
            if length and not function(a[i]) and (best is None or length > best[0]):
                best = (length, i, j)
    return best
