"""Crossover, mutation and whole generations against plain versions with the same draws."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from swarmkit.kernels import rng
from swarmkit.search import rng_state
from swarmkit_genetic.kernels import offspring
from swarmkit_genetic.kernels.offspring import (
    CHANGE,
    INSERTION,
    INVERSION,
    ONE_POINT,
    ORDER,
    PMX,
    SWAP,
    UNIFORM,
    Operators,
    Parents,
)


@st.composite
def permutations(draw):
    """Two permutations of n out of m candidates, and a segment of them."""
    n = draw(st.integers(1, 8))
    m = draw(st.integers(n, 10))
    generator = np.random.default_rng(draw(st.integers(0, 999)))
    low = draw(st.integers(0, n - 1))
    return generator.permutation(m)[:n], generator.permutation(m)[:n], low, draw(st.integers(low + 1, n)), m


def crossed(operator, a, b, low, high, m):
    child, position = np.full(len(a), -9), np.full(m, -1)
    operator(a, b, low, high, position, child)
    assert (position == -1).all()
    return child.tolist()


def test_order_crossover_by_hand():
    a, b = np.arange(8), np.array([7, 5, 3, 1, 0, 2, 4, 6])
    assert crossed(offspring.order_crossover, a, b, 2, 5, 8) == [1, 0, 2, 3, 4, 6, 7, 5]


def test_partially_mapped_crossover_by_hand():
    a, b = np.arange(8), np.array([3, 7, 5, 1, 6, 0, 2, 4])
    assert crossed(offspring.partially_mapped_crossover, a, b, 3, 6, 8) == [1, 7, 0, 3, 4, 5, 2, 6]


def plain_order(a, b, low, high):
    """a's segment, and from its end on, around, b's other candidates, read from there as well."""
    kept = a[low:high].tolist()
    rest = [c for c in np.roll(b, -high).tolist() if c not in kept][: len(a) - len(kept)]
    return np.roll(kept + rest, low).tolist()


def plain_partially_mapped(a, b, low, high):
    """a's segment, and b elsewhere; a candidate that the segment holds is replaced by the one it displaced there."""
    replaced = dict(zip(a[low:high].tolist(), b[low:high].tolist(), strict=True))
    child = b.tolist()
    for i in [*range(low), *range(high, len(a))]:
        while child[i] in replaced:
            child[i] = replaced[child[i]]
    child[low:high] = a[low:high].tolist()
    return child


