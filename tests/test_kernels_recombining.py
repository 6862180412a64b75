"""Partition crossover against all children that two solutions can have part by part."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise
from swarmkit.compiled import recombine, start_walk
from swarmkit.testing.families import random_form, shapes

forms = st.builds(random_form, shapes())


def differing_parts(form, a, b):
    """The twin of `part_of`: stages that differ, joined where an edge links two of them."""
    parts = [{int(i)} for i in np.flatnonzero(a != b)]
    for edge in form.edges.tolist():
        linked = [part for part in parts if part & set(edge)]
        if len(linked) == 2:
            parts = [part for part in parts if part not in linked] + [linked[0] | linked[1]]
    return parts


@given(forms, st.integers(0, 999))
def test_the_child_is_the_best_that_any_choice_of_parts_gives(form, seed):
    rng = np.random.default_rng(seed)
    walk = start_walk(form, rng.integers(form.sizes), rng)
    other, mine = walk.x.copy(), rng.integers(form.sizes)
    walk.best[:], walk.scores[1] = mine, form.score(mine[None])[0]
    parts = differing_parts(form, mine, other)
    children = []
    for choice in itertools.product((False, True), repeat=len(parts)):
        child = mine.copy()
        for part in itertools.compress(parts, choice):
            child[list(part)] = other[list(part)]
        children.append(form.score(child[None])[0])
    looks = recombine(form, walk)
    assert looks == (mine != other).sum()
    assert walk.scores == pytest.approx(max(children))
    assert walk.scores[1] == pytest.approx(form.score(walk.best[None])[0])
    assert walk.x.tolist() == walk.best.tolist()
    field = np.concatenate([form.marginals(walk.x[None], stage)[0] for stage in range(len(walk.x))])
    assert np.allclose(walk.values, field)


def test_where_stages_must_differ_the_best_is_all_that_is_gone_back_to():
    form = Pairwise.of([3, 3, 3], [(0, 1, np.eye(3))], distinct=True)
    walk = start_walk(form, np.array([2, 1, 0]), np.random.default_rng(1))
    walk.best[:] = [0, 1, 2]
    assert recombine(form, walk) == 0
    assert walk.x.tolist() == [0, 1, 2]
