"""Which way of building tours the parameters ask for, and which ways a problem rules out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from swarmkit import Tour
from swarmkit_ants.construction.focused import Focused
from swarmkit_ants.construction.partial import Partial
from swarmkit_ants.construction.walk import Walk

if TYPE_CHECKING:
    from swarmkit_ants.tsp_aco import TspAco

VIOLATIONS = 0.06
"""Where more triples violate the triangle inequality, partial ants lose more by removing cities than they win; ours."""


def choose_construction(tour: Tour, params: TspAco.Params) -> Walk | Focused | Partial:
    """Return the policy that `construction` names; `auto` is resolved by the local search and the tour."""
    name = automatic(tour, params) if params.construction == "auto" else params.construction
    if name == "focused":
        return Focused(tour, params.ants, params.new_edges, improves=params.local_search == "2opt")
    if name == "partial":
        return Partial(tour, params.ants, params.segment)
    if params.variant == "acs":
        return Walk(tour, params.ants, alpha=params.alpha, greed=params.greed, local_evaporation=params.wear)
    return Walk(tour, params.ants)


def automatic(tour: Tour, params: TspAco.Params) -> str:
    """Return focused with 2opt on symmetric tours, partial where it can be done and pays, walk otherwise."""
    if tour.symmetric and params.local_search == "2opt":
        return "focused"
    partial = cannot_build("partial", tour, params) is None and tour.triangle_violations <= VIOLATIONS
    return "partial" if partial else "walk"


def cannot_build(construction: str, tour: Tour, params: TspAco.Params) -> str | None:
    """Return the reason why tours cannot be built in the way named, or None."""
    way_out = "construction=walk and construction=auto do any tour"
    if construction in ("focused", "partial") and not tour.symmetric:
        return f"construction={construction} is for tours with equal costs both ways; {way_out}"
    if construction == "partial" and (params.variant != "mmas" or params.local_search != "none"):
        return f"construction=partial is for variant=mmas with local_search=none; {way_out}"
    return None
