"""The hook by which other plugins bring measures of relatedness."""

from __future__ import annotations

from collections.abc import Mapping

from swarmkit import hookspec


@hookspec
def swarmkit_measures() -> Mapping[str, type]:  # type: ignore[empty-body]  # a hookspec has no body
    """Offer measures of relatedness for word sense disambiguation: name -> class (see `swarmkit_wsd.Measure`)."""
