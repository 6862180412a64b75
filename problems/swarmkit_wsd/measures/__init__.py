"""Measures of the relatedness of synsets."""

from __future__ import annotations

from swarmkit_wsd.measures.extended_lesk import ExtendedLesk
from swarmkit_wsd.measures.gloss_cosine import GlossCosine
from swarmkit_wsd.measures.lesk import Lesk
from swarmkit_wsd.measures.lin import Lin
from swarmkit_wsd.measures.lin_lesk import LinLesk
from swarmkit_wsd.measures.measure import Measure, Prepared
from swarmkit_wsd.measures.page_rank import PageRank
from swarmkit_wsd.measures.weighted_mean import WeightedMean

__all__ = [
    "ExtendedLesk",
    "GlossCosine",
    "Lesk",
    "Lin",
    "LinLesk",
    "Measure",
    "PageRank",
    "Prepared",
    "WeightedMean",
]
