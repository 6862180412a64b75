"""Kicks and climbs on the gain table against plain ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Left
from swarmkit.kernels import layout, rng  # noqa: F401  (compiled before the clock runs)
from swarmkit.search import GainTable
from swarmkit.testing.families import Shape, random_form
from swarmkit_local.kernels import ils  # noqa: F401  (compiled before the tests)
from swarmkit_local.kicks import Round, kick_and_climb
from tests.plain_climbs import climbed, forms, moved, rounded, solutions
from tests.quadratic import quadratic

seeds = st.integers(0, 999)
assignments = st.builds(quadratic, st.integers(2, 6), seeds, st.booleans(), st.sampled_from([0.2, 1.0]))


def plain_kicks(form, x, rng_state, strength, count):
    """The twin of `iterate`: kick stages near each other, climb from there, keep what is no worse."""
    free, half, looks = np.flatnonzero(form.sizes > 1), form.half_edges, 0
    each = 2 if form.distinct else 1
    best = x
    for _ in range(count):
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
        looks += climbing
    return x, best, looks


@given(forms.map(rounded) | assignments, seeds, st.integers(1, 4))
def test_kicks_lead_where_plain_ones_lead(form, seed, strength):
    if (form.sizes == 1).all():
        return
    generator = np.random.default_rng(seed)
    table = GainTable.at(form, solutions(form, 1, generator)[0], generator)
    x, best, looks = plain_kicks(form, table.x.copy(), table.rng_state.copy(), strength, 5)
    none = Round.none(len(form.sizes), strength)
    assert kick_and_climb(form, table, none, strength, Left(iterations=5)) == (looks, 5)
    assert table.x.tolist() == x.tolist()
    assert table.best.tolist() == best.tolist()


@given(forms, seeds, st.integers(1, 4))
def test_kicks_never_lose_and_keep_the_gain_table_and_the_score(form, seed, strength):
    generator = np.random.default_rng(seed)
    if (form.sizes == 1).all():
        return
    table = GainTable.at(form, solutions(form, 1, generator)[0], generator)
    before = table.scores[0]
    none = Round.none(len(form.sizes), strength)
    looks, rounds = kick_and_climb(form, table, none, strength, Left(300))
    assert 300 <= looks <= 300 + 2 * (strength + form.sizes.max())
    kick_and_climb(form, table, none, strength, Left(iterations=1))  # to the end of the round
    assert rounds >= 0
    assert table.scores[1] >= table.scores[0] >= before
    assert form.score(np.array([table.x, table.best])) == pytest.approx(table.scores)
    assert np.allclose(table.values, GainTable.at(form, table.x, generator).values)
    if form.distinct:
        assert len(set(table.x)) == len(table.x)
        assert all(table.holder[c] == i for i, c in enumerate(table.x))


@given(forms, seeds, st.integers(1, 30))
def test_rounds_with_pauses_are_those_without(form, seed, looks):
    if (form.sizes == 1).all():
        return
    x = solutions(form, 1, np.random.default_rng(seed))[0]
    whole, paused = (GainTable.at(form, x, np.random.default_rng(seed)) for _ in range(2))
    one, other = (Round.none(len(form.sizes), 3) for _ in range(2))
    expected = kick_and_climb(form, whole, one, 3, Left(500))
    spent = ended = 0
    while spent < 500:
        used, rounds = kick_and_climb(form, paused, other, 3, Left(min(looks, 500 - spent)))
        spent, ended = spent + used, ended + rounds
    assert (spent, ended) == expected
    for before, after in ((whole, paused), (one, other)):
        assert all(np.array_equal(vars(before)[name], vars(after)[name]) for name in vars(before))


def test_kicks_find_the_optimum_of_a_small_problem():
    form = random_form(Shape(5, 4, 4, "signs", 7))
    X = np.stack(np.meshgrid(*map(np.arange, form.sizes), indexing="ij"), -1).reshape(-1, 5)
    table = GainTable.at(form, np.zeros(5, np.int64), np.random.default_rng(1))
    kick_and_climb(form, table, Round.none(5, 3), 3, Left(10_000))
    assert table.scores[1] == pytest.approx(form.score(X).max())
