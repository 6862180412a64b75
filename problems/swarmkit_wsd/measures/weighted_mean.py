"""The weighted mean of several measures, which is how one objective has several sources of evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from pydantic import Field, field_validator, model_validator

from swarmkit import find, make_settings
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_wsd.measures.measure import Block, Measure, Prepared, Synsets, set_identical


class WeightedMean(Measure):
    """Weighted mean of other measures, by default gloss-cosine and ppr with weights chosen on Senseval-2."""

    weights: Annotated[
        dict[str, Annotated[float, Field(ge=0)]], Field(description="the weight of each measure, by its name")
    ] = {"gloss-cosine": 60.0, "ppr": 45.0}  # noqa: RUF012 (pydantic copies it)
    params: Annotated[
        dict[str, dict[str, Any]], Field(description="the parameters of each measure that has others than its defaults")
    ] = {}  # noqa: RUF012  (pydantic copies defaults)

    @field_validator("weights")
    @classmethod
    def _some_weight(cls, weights: dict[str, float]) -> dict[str, float]:
        if not sum(weights.values()) > 0:
            raise ValueError("expected at least one measure with a weight above 0")
        return weights

    @model_validator(mode="after")
    def _check_params(self) -> WeightedMean:
        for name in self.params:
            if name not in self.weights:
                raise ValueError(f"parameters of '{name}', which has no weight. Weights: {', '.join(self.weights)}")
        return self

    def prepare(self, lexicon: Lexicon, synsets: Synsets) -> PreparedMean:
        """Prepare every measure with a weight above 0."""
        total = sum(self.weights.values())
        shares = {name: weight / total for name, weight in self.weights.items() if weight > 0}
        return PreparedMean([(share, self._measure(name).prepare(lexicon, synsets)) for name, share in shares.items()])

    def _measure(self, name: str) -> Measure:
        measure: Measure = make_settings(find("measure", name), self.params.get(name, {}), f"measure '{name}'")
        return measure


class PreparedMean:
    """The weighted mean of prepared measures."""

    def __init__(self, parts: Sequence[tuple[float, Prepared]]) -> None:
        """Keep the measures, each with its share of the weights."""
        self._parts = parts

    def block(self, a: Synsets, b: Synsets) -> Block:
        """Return the weighted mean of the measures' blocks."""
        (share, first), *rest = self._parts
        mean = share * first.block(a, b)
        for share, measure in rest:
            mean += share * measure.block(a, b)
        return set_identical(np.minimum(mean, 1.0), a, b)  # shares may add up to 1 + 1e-16
