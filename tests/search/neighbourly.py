"""A problem of every kind that has a neighbourhood of its own, and one that brings its neighbourhood."""

import dataclasses

import numpy as np
from hypothesis import strategies as st

from swarmkit import Pairwise, PairwiseProblem
from swarmkit.search import (
    Moves,
    Neighbourhood,
    ScoreNeighbourhood,
    TableNeighbourhood,
    TourNeighbourhood,
)
from swarmkit.search.sequence_neighbourhood import SequenceNeighbourhood
from swarmkit.testing.families import (
    BlackBox,
    Bounded,
    Judged,
    Shape,
    problems,
    random_assignment,
    random_form,
    random_tour,
)


class Gaining(BlackBox):
    """A black box that can say its gains."""

    def gains(self, x, stage):
        return self._form.gains(x[None], stage)[0]


class Constrained(PairwiseProblem):
    """Tables with a constraint that they do not say."""

    def feasible(self, X):
        return X.sum(axis=1) >= 2

    def score(self, X):
        return super().score(X)


class Rotations(Neighbourhood):
    """All stages take the candidates of their neighbours, some places further."""

    def random_moves(self, X, rng):
        shifts = rng.integers(1, X.shape[1], size=len(X))
        return Moves(np.array([np.roll(x, shift) for x, shift in zip(X, shifts, strict=True)]), 0 * shifts + X.shape[1])


class Turning(BlackBox):
    """A permutation that brings its neighbourhood."""

    def neighbourhood(self):
        return Rotations(self)


class Costly(Turning):
    """The same as a cost."""

    direction = "minimise"

    def score(self, X):
        return 0.0 - np.asarray(super().score(X))


CLASSES = {
    "black box": ScoreNeighbourhood,
    "gains": ScoreNeighbourhood,
    "bounded": ScoreNeighbourhood,
    "judged": ScoreNeighbourhood,
    "constrained": ScoreNeighbourhood,
    "few choices": ScoreNeighbourhood,
    "permutation": SequenceNeighbourhood,
    "picks": SequenceNeighbourhood,
    "tables": TableNeighbourhood,
    "large tables": TableNeighbourhood,
    "assignment": TableNeighbourhood,
    "large assignment": TableNeighbourhood,
    "asymmetric tour": TableNeighbourhood,
    "tour": TourNeighbourhood,
    "brought": Rotations,
}
"""The neighbourhood of each kind of problem."""


def problem_of(kind, seed):
    """A problem of a kind."""
    shape = Shape(6, 4, 3, "signs", seed)
    square = Pairwise.of([4] * 4, [(0, 1, np.arange(16.0).reshape(4, 4)), (2, 3, np.eye(4))], distinct=True)
    made = {
        "black box": lambda: BlackBox(random_form(shape)),
        "gains": lambda: Gaining(random_form(shape, distinct=bool(seed % 2))),
        "bounded": lambda: Bounded(random_form(shape)),
        "judged": lambda: Judged(random_form(shape)),
        "constrained": lambda: Constrained(random_form(shape, distinct=bool(seed % 2))),
        "few choices": lambda: BlackBox(Pairwise.of([1, 3, 1, 2], unary=np.arange(7.0))),
        "permutation": lambda: BlackBox(square),
        "picks": lambda: BlackBox(Pairwise.of([9] * 4, [(0, 1, np.arange(81.0).reshape(9, 9))], distinct=True)),
        "tables": lambda: PairwiseProblem(random_form(shape, distinct=bool(seed % 2))),
        "large tables": lambda: PairwiseProblem(random_form(Shape(300, 9, 3, "floats", seed))),
        "assignment": lambda: PairwiseProblem(random_assignment(shape, symmetric=bool(seed % 2))),
        "large assignment": lambda: PairwiseProblem(random_assignment(Shape(30, 30, 3, "floats", 1), symmetric=True)),
        "asymmetric tour": lambda: PairwiseProblem(random_tour(shape, symmetric=False)),
        "tour": lambda: PairwiseProblem(random_tour(Shape(9, 4, 3, "floats", seed))),
        "brought": lambda: Turning(square),
    }
    return made[kind]()


def any_problem():
    """Problems of all kinds."""
    return problems() | st.builds(problem_of, st.sampled_from(sorted(CLASSES)), st.integers(0, 99))


def same(one, other):
    """Whether two dataclasses or named tuples of the same class hold the same, to the last bit.

    Memory that nothing was written to may differ.
    """
    for name in getattr(one, "_fields", None) or [field.name for field in dataclasses.fields(one)]:
        mine, theirs = getattr(one, name), getattr(other, name)
        if dataclasses.is_dataclass(mine) or hasattr(mine, "_fields"):
            if not same(mine, theirs):
                return False
        elif name not in UNWRITTEN and not np.array_equal(mine, theirs):
            return False
    return type(one) is type(other)


UNWRITTEN = {"values", "holder", "order", "tour", "position", "queue"}
"""Fields of climbs that are empty memory before the first piece of work."""
