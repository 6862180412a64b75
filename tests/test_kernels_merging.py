"""The best child of two solutions, against all of their children."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise
from swarmkit.compiled import merge, start_walk
from swarmkit.kernels import merging
from swarmkit.testing.families import Shape, random_form, shapes

forms = st.builds(random_form, shapes())
seeds = st.integers(0, 999)


def two_solutions(form, seed):
    """A walk that stands elsewhere than its best solution, and a third one."""
    rng = np.random.default_rng(seed)
    walk = start_walk(form, rng.integers(form.sizes), rng)
    walk.best[:] = rng.integers(form.sizes)
    walk.scores[1] = form.score(walk.best[None])[0]
    return walk, rng.integers(form.sizes)


def is_whole(form, walk):
    """Tell whether a walk stands at its best, with scores and field as they should be."""
    field = np.concatenate([form.marginals(walk.x[None], stage)[0] for stage in range(len(walk.x))])
    score = form.score(walk.best[None])[0]
    return np.allclose(walk.values, field) and np.allclose(walk.scores, score) and (walk.x == walk.best).all()


def children(mine, other):
    """All solutions with one or the other's candidate at every stage."""
    return np.array(list(itertools.product(*[{int(a), int(b)} for a, b in zip(mine, other, strict=True)])))


@given(forms, seeds)
def test_the_child_is_the_best_of_all(form, seed):
    walk, other = two_solutions(form, seed)
    every = children(walk.best, other)
    looks = merge(form, walk, other)
    assert walk.scores[1] == pytest.approx(form.score(every).max())
    assert is_whole(form, walk)
    assert (looks > 0) == (len(every) > 1)


@given(seeds)
def test_where_too_much_is_open_the_child_is_still_no_worse_than_either(seed):
    form = random_form(Shape(60, 4, 30, "floats", seed))
    walk, other = two_solutions(form, seed)
    before = walk.scores[1]
    merge(form, walk, other)
    assert walk.scores[1] >= max(before, form.score(other[None])[0]) - 1e-9
    assert is_whole(form, walk)


def test_parts_that_are_not_linked_are_open_one_after_the_other():
    # Forty pairs of stages that should agree: only one of each pair is open at a time.
    form = Pairwise.of([2] * 80, [(i, i + 40, np.eye(2)) for i in range(40)])
    walk = start_walk(form, np.repeat([0, 1], 40), np.random.default_rng(1))
    looks = merge(form, walk, np.repeat([1, 0], 40))
    assert walk.scores[1] == 40
    assert looks == 40 * (1 + 2)


def plain_closing(table, bit):
    """The twin of `close`: the better of two halves, along one of the axes."""
    cube = table.reshape([2] * (len(table).bit_length() - 1))
    axis = cube.ndim - 1 - bit
    return cube.max(axis=axis).ravel(), cube.argmax(axis=axis).ravel()


@given(st.integers(1, 6).flatmap(lambda w: st.tuples(st.just(w), st.integers(0, w - 1))), seeds)
def test_closing_a_stage_keeps_the_better_of_its_choices(shape, seed):
    width, bit = shape
    table = np.random.default_rng(seed).random(1 << width)
    best, chosen = plain_closing(table, bit)
    marks = np.zeros(1 << width, np.uint8)
    merging.close(table, marks, width, bit)
    half = 1 << (width - 1)
    assert table[:half].tolist() == best.tolist()
    assert marks[:half].tolist() == chosen.tolist()


def test_what_gains_too_little_is_left():
    form = Pairwise.of([2, 2], unary=[0.0, 0.5, 0.0, 2.0])
    walk = start_walk(form, np.zeros(2, np.int64), np.random.default_rng(1))
    merge(form, walk, np.ones(2, np.int64), slight=1.0)
    assert walk.x.tolist() == [0, 1]


def test_where_stages_must_differ_the_best_is_all_that_is_gone_back_to():
    form = Pairwise.of([3, 3, 3], [(0, 1, np.eye(3))], distinct=True)
    walk = start_walk(form, np.array([2, 1, 0]), np.random.default_rng(1))
    walk.best[:] = [0, 1, 2]
    assert merge(form, walk, np.array([2, 1, 0])) == 0
    assert walk.x.tolist() == [0, 1, 2]
