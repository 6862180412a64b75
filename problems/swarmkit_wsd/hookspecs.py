"""The hooks by which other plugins bring measures of relatedness, and experts for the words that are not certain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from swarmkit import hookspec


@hookspec
def swarmkit_measures() -> Mapping[str, type]:  # type: ignore[empty-body]  # a hookspec has no body
    """Offer measures of relatedness for word sense disambiguation: name -> class (see `swarmkit_wsd.Measure`)."""


@hookspec
def swarmkit_experts() -> Mapping[str, Callable[[Any], Any]]:  # type: ignore[empty-body]  # likewise
    """Offer experts for word senses: name -> function of a question (see `swarmkit_wsd.Question`).

    It returns the key of one of the candidates, a pair of the key and its reliability, or None.
    """
