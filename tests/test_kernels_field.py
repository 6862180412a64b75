"""The field of gains against its definition, and annealing on it against plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise
from swarmkit.compiled import anneal, start_walk
from swarmkit.kernels import annealing, chance, field, layout  # noqa: F401  (compiled before the clock runs)
from swarmkit.testing.families import Shape, random_form, shapes

forms = st.builds(random_form, shapes(), distinct=st.booleans()) | st.builds(
    random_form, shapes(), distinct=st.just(True), shared=st.just(True)
)
seeds = st.integers(0, 999)


def as_tables(form):
    """The same form, its tables read where they are."""
    same = Pairwise(form.sizes, form.unary, form.edges, form.starts, form.weights, form.flat, form.distinct)
    same.__dict__["shared"] = True
    return same


def solution(form, rng):
    return rng.permutation(form.sizes[0])[: len(form.sizes)] if form.distinct else rng.integers(form.sizes)


def plain_field(form, x):
    """The twin: each stage's candidates beside the rest."""
    return np.concatenate([form.marginals(x[None], stage)[0] for stage in range(len(x))])


@given(forms, seeds)
def test_the_field_is_what_the_form_says_of_every_candidate(form, seed):
    x = solution(form, np.random.default_rng(seed))
    for laid in (form, as_tables(form)):
        assert np.allclose(start_walk(laid, x, np.random.default_rng(1)).values, plain_field(form, x))


@given(forms, seeds)
def test_moves_keep_the_field_up_to_date_and_gain_what_was_read(form, seed):
    rng = np.random.default_rng(seed)
    for laid in (form, as_tables(form)):
        walk = start_walk(laid, solution(form, rng), rng)
        for _ in range(6):
            stage = int(rng.integers(len(walk.x)))
            candidate = int(rng.integers(form.sizes[stage]))
            gain = field.gain(*laid.links, walk.values, walk.x, walk.holder, stage, candidate)
            assert gain == pytest.approx(form.gains(walk.x[None], stage)[0, candidate])
            field.take(*laid.links[1:], walk.values, walk.x, walk.holder, stage, candidate)
            assert walk.x[stage] == candidate
            assert np.allclose(walk.values, plain_field(form, walk.x))
            if form.distinct:
                assert all(walk.holder[c] == i for i, c in enumerate(walk.x))


def test_parallel_edges_are_added_up_and_neighbours_in_a_row_are_one_run():
    table = np.arange(6.0).reshape(2, 3)
    form = Pairwise.of([2, 3, 2], [(0, 1, table), (1, 0, table.T.copy(), 2.0), (0, 2, np.eye(2))])
    assert form.links.runs[form.links.indptr[0] : form.links.indptr[1], :2].tolist() == [[2, 5]]
    walk = start_walk(form, np.array([1, 0, 0]), np.random.default_rng(1))
    assert walk.values.tolist() == [0 + 1, 9 + 0, 9, 12, 15, 0, 1]


@given(st.floats(-50, 5), st.floats(1e-3, 1e3), st.floats(0, 1, exclude_max=True))
def test_the_kernel_accepts_what_the_formula_accepts(delta, temperature, u):
    assert annealing.accepts(delta, temperature, u) == (delta >= 0 or u < math.exp(delta / temperature))


def plain_anneal(form, x, words, temperatures, sweep, proposals):
    """The twin: scores from scratch, the kernel's random numbers."""
    now = form.score(x[None])[0]
    best, highest = x.copy(), now
    free = np.flatnonzero(form.sizes > 1)
    for k in range(proposals):
        bits = int(chance.draw(words))
        i = free[(bits >> 32) * len(free) >> 32]
        c = (bits & 0xFFFFFFFF) * int(form.sizes[i] - 1) >> 32
        c += c >= x[i]
        temperature = temperatures[k // sweep]
        delta = form.gains(x[None], int(i))[0, c]
        if delta >= 0 or (delta > -40 * temperature and chance.uniform(words) < math.exp(delta / temperature)):
            if form.distinct:
                x[x == c] = x[i]
            x[i] = c
            now += delta
            if now > highest:
                best, highest = x.copy(), now
    return best, highest, now


@given(forms, seeds)
def test_annealing_goes_where_the_plain_version_goes(form, seed):
    if (form.sizes == 1).all():
        return
    rng = np.random.default_rng(seed)
    x = solution(form, rng)
    temperatures, sweep = np.geomspace(2.0, 0.05, 5), 10
    # Candidates of equal value would make the paths part over the last digit: unequal ones it is.
    unary = form.unary + 1e-3 * rng.random(len(form.unary))
    form = Pairwise(form.sizes, unary, form.edges, form.starts, form.weights, form.flat, form.distinct)
    walk = start_walk(form, x, rng)
    best, highest, now = plain_anneal(form, x.copy(), walk.words.copy(), temperatures, sweep, 40)
    done = anneal(form, walk, temperatures, sweep, np.zeros(2, np.int64), 40)
    assert walk.best.tolist() == best.tolist()
    assert walk.scores == pytest.approx([now, highest])
    assert done.sweeps == 4
    assert 40 <= done.looks <= (80 if form.distinct else 40)


def test_annealing_in_pieces_is_annealing_in_one():
    form = random_form(Shape(5, 4, 2, "floats", 1))
    whole, pieces = (start_walk(form, np.zeros(5, np.int64), np.random.default_rng(3)) for _ in range(2))
    anneal(form, whole, np.full(20, 0.5), 7, np.zeros(2, np.int64), 90)
    within = np.zeros(2, np.int64)
    for count in (10, 50, 30):
        anneal(form, pieces, np.full(20, 0.5), 7, within, count)
    assert whole.x.tolist() == pieces.x.tolist()
    assert whole.scores.tolist() == pieces.scores.tolist()
    assert within[0] == 90 % 7
