"""What a bee colony is told (its rules and its plan) and what its passes return."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from swarmkit import Ints, Solutions

Normalise = Literal["max", "min-max", "raw"]
"""How the qualities of partial solutions are normalised: see `swarmkit_bees.formulas.normalised`."""

Drawing = Literal["random", "replace", "order"]
"""How a bee picks the candidates that it tries: at random without repetition, with repetition, or in their order."""

_NUMBER = {name: number for kind in (Normalise, Drawing) for number, name in enumerate(get_args(kind))}


class Rules(NamedTuple):
    """The rules by which bees choose candidates, compare their paths and end the search."""

    moves: int
    """NC: moves per forward pass."""
    recruiters: int
    """R: number of best bees that recruit; 0: every loyal bee does."""
    theta: float = 0.0
    """θ: a bee stops trying candidates at one that adds at least θ per assigned neighbour."""
    tries: int = 0
    """Most candidates tried per move; 0: all are evaluated and one is drawn from a roulette wheel."""
    normalise: Normalise = "max"
    """Normalisation of the qualities that bees compare."""
    first_on_ties: bool = False
    """Whether the first of equally good candidates is chosen, instead of any."""
    drawing: Drawing = "random"
    """How the candidates that are tried are picked."""
    first_below_theta: bool = False
    """Whether the first candidate is taken where none that was tried reaches θ, instead of the best of them."""
    in_sequence: bool = False
    """Whether bees decide one after the other, best first, so that followers take over what a recruiter has taken over
    before them, instead of all at once."""
    take_quality: bool = True
    """Whether a bee that follows a recruiter takes over its quality along with its path."""
    reset_passes: bool = True
    """Whether the number u of forward passes is counted from 0 in each iteration."""
    tolerance: float = -np.inf
    """The search ends after an iteration that improves the best score by no more than this."""
    beta: float = -np.inf
    """β: the search ends after an iteration whose best quality is at most this."""
    sharpness: float = 8.0
    """Where every candidate costs something, its weight on the roulette wheel is 1 / cost to this power."""
    hands_over: bool = False
    """Whether the passes end with complete paths, which `swarmkit_bees.rounds` goes on with."""

    def encoded(self) -> Any:
        """Return the rules as a kernel reads them: names as their positions in `Normalise` and `Drawing`."""
        numbers: Any = {"normalise": _NUMBER[self.normalise], "drawing": _NUMBER[self.drawing]}
        return self._replace(**numbers)


class Plan(NamedTuple):
    """The way of a colony through the stages."""

    order: Ints
    """The stages that the bees visit, in this order."""
    hive: Ints
    """Each bee's candidate at the first of these stages; all -1: the bees choose there too."""
    rules: Rules


class Outcome(NamedTuple):
    """What the passes of one step have found, and their cost."""

    solution: Solutions | None
    """The best complete path; None if no path was completed, or none that is feasible."""
    score: float
    looks: int
    iterations: int
    """The iterations that ended."""
    ended: bool
    """Whether the rules ended the search (`tolerance`, `beta`)."""

    @classmethod
    def none(cls) -> Outcome:
        """Return the outcome of no pass."""
        return cls(None, -np.inf, looks=0, iterations=0, ended=False)
