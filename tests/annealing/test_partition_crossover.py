"""The best child of two solutions, against all of their children."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise, PairwiseProblem
from swarmkit.testing.families import Shape, random_form, shapes
from swarmkit_annealing.annealers import TableAnnealer
from swarmkit_annealing.kernels import partition_crossover

forms = st.builds(random_form, shapes())
seeds = st.integers(0, 999)


def two_solutions(form, seed):
    """A gain table whose current solution is not its best, and a third solution."""
    rng = np.random.default_rng(seed)
    table = TableAnnealer.start(PairwiseProblem(form), rng.integers(form.sizes), rng)
    table.best[:] = rng.integers(form.sizes)
    table.scores[1] = form.score(table.best[None])[0]
    return table, rng.integers(form.sizes)


def is_consistent(form, table):
    """Whether the best solution is the current one, with scores and values as they should be."""
    values = np.concatenate([form.marginals(table.x[None], stage)[0] for stage in range(len(table.x))])
    score = form.score(table.best[None])[0]
    return np.allclose(table.values, values) and np.allclose(table.scores, score) and (table.x == table.best).all()


def children(mine, other):
    """All solutions with either parent's candidate at every stage."""
    return np.array(list(itertools.product(*[{int(a), int(b)} for a, b in zip(mine, other, strict=True)])))


@given(forms, seeds)
def test_the_child_is_the_best_of_all(form, seed):
    table, other = two_solutions(form, seed)
    every = children(table.best, other)
    looks = table.cross_over(form, other)
    assert table.scores[1] == pytest.approx(form.score(every).max())
    assert is_consistent(form, table)
    assert (looks > 0) == (len(every) > 1)


@given(seeds)
def test_where_too_many_stages_are_open_the_child_is_still_no_worse_than_either(seed):
    form = random_form(Shape(60, 4, 30, "floats", seed))
    table, other = two_solutions(form, seed)
    before = table.scores[1]
    table.cross_over(form, other)
    assert table.scores[1] >= max(before, form.score(other[None])[0]) - 1e-9
    assert is_consistent(form, table)


def test_components_are_open_one_after_the_other():
    # Forty pairs of stages that should agree: only one of each pair is open at a time.
    form = Pairwise.of([2] * 80, [(i, i + 40, np.eye(2)) for i in range(40)])
    table = TableAnnealer.start(PairwiseProblem(form), np.repeat([0, 1], 40), np.random.default_rng(1))
    looks = table.cross_over(form, np.repeat([1, 0], 40))
    assert table.scores[1] == 40
    assert looks == 40 * (1 + 2)


def plain_close(table, bit):
    """The twin of `close_stage`: the better of two halves, along one of the axes."""
    cube = table.reshape([2] * (len(table).bit_length() - 1))
    axis = cube.ndim - 1 - bit
    return cube.max(axis=axis).ravel(), cube.argmax(axis=axis).ravel()


@given(st.integers(1, 6).flatmap(lambda w: st.tuples(st.just(w), st.integers(0, w - 1))), seeds)
def test_closing_a_stage_keeps_the_better_of_its_choices(shape, seed):
    width, bit = shape
    table = np.random.default_rng(seed).random(1 << width)
    best, chosen = plain_close(table, bit)
    marks = np.zeros(1 << width, np.uint8)
    partition_crossover.close_stage(table, marks, width, bit)
    half = 1 << (width - 1)
    assert table[:half].tolist() == best.tolist()
    assert marks[:half].tolist() == chosen.tolist()


def test_a_component_that_gains_too_little_is_left():
    form = Pairwise.of([2, 2], unary=[0.0, 0.5, 0.0, 2.0])
    table = TableAnnealer.start(PairwiseProblem(form), np.zeros(2, np.int64), np.random.default_rng(1))
    table.cross_over(form, np.ones(2, np.int64), negligible=1.0)
    assert table.x.tolist() == [0, 1]


def test_where_stages_must_differ_the_best_becomes_current_and_nothing_else_happens():
    form = Pairwise.of([3, 3, 3], [(0, 1, np.eye(3))], distinct=True)
    table = TableAnnealer.start(PairwiseProblem(form), np.array([2, 1, 0]), np.random.default_rng(1))
    table.best[:] = [0, 1, 2]
    assert table.cross_over(form, np.array([2, 1, 0])) == 0
    assert table.x.tolist() == [0, 1, 2]
