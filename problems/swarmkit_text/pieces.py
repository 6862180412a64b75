"""Long texts cut into pieces that are worked on one after the other, each with the sentences around it as context."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

Item = TypeVar("Item")
"""A sentence, in whatever form."""


class Piece(NamedTuple, Generic[Item]):
    """Consecutive sentences of a text, and those around them."""

    before: list[Item]
    core: list[Item]
    after: list[Item]

    @property
    def core_range(self) -> range:
        """The numbers of the sentences of the core among all."""
        return range(len(self.before), len(self.before) + len(self.core))


def cut_pieces(
    items: Iterable[Item],
    words: Callable[[Item], int],
    size: int,
    context: int,
    is_too_long: Callable[[list[Item]], bool] = lambda _: False,
) -> Iterator[Piece[Item]]:
    """Iterate over the pieces of a text, in order; every sentence is in the core of one of them.

    A piece waits until the sentences behind it fill its context: a text is cut in the same places however it arrives.

    >>> pieces = list(cut_pieces("abcdefg", lambda letter: 1, 3, 1))
    >>> ["".join([*piece.before, "[", *piece.core, "]", *piece.after]) for piece in pieces]
    ['[abc]d', 'c[def]g', 'f[g]']

    Args:
        items: the sentences of the text.
        words: returns the number of words of a sentence.
        size: words after which a piece ends, at the end of a sentence.
        context: words before and behind those of a piece, at least, if there are as many.
        is_too_long: whether sentences are a piece although they have not enough words, or no context.
    """
    before: list[Item] = []
    pending: list[Item] = []
    for item in items:
        pending.append(item)
        count = _until(pending, words, size)
        if not count or _until(pending[count:], words, context) is None:
            count = len(pending) if is_too_long(pending) else None
        if count:
            yield Piece(before, pending[:count], pending[count:])
            before, pending = _last(before + pending[:count], words, context), pending[count:]
    if pending:
        yield Piece(before, pending, [])


def _until(items: list[Item], words: Callable[[Item], int], least: int) -> int | None:
    """Return the number of sentences, from the first on, that have enough words; None if all have less.

    >>> _until([], len, 0), _until([], len, 1), _until(["a", "b"], len, 1)
    (0, None, 1)
    """
    count = 0
    for number, item in enumerate(items):
        if count >= least:
            return number
        count += words(item)
    return len(items) if count >= least else None


def _last(items: list[Item], words: Callable[[Item], int], least: int) -> list[Item]:
    """Return the last sentences that have enough words, or all."""
    count = _until(items[::-1], words, least)
    return items if count is None else items[len(items) - count :]
