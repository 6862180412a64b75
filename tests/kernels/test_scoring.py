"""Compiled scores of many solutions against the form's own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise, PairwiseProblem
from swarmkit.kernels import gain_table, scoring  # noqa: F401  (compiled before the clock runs)
from swarmkit.search import batch_scores
from swarmkit.testing.families import Shape, random_form
from tests.plain_climbs import forms


@given(forms, st.integers(0, 999), st.integers(0, 5))
def test_a_batch_is_scored_as_the_form_scores_it(form, seed, k):
    X = np.random.default_rng(seed).integers(form.sizes, size=(k, len(form.sizes)))
    assert batch_scores(PairwiseProblem(form), X) == pytest.approx(form.score(X))


@given(st.integers(3, 14), st.integers(0, 999), st.booleans())
def test_tours_are_scored_as_the_form_scores_them(n, seed, symmetric):
    rng = np.random.default_rng(seed)
    order, away = rng.permutation(n), rng.random((n, n))
    table = away + away.T if symmetric else away
    form = Pairwise.of([n] * n, [(order[i], order[(i + 1) % n], table) for i in range(n)], distinct=True)
    problem = PairwiseProblem(form)
    assert problem.structure.tour is not None
    X = np.array([rng.permutation(n) for _ in range(4)])
    assert batch_scores(problem, X) == pytest.approx(form.score(X))


def test_blocks_make_no_difference(monkeypatch):
    form = random_form(Shape(5, 4, 4, "signs", 3))
    X = np.random.default_rng(1).integers(form.sizes, size=(20, 5))
    monkeypatch.setattr("swarmkit.search.tables.BLOCK", 7)
    assert batch_scores(PairwiseProblem(form), X) == pytest.approx(form.score(X))
