"""The parameters of D-Bees, and the rules of the colony that they stand for."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, get_args

import numpy as np
from pydantic import Field, model_validator

from swarmkit import Settings
from swarmkit_bees.rules import Drawing, Normalise, Rules

PAPER: Mapping[str, Any] = MappingProxyType(
    {"theta": 0.5, "most_bees": None, "local_search": "none", "segment": None},
)
"""The paper's values, where they are not the defaults."""


class Params(Settings):
    """The values of the paper, and four of ours, which `preset=paper` sets to the paper's too."""

    deprecated: ClassVar[Mapping[str, str]] = MappingProxyType({"stretch": "segment"})

    preset: Literal["best", "paper"] = "best"
    """The values that are not given: the best known, or those of the paper."""
    iterations: Annotated[int, Field(ge=1)] = 10
    """Number of iterations; in each the bees visit every stage once."""
    moves: Annotated[int, Field(ge=1)] = 3
    """NC: moves per forward pass."""
    recruiters: Annotated[int, Field(ge=1)] = 3
    """R: number of best bees that advertise their path."""
    theta: float | None = None
    """θ (paper: 0.5): a bee stops trying candidates at one of this similarity (mean over assigned neighbours)."""
    tries: Annotated[int | None, Field(ge=1)] = 5
    """Most candidates tried per move; none: all."""
    beta: float = 0.8
    """β: only literal=true, which ends at a best quality of at most this (appendix; the text leaves its use open)."""
    bees: Annotated[int | None, Field(ge=1)] = None
    """Number of bees; by default, as in the paper, one per candidate of the hive."""
    most_bees: Annotated[int | None, Field(ge=1)] = 10
    """The most bees of a hive (paper: none); where it has more candidates, some of them are drawn."""
    local_search: Literal["none", "local"] = "local"
    """How recruiters improve complete paths (paper: none): local is icm, on symmetric tours 2-opt and Or-opt."""
    segment: Annotated[int | None, Field(ge=1)] = 100
    """Large neighbourhood search: the most stages of a segment of the best path that is rebuilt from one hive, after
    the first iteration (paper: none); the rest is kept."""
    walk: Literal["ends", "wrap"] = "ends"
    """After the last stage go on from the hive back to the first (ends), or from the first to the hive (wrap)."""
    normalise: Normalise = "max"
    """How qualities are normalised: divided by the largest (max), scaled to [0, 1] (min-max), or left raw."""
    reset_passes: bool = True
    """Count the forward passes u from 0 in each iteration, as bee colony optimisation does."""
    ties: Literal["random", "first"] = "random"
    """Which of equally similar candidates is taken: any, or the first (of senses the most frequent)."""
    draw: Drawing = "random"
    """How the candidates that are tried are picked: at random without repetition, at random with repetition
    (replace), or from the first on (order: WordNet's, by frequency)."""
    below_theta: Literal["best", "first"] = "best"
    """What is taken where no candidate that was tried reaches θ: the best of them, or the stage's first (of senses
    the most frequent)."""
    followers: Literal["together", "sequence"] = "together"
    """With literal=true: all bees compare the paths of one moment, or decide one after the other, best first, so
    that a follower takes over what its recruiter may have taken over just before."""
    tolerance: Annotated[float | None, Field(ge=0)] = None
    """End after an iteration that improves the best score by no more than this; the paper gives no value."""
    literal: bool = False
    """Follow the appendix: one move per pass, u never reset, paths taken over without quality, end by β."""

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, values: Any) -> Any:
        if isinstance(values, Mapping) and values.get("preset") == "paper":
            return {**PAPER, **values}
        return values

    @model_validator(mode="after")
    def _consistent(self) -> Params:
        if self.draw == "replace" and self.tries is None:
            raise ValueError("draw=replace needs a number of tries: -A tries=5 is the paper's")
        if self.below_theta == "first" and self.theta is None:
            raise ValueError("below_theta=first needs a theta: -A theta=0.5 is the paper's")
        if self.followers == "sequence" and not self.literal:
            raise ValueError("followers=sequence is the appendix's: it goes with literal=true")
        return self

    @property
    def beyond_paper(self) -> bool:
        """Whether one of the extensions is used (`swarmkit_bees.large_neighbourhood`)."""
        return (self.local_search, self.segment, self.most_bees) != ("none", None, None)

    def rules(self) -> Rules:
        """Return the rules of the colony; with `literal` the appendix's where it differs from the text."""
        return Rules(
            moves=1 if self.literal else self.moves,
            recruiters=self.recruiters,
            theta=np.inf if self.theta is None else self.theta,
            tries=sys.maxsize if self.tries is None else self.tries,
            normalise=get_args(Normalise).index(self.normalise),
            first_on_ties=self.ties == "first",
            drawing=get_args(Drawing).index(self.draw),
            first_below_theta=self.below_theta == "first",
            in_sequence=self.followers == "sequence",
            take_quality=not self.literal,
            reset_passes=self.reset_passes and not self.literal,
            tolerance=-np.inf if self.tolerance is None else self.tolerance,
            beta=self.beta if self.literal else -np.inf,
        )
