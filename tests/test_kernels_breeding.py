"""Crossover and mutation against plain versions that are told the same draws."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from swarmkit.compiled.breeding import NOWHERE
from swarmkit.kernels import breeding, chance


@st.composite
def arrangements(draw):
    """Two arrangements of n out of m, and a stretch of them."""
    n = draw(st.integers(1, 8))
    m = draw(st.integers(n, 10))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    low = draw(st.integers(0, n - 1))
    return rng.permutation(m)[:n], rng.permutation(m)[:n], low, draw(st.integers(low + 1, n)), m


def crossed(operator, a, b, low, high, m):
    child, place = np.full(len(a), -9), np.full(m, -1)
    operator(a, b, low, high, place, child)
    assert (place == -1).all()
    return child.tolist()


def test_order_crossover_by_hand():
    a, b = np.arange(8), np.array([7, 5, 3, 1, 0, 2, 4, 6])
    assert crossed(breeding.order_crossover, a, b, 2, 5, 8) == [1, 0, 2, 3, 4, 6, 7, 5]


def test_partially_mapped_crossover_by_hand():
    a, b = np.arange(8), np.array([3, 7, 5, 1, 6, 0, 2, 4])
    assert crossed(breeding.partially_mapped, a, b, 3, 6, 8) == [1, 7, 0, 3, 4, 5, 2, 6]


def plain_order_crossover(a, b, low, high):
    """a's stretch, and from its end on, wrapped around, what b has there and it does not."""
    kept = a[low:high].tolist()
    rest = [c for c in np.roll(b, -high).tolist() if c not in kept][: len(a) - len(kept)]
    return np.roll(kept + rest, low).tolist()


def plain_partially_mapped(a, b, low, high):
    """b, where a's stretch takes candidates away what these replaced there, and a's stretch."""
    replaced = dict(zip(a[low:high].tolist(), b[low:high].tolist(), strict=True))
    child = b.tolist()
    for i in [*range(low), *range(high, len(a))]:
        while child[i] in replaced:
            child[i] = replaced[child[i]]
    child[low:high] = a[low:high].tolist()
    return child


