"""The hooks by which other plugins bring measures of relatedness, experts for uncertain words, annotators of texts."""

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


@hookspec
def swarmkit_annotators() -> Mapping[str, Callable[[str], Mapping[str, Any]]]:  # type: ignore[empty-body]  # likewise
    """Offer annotators of texts, which the studio shows: name -> function.

    The function returns plain data for a text: `words`, a list of objects with `start` and `end` (characters of the
    text), `label`, `gloss`, `confidence` and `candidates`, which are objects with `label`, `gloss`, `share`, `chosen`
    and `because` (a list of texts); `notes`, a list of texts; and `watch`, an object with `problem`, `options` and
    `solver` of a run on the text. It may have an attribute `examples`: texts to try.
    """