def plain_uniform(a, b, state):
    """Each stage from a or b by the bits of a draw, 64 stages a draw."""
    bits = [int(rng.random_bits(state)) for _ in range(-(-len(a) // 64))]
    return [int(a[i]) if bits[i // 64] >> (i % 64) & 1 else int(b[i]) for i in range(len(a))]


def plain_mutation(child, sizes, rate, kind, state):
    """The twin of `mutate`: from one stage that mutates to the next by a geometric variate."""
    child, n, i = list(child), len(child), 0
    while True:
        u = rng.uniform(state)
        i += 0 if rate == 1 else n if rate == 0 else int(np.log(1 - u) / np.log1p(-rate))
        if i >= n:
            break
        if kind == INVERSION and sizes[i] > 1:
            low, high = sorted((i, rng.below(state, n)))
            child[low : high + 1] = child[low : high + 1][::-1]
        elif kind == INSERTION and sizes[i] > 1:
            j = rng.below(state, n)
            child.insert(j, child.pop(i))
        elif sizes[i] > 1:
            c = rng.below(state, sizes[i] - 1)
            c += c >= child[i]
            if kind == SWAP and c in child:
                child[child.index(c)] = child[i]
            child[i] = c
        i += 1
    return child


@given(permutations())
def test_crossovers_of_permutations_are_the_plain_ones(case):
    *given_, m = case
    assert crossed(offspring.order_crossover, *given_, m) == plain_order(*given_)
    child = crossed(offspring.partially_mapped_crossover, *given_, m)
    assert child == plain_partially_mapped(*given_)
    assert len(set(child)) == len(child)


@given(st.integers(1, 200), st.integers(0, 999))
def test_one_point_and_uniform_crossover_take_every_stage_from_a_parent(n, seed):
    generator = np.random.default_rng(seed)
    a, b, child = generator.integers(9, size=n), generator.integers(9, size=n), np.empty(n, np.int64)
    cut = int(generator.integers(n + 1))
    offspring.one_point_crossover(a, b, cut, child)
    assert child.tolist() == [*a[:cut], *b[cut:]]
    state = rng_state(generator)
    expected = plain_uniform(a, b, state.copy())
    offspring.uniform_crossover(a, b, state, child)
    assert child.tolist() == expected


@given(permutations(), st.sampled_from([SWAP, INVERSION, INSERTION]), st.integers(0, 999))
def test_mutated_permutations_are_permutations(case, kind, seed):
    child, *_, m = case
    offspring.mutate(child, np.full(len(child), m), 0.5, kind, rng_state(np.random.default_rng(seed)))
    assert len(set(child)) == len(child)
    assert 0 <= child.min() <= child.max() < m


def test_inversion_reverses_a_segment():
    child = np.arange(7)
    offspring.invert(child, 2, 6)
    assert child.tolist() == [0, 1, 5, 4, 3, 2, 6]


def test_the_share_of_stages_that_mutate_is_the_rate_and_all_take_another_candidate():
    sizes = np.tile([1, 2, 5], 2000)
    child = np.zeros(6000, np.int64)
    offspring.mutate(child, sizes, 0.25, CHANGE, rng_state(np.random.default_rng(1)))
    assert not child[sizes == 1].any()
    assert 0.22 < (child[sizes > 1] > 0).mean() < 0.28
    assert np.bincount(child[sizes == 5])[1:].min() > 90  # 125 of each expected


def test_a_stage_that_never_mutates_is_far_off():
    assert offspring.stages_skipped(0.0, 0.0) == offspring.NEVER
    assert offspring.stages_skipped(1.0, 0.7) == 0
    assert offspring.stages_skipped(0.5, 0.8) == 2  # the probability of none in two is 1/4, in three 1/8


@given(
    st.integers(1, 30),
    st.sampled_from([0.1, 0.5, 1.0]),
    st.sampled_from([CHANGE, SWAP, INVERSION, INSERTION]),
    st.integers(0, 999),
)
def test_mutation_is_the_plain_one(n, rate, kind, seed):
    generator = np.random.default_rng(seed)
    sizes = generator.integers(1, 5, n) if kind == CHANGE else np.full(n, n + 1)
    child = generator.integers(sizes) if kind == CHANGE else generator.permutation(n + 1)[:n]
    state = rng_state(generator)
    again = state.copy()
    plain = plain_mutation(child.tolist(), sizes, rate, kind, again)
    offspring.mutate(child, sizes, rate, kind, state)
    assert child.tolist() == plain
    assert (state == again).all()


def plain_children(parents, sizes, operators, state):
    """The twin of `make_children`: a child of each pair, by the plain operators."""
    children, n = [], len(sizes)
    for (a, b), kind in zip(parents.X[parents.pairs], operators.mutations, strict=True):
        child = a.tolist()
        if rng.uniform(state) < operators.crossover_rate:
            if operators.crossover == ONE_POINT:
                cut = rng.below(state, n + 1)
                child = [*a[:cut].tolist(), *b[cut:].tolist()]
            elif operators.crossover == UNIFORM:
                child = plain_uniform(a, b, state)
            else:
                low = rng.below(state, n)
                high = low + 1 + rng.below(state, n - low)
                cross = plain_order if operators.crossover == ORDER else plain_partially_mapped
                child = cross(a, b, low, high)
        children.append(plain_mutation(child, sizes, operators.mutation_rate, kind, state))
    return children


FREE = [(ONE_POINT, CHANGE), (UNIFORM, CHANGE)]
PERMUTED = [(cross, change) for cross in (ORDER, PMX) for change in (SWAP, INVERSION, INSERTION)]


@given(st.integers(1, 12), st.sampled_from(FREE + PERMUTED), st.sampled_from([0.0, 0.2, 1.0]), st.integers(0, 999))
def test_a_generation_is_the_plain_one(n, kinds, rate, seed):
    generator = np.random.default_rng(seed)
    sizes = np.full(n, n + 2) if kinds in PERMUTED else generator.integers(1, 5, n)
    rows = [generator.permutation(n + 2)[:n] if kinds in PERMUTED else generator.integers(sizes) for _ in range(4)]
    parents = Parents(np.array(rows), np.zeros(4), generator.integers(4, size=(6, 2)))
    children, state = np.empty((6, n), np.int64), rng_state(generator)
    again, operators = state.copy(), Operators(kinds[0], 0.7, np.full(6, kinds[1]), rate)
    expected = plain_children(parents, sizes, operators, again)
    offspring.make_children(parents, sizes, operators, np.full(int(sizes.max()), -1), state, children)
    assert children.tolist() == expected
    assert (state == again).all()