def plain_toss(a, b, words):
    """Each stage from a or b, as the bits of a draw say, 64 stages a draw."""
    bits = [int(chance.draw(words)) for _ in range(-(-len(a) // 64))]
    return [int(a[i]) if bits[i // 64] >> (i % 64) & 1 else int(b[i]) for i in range(len(a))]


def plain_mutation(child, sizes, rate, kind, words):
    """The twin of `mutate`: from one stage that mutates to the next, as the geometric distribution has it."""
    child, n, i = list(child), len(child), 0
    while True:
        u = chance.uniform(words)
        i += 0 if rate == 1 else n if rate == 0 else int(np.log(1 - u) / np.log1p(-rate))
        if i >= n:
            break
        if kind == breeding.INVERSION and sizes[i] > 1:
            low, high = sorted((i, chance.below(words, n)))
            child[low : high + 1] = child[low : high + 1][::-1]
        elif sizes[i] > 1:
            c = chance.below(words, sizes[i] - 1)
            c += c >= child[i]
            if kind == breeding.SWAP and c in child:
                child[child.index(c)] = child[i]
            child[i] = c
        i += 1
    return child


@given(arrangements())
def test_crossovers_of_arrangements_are_the_plain_ones(case):
    *given_, m = case
    assert crossed(breeding.order_crossover, *given_, m) == plain_order_crossover(*given_)
    child = crossed(breeding.partially_mapped, *given_, m)
    assert child == plain_partially_mapped(*given_)
    assert len(set(child)) == len(child)


@given(st.integers(1, 200), st.integers(0, 999))
def test_one_point_and_uniform_crossover_take_every_stage_from_a_parent(n, seed):
    rng = np.random.default_rng(seed)
    a, b, child = rng.integers(9, size=n), rng.integers(9, size=n), np.empty(n, np.int64)
    cut = int(rng.integers(n + 1))
    breeding.one_point(a, b, cut, child)
    assert child.tolist() == [*a[:cut], *b[cut:]]
    words = chance.seeded(rng)
    expected = plain_toss(a, b, words.copy())
    breeding.toss(a, b, words, child)
    assert child.tolist() == expected


@given(arrangements(), st.sampled_from([breeding.SWAP, breeding.INVERSION]), st.integers(0, 999))
def test_mutated_arrangements_are_arrangements(case, kind, seed):
    child, *_, m = case
    breeding.mutate(child, np.full(len(child), m), NOWHERE, 0.5, kind, chance.seeded(np.random.default_rng(seed)))
    assert len(set(child)) == len(child)
    assert 0 <= child.min() <= child.max() < m


def test_so_many_stages_mutate_as_asked_and_all_to_something_else():
    sizes = np.tile([1, 2, 5], 2000)
    child = np.zeros(6000, np.int64)
    breeding.mutate(child, sizes, NOWHERE, 0.25, breeding.CHANGE, chance.seeded(np.random.default_rng(1)))
    assert not child[sizes == 1].any()
    assert 0.22 < (child[sizes > 1] > 0).mean() < 0.28
    assert np.bincount(child[sizes == 5])[1:].min() > 90  # 125 of each expected


@given(st.integers(1, 30), st.sampled_from([0.1, 0.5, 1.0]), st.sampled_from(range(3)), st.integers(0, 999))
def test_mutation_is_the_plain_one(n, rate, kind, seed):
    rng = np.random.default_rng(seed)
    sizes = np.full(n, n + 1) if kind else rng.integers(1, 5, n)
    child = rng.permutation(n + 1)[:n] if kind else rng.integers(sizes)
    words = chance.seeded(rng)
    again = words.copy()
    plain = plain_mutation(child.tolist(), sizes, rate, kind, again)
    breeding.mutate(child, sizes, NOWHERE, rate, kind, words)
    assert child.tolist() == plain
    assert (words == again).all()


def plain_breed(X, parents, sizes, crossover, crossover_rate, mutation, mutation_rate, words):
    """The twin of `breed`: a child of each pair, by the plain operators."""
    children, n = [], len(sizes)
    for a, b in X[parents]:
        child = a.tolist()
        if chance.uniform(words) < crossover_rate:
            if crossover == breeding.ONE_POINT:
                cut = chance.below(words, n + 1)
                child = [*a[:cut].tolist(), *b[cut:].tolist()]
            elif crossover == breeding.UNIFORM:
                child = plain_toss(a, b, words)
            else:
                low = chance.below(words, n)
                high = low + 1 + chance.below(words, n - low)
                cross = plain_order_crossover if crossover == breeding.ORDER else plain_partially_mapped
                child = cross(a, b, low, high)
        children.append(plain_mutation(child, sizes, mutation_rate, mutation, words))
    return children


FREE = [(breeding.ONE_POINT, breeding.CHANGE), (breeding.UNIFORM, breeding.CHANGE)]
ARRANGED = [
    (cross, change) for cross in (breeding.ORDER, breeding.PMX) for change in (breeding.SWAP, breeding.INVERSION)
]


@given(st.integers(1, 12), st.sampled_from(FREE + ARRANGED), st.sampled_from([0.0, 0.2, 1.0]), st.integers(0, 999))
def test_a_generation_is_bred_as_plainly_told(n, operators, rate, seed):
    rng = np.random.default_rng(seed)
    sizes = np.full(n, n + 2) if operators in ARRANGED else rng.integers(1, 5, n)
    X = np.array([rng.permutation(n + 2)[:n] if operators in ARRANGED else rng.integers(sizes) for _ in range(4)])
    parents, children, words = rng.integers(4, size=(6, 2)), np.empty((6, n), np.int64), chance.seeded(rng)
    again = words.copy()
    expected = plain_breed(X, parents, sizes, operators[0], 0.7, operators[1], rate, again)
    place = np.full(int(sizes.max()), -1)
    room = np.empty(n, np.int64)
    breeding.breed(X, parents, sizes, NOWHERE, operators[0], 0.7, operators[1], rate, place, room, words, children)
    assert children.tolist() == expected
    assert (words == again).all()
