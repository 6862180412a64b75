"""Scores of children by difference against the form's own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise, PairwiseProblem
from swarmkit.kernels import gain_table, scoring  # noqa: F401  (compiled before the clock runs)
from swarmkit.search import links_of
from swarmkit.testing.families import BlackBox, Shape, random_form
from swarmkit_genetic.ga import child_scores
from swarmkit_genetic.kernels.offspring import Parents, difference
from tests.plain_climbs import forms


@given(forms, st.integers(0, 999))
def test_a_difference_is_the_difference_of_two_scores(form, seed):
    x, goal = np.random.default_rng(seed).integers(form.sizes, size=(2, len(form.sizes)))
    y = x.copy()
    change = difference(links_of(form), form.unary, y, goal)
    assert change == pytest.approx(form.score(goal[None])[0] - form.score(x[None])[0])
    assert y.tolist() == goal.tolist()


@given(forms, st.integers(0, 999))
def test_children_are_scored_as_the_form_scores_them(form, seed):
    rng = np.random.default_rng(seed)
    X, children = rng.integers(form.sizes, size=(2, 6, len(form.sizes)))
    parents = Parents(X, form.score(X), rng.integers(6, size=(6, 2)))
    children[::2] = X[parents.pairs[::2, 0]]  # some are copies, others near one of their parents
    children[::3, -1] = rng.integers(form.sizes[-1], size=2)
    assert child_scores(PairwiseProblem(form), parents, children) == pytest.approx(form.score(children))


@given(st.integers(3, 14), st.integers(0, 999), st.booleans())
def test_tours_are_scored_as_the_form_scores_them(n, seed, symmetric):
    rng = np.random.default_rng(seed)
    order, away = rng.permutation(n), rng.random((n, n))
    table = away + away.T if symmetric else away
    form = Pairwise.of([n] * n, [(order[i], order[(i + 1) % n], table) for i in range(n)], distinct=True)
    X = np.array([rng.permutation(n) for _ in range(4)])
    parents = Parents(X, form.score(X), np.array([[0, 1]] * 4))
    assert child_scores(PairwiseProblem(form), parents, X) == pytest.approx(form.score(X))


def test_children_near_a_parent_and_far_from_both_are_scored_right():
    form = random_form(Shape(24, 4, 3, "signs", 5))
    rng = np.random.default_rng(2)
    X = rng.integers(form.sizes, size=(3, 24))
    children = X.copy()
    children[1] = rng.integers(form.sizes)
    stage = int(np.argmax(form.sizes))
    children[2, stage] = (X[2, stage] + 1) % form.sizes[stage]
    parents = Parents(X, form.score(X), np.array([[0, 0], [1, 2], [0, 2]]))
    for problem in (PairwiseProblem(form), BlackBox(form)):
        assert child_scores(problem, parents, children) == pytest.approx(form.score(children))
