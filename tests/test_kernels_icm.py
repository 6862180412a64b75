"""Climbing on the field against climbing by definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise, PairwiseProblem, improvement, local_search
from swarmkit.compiled import kick_and_climb, start_walk
from swarmkit.compiled.swaps import climb_swaps
from swarmkit.kernels import chance, icm, iterating, layout, scoring  # noqa: F401  (compiled before the clock runs)
from swarmkit.testing.families import Shape, random_form, shapes
from tests.plain_climbs import climbed, moved, plain_best
from tests.test_kernels_swaps import quadratic


@pytest.fixture(autouse=True, scope="module")
def always_compiled():
    """Small problems are climbed without a kernel; here it is the kernel that is looked at."""
    small, improvement.SMALL = improvement.SMALL, 0
    yield
    improvement.SMALL = small


forms = st.builds(random_form, shapes(), distinct=st.booleans()) | st.builds(
    random_form, shapes(), distinct=st.just(True), shared=st.just(True)
)
whole_forms = forms.map(
    lambda form: Pairwise(
        form.sizes,
        np.rint(9 * form.unary),
        form.edges,
        form.starts,
        form.weights,
        np.rint(9 * form.flat),
        form.distinct,
    )
)
"""Whole numbers, whose sums are exact: ties are ties, and broken by the same draws."""
seeds = st.integers(0, 999)


def solutions(form, k, rng):
    if form.distinct:
        return np.array([rng.permutation(form.sizes[0])[: len(form.sizes)] for _ in range(k)])
    return rng.integers(form.sizes, size=(k, len(form.sizes)))


def without_ties(form, rng):
    """Ties would be broken by the last digit, which differs between what is kept up to date and what is computed."""
    unary = form.unary + 1e-3 * rng.random(len(form.unary))
    return Pairwise(form.sizes, unary, form.edges, form.starts, form.weights, form.flat, form.distinct)


def plain_climb(form, x, words):
    """The twin: gains from scratch, the kernel's random numbers."""
    order, looks, moved = np.arange(len(x)), 0, True
    while moved:
        moved = False
        for last in range(len(x) - 1, 0, -1):
            k = chance.below(words, last + 1)
            order[[last, k]] = order[[k, last]]
        for stage in order:
            gains = form.gains(x[None], int(stage))[0]
            looks += len(gains) * (2 if form.distinct else 1)
            c = plain_best(gains, words)
            if c is not None:
                if form.distinct:
                    x[x == c] = x[stage]
                x[stage], moved = c, True
    return looks


@given(forms, seeds)
def test_climbing_goes_where_the_plain_version_goes(form, seed):
    rng = np.random.default_rng(seed)
    form = without_ties(form, rng)
    X = solutions(form, 3, rng)
    words = chance.seeded(np.random.default_rng(seed))
    plain = X.copy()
    looks = sum(plain_climb(form, x, words) for x in plain)
    improved = local_search(PairwiseProblem(form), X, "icm", np.random.default_rng(seed))
    assert improved.solutions.tolist() == plain.tolist()
    assert improved.looks == looks + X.size
    assert improved.scores == pytest.approx(form.score(plain))


@given(forms, seeds)
def test_no_single_move_betters_what_was_climbed(form, seed):
    X = solutions(form, 2, np.random.default_rng(seed))
    improved = local_search(PairwiseProblem(form), X, "icm", np.random.default_rng(seed))
    assert (improved.scores >= form.score(X) - 1e-9).all()
    for stage in range(X.shape[1]):
        assert form.gains(improved.solutions, stage).max() <= 1e-6


def test_equal_candidates_are_taken_by_chance():
    form = Pairwise.of([3], unary=[0.0, 1.0, 1.0])
    climbed = local_search(PairwiseProblem(form), np.zeros((200, 1), int), "icm", np.random.default_rng(1)).solutions
    assert 60 < (climbed == 1).sum() < 140


def plain_kicks(form, x, words, strength, enough):
    """The twin of `iterate`: kick stages near each other, climb from there, keep what is no worse."""
    free, half, looks, rounds = np.flatnonzero(form.sizes > 1), form.half_edges, 0, 0
    each = 2 if form.distinct else 1
    best = x
    while looks < enough:
        y, kicked = x, []
        i = int(free[chance.below(words, len(free))])
        for _ in range(1 + chance.below(words, strength)):
            c = chance.below(words, int(form.sizes[i]) - 1)
            c += c >= y[i]
            kicked += [*(np.flatnonzero(y == c).tolist() if form.distinct else []), i]
            y = moved(form, y, i, c)
            near = half.neighbour[half.indptr[i] : half.indptr[i + 1]]
            i = int(near[chance.below(words, len(near))]) if len(near) else i
            i = i if form.sizes[i] > 1 else int(free[chance.below(words, len(free))])
            looks += each
        y, climbing = climbed(form, y, kicked, words)
        x = y if form.score(y[None])[0] >= form.score(x[None])[0] else x
        best = x if form.score(x[None])[0] > form.score(best[None])[0] else best
        looks, rounds = looks + climbing, rounds + 1
    return x, best, looks, rounds


@given(st.builds(quadratic, st.integers(2, 6), seeds, st.booleans(), st.sampled_from([0.2, 1.0])), seeds)
def test_climbing_by_swaps_goes_where_the_plain_version_goes(form, seed):
    X, words = solutions(form, 3, np.random.default_rng(seed)), chance.seeded(np.random.default_rng(seed))
    plain = X.copy()
    looks = sum(plain_climb(form, x, words) for x in plain)
    assert climb_swaps(form, form.assignment, X, np.random.default_rng(seed)) == looks
    assert X.tolist() == plain.tolist()


@given(whole_forms, seeds, st.integers(1, 4))
def test_kicks_lead_where_plain_ones_lead(form, seed, strength):
    if (form.sizes == 1).all():
        return
    rng = np.random.default_rng(seed)
    walk = start_walk(form, solutions(form, 1, rng)[0], rng)
    x, best, looks, rounds = plain_kicks(form, walk.x.copy(), walk.words.copy(), strength, 100)
    assert kick_and_climb(form, walk, strength, 100) == (looks, rounds)
    assert walk.x.tolist() == x.tolist()
    assert walk.best.tolist() == best.tolist()


@given(forms, seeds, st.integers(1, 4))
def test_kicks_never_lose_and_keep_the_field_and_the_score(form, seed, strength):
    rng = np.random.default_rng(seed)
    if (form.sizes == 1).all():
        return
    walk = start_walk(form, solutions(form, 1, rng)[0], rng)
    before = walk.scores[0]
    looks, rounds = kick_and_climb(form, walk, strength, 300)
    assert looks >= 300
    assert rounds >= 1
    assert walk.scores[1] >= walk.scores[0] >= before
    assert form.score(np.array([walk.x, walk.best])) == pytest.approx(walk.scores)
    assert np.allclose(walk.values, start_walk(form, walk.x, rng).values)
    if form.distinct:
        assert len(set(walk.x)) == len(walk.x)
        assert all(walk.holder[c] == i for i, c in enumerate(walk.x))


def test_kicks_find_the_optimum_of_a_small_problem():
    form = random_form(Shape(5, 4, 4, "signs", 7))
    X = np.stack(np.meshgrid(*map(np.arange, form.sizes), indexing="ij"), -1).reshape(-1, 5)
    walk = start_walk(form, np.zeros(5, np.int64), np.random.default_rng(1))
    kick_and_climb(form, walk, 3, 10_000)
    assert walk.scores[1] == pytest.approx(form.score(X).max())
