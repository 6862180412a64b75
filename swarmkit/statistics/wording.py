"""Numbers and lists in sentences."""

from __future__ import annotations

from collections.abc import Sequence


def p_words(p: float) -> str:
    """Format a p-value.

    >>> p_words(0.0312), p_words(1e-9)
    ('p = 0.031', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def join_words(names: Sequence[str]) -> str:
    """Join names with commas and "and".

    >>> join_words(["a", "b", "c"])
    'a, b and c'
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "none"


def quantity(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless it is 1.

    >>> quantity(1, "run"), quantity(3, "run")
    ('1 run', '3 runs')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
