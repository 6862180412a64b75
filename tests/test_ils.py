"""Kicks and climbs on the gain table against plain ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit.kernels import layout, rng  # noqa: F401  (compiled before the clock runs)
from swarmkit.search import GainTable
from swarmkit.testing.families import Shape, random_form
from swarmkit_local.kernels import ils  # noqa: F401
from swarmkit_local.kicks import kick_and_climb
from tests.plain_climbs import climbed, forms, moved, rounded, solutions
from tests.quadratic import quadratic

seeds = st.integers(0, 999)
assignments = st.builds(quadratic, st.integers(2, 6), seeds, st.booleans(), st.sampled_from([0.2, 1.0]))


def plain_kicks(form, x, rng_state, strength, enough):
    """The twin of `iterate`: kick stages near each other, climb from there, keep what is no worse."""
    free, half, looks, rounds = np.flatnonzero(form.sizes > 1), form.half_edges, 0, 0
    each = 2 if form.distinct else 1
    best = x
    while looks < enough:
        y, kicked = x, []
        i = int(free[rng.below(rng_state, len(free))])
        for _ in range(1 + rng.below(rng_state, strength)):
            c = rng.below(rng_state, int(form.sizes[i]) - 1)
            c += c >= y[i]
            kicked += [*(np.flatnonzero(y == c).tolist() if form.distinct else []), i]
            y = moved(form, y, i, c)
            near = half.neighbour[half.indptr[i] : half.indptr[i + 1]]
            i = int(near[rng.below(rng_state, len(near))]) if len(near) else i
            i = i if form.sizes[i] > 1 else int(free[rng.below(rng_state, len(free))])
            looks += each
        y, climbing = climbed(form, y, kicked, rng_state)
        x = y if form.score(y[None])[0] >= form.score(x[None])[0] else x
        best = x if form.score(x[None])[0] > form.score(best[None])[0] else best
        looks, rounds = looks + climbing, rounds + 1
    return x, best, looks, rounds


@given(forms.map(rounded) | assignments, seeds, st.integers(1, 4))
def test_kicks_lead_where_plain_ones_lead(form, seed, strength):
    if (form.sizes == 1).all():
        return
    generator = np.random.default_rng(seed)
    table = GainTable.at(form, solutions(form, 1, generator)[0], generator)
    x, best, looks, rounds = plain_kicks(form, table.x.copy(), table.rng_state.copy(), strength, 100)
    assert kick_and_climb(form, table, strength, 100) == (looks, rounds)
    assert table.x.tolist() == x.tolist()
    assert table.best.tolist() == best.tolist()


@given(forms, seeds, st.integers(1, 4))
def test_kicks_never_lose_and_keep_the_gain_table_and_the_score(form, seed, strength):
    generator = np.random.default_rng(seed)
    if (form.sizes == 1).all():
        return
    table = GainTable.at(form, solutions(form, 1, generator)[0], generator)
    before = table.scores[0]
    looks, rounds = kick_and_climb(form, table, strength, 300)
    assert looks >= 300
    assert rounds >= 1
    assert table.scores[1] >= table.scores[0] >= before
    assert form.score(np.array([table.x, table.best])) == pytest.approx(table.scores)
    assert np.allclose(table.values, GainTable.at(form, table.x, generator).values)
    if form.distinct:
        assert len(set(table.x)) == len(table.x)
        assert all(table.holder[c] == i for i, c in enumerate(table.x))


def test_kicks_find_the_optimum_of_a_small_problem():
    form = random_form(Shape(5, 4, 4, "signs", 7))
    X = np.stack(np.meshgrid(*map(np.arange, form.sizes), indexing="ij"), -1).reshape(-1, 5)
    table = GainTable.at(form, np.zeros(5, np.int64), np.random.default_rng(1))
    kick_and_climb(form, table, 3, 10_000)
    assert table.scores[1] == pytest.approx(form.score(X).max())
