"""The gain table against its definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise
from swarmkit.kernels import gain_table
from swarmkit.search import GainTable, links_of
from tests.plain_climbs import forms, solutions

seeds = st.integers(0, 999)


def as_tables(form):
    """The same form, its tables read where they are."""
    same = Pairwise(form.sizes, form.unary, form.edges, form.starts, form.weights, form.flat, form.distinct)
    same.__dict__["shared"] = True
    return same


def plain_values(form, x):
    """The twin: each stage's candidates beside the rest."""
    return np.concatenate([form.marginals(x[None], stage)[0] for stage in range(len(x))])


@given(forms, seeds)
def test_the_values_are_what_the_form_says_of_every_candidate(form, seed):
    x = solutions(form, 1, np.random.default_rng(seed))[0]
    for laid in (form, as_tables(form)):
        assert np.allclose(GainTable.at(laid, x, np.random.default_rng(1)).values, plain_values(form, x))


@given(forms, seeds)
def test_moves_keep_the_table_up_to_date_and_gain_what_was_read(form, seed):
    rng = np.random.default_rng(seed)
    for laid in (form, as_tables(form)):
        table = GainTable.at(laid, solutions(form, 1, rng)[0], rng)
        for _ in range(6):
            stage = int(rng.integers(len(table.x)))
            candidate = int(rng.integers(form.sizes[stage]))
            gain = gain_table.gain(links_of(laid), table.current, stage, candidate)
            assert gain == pytest.approx(form.gains(table.x[None], stage)[0, candidate])
            gain_table.move(links_of(laid), table.current, stage, candidate)
            assert table.x[stage] == candidate
            assert np.allclose(table.values, plain_values(form, table.x))
            if form.distinct:
                assert all(table.holder[c] == i for i, c in enumerate(table.x))


@given(forms, seeds)
def test_returning_to_the_best_restores_solution_table_and_score(form, seed):
    rng = np.random.default_rng(seed)
    table = GainTable.at(form, solutions(form, 1, rng)[0], rng)
    for stage in range(len(table.x)):
        gain_table.move(links_of(form), table.current, stage, int(rng.integers(form.sizes[stage])))
    table.scores[0] = -np.inf
    table.return_to_best(form)
    assert table.x.tolist() == table.best.tolist()
    assert table.scores[0] == table.scores[1]
    assert np.allclose(table.values, plain_values(form, table.best))
    if form.distinct:
        assert all(table.holder[c] == i for i, c in enumerate(table.x))


def test_parallel_edges_are_added_up_and_neighbours_in_a_row_are_one_run():
    table = np.arange(6.0).reshape(2, 3)
    form = Pairwise.of([2, 3, 2], [(0, 1, table), (1, 0, table.T.copy(), 2.0), (0, 2, np.eye(2))])
    links = links_of(form)
    assert links.runs[links.indptr[0] : links.indptr[1], :2].tolist() == [[2, 5]]
    values = GainTable.at(form, np.array([1, 0, 0]), np.random.default_rng(1)).values
    assert values.tolist() == [0 + 1, 9 + 0, 9, 12, 15, 0, 1]
