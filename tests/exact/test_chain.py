import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import PairwiseProblem
from swarmkit.contract.structure import chain_order
from swarmkit.testing.families import FAMILIES, Shape, random_form, shapes
from swarmkit_exact.viterbi import solve_chain


def chain_of(form):
    return PairwiseProblem(form).structure.chain


@st.composite
def chains(draw):
    """Paths side by side, under any numbering, with edges written either way round and some written twice."""
    n, seed = draw(st.integers(1, 6)), draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    sizes, order = rng.integers(1, 5, n), rng.permutation(n)
    edges = []
    for a, b in itertools.pairwise(order):
        for _ in range(rng.integers(0, 3)):
            i, j = (a, b) if rng.random() < 0.5 else (b, a)
            edges.append((i, j, rng.normal(size=(sizes[i], sizes[j])), rng.normal()))
    return swarmkit.Pairwise.of(sizes, edges, rng.normal(size=sizes.sum()))


@settings(deadline=None)
@given(chains())
def test_a_chain_is_recognised_whatever_its_numbering(form):
    chain = chain_of(form)
    step = np.argsort(chain)
    assert sorted(chain) == list(range(len(form.sizes)))
    assert all(abs(step[i] - step[j]) == 1 for i, j in form.edges)


@settings(deadline=None)
@given(chains())
def test_the_best_of_a_chain_is_the_best_of_all_solutions(form):
    best = max(form.score(np.array([x]))[0] for x in itertools.product(*map(range, form.sizes)))
    found = solve_chain(form, chain_of(form))
    assert found.score == pytest.approx(best)
    assert form.score(found.solution[None])[0] == found.score


def plain_chain(form, chain, ranks):
    """The twin of `solve_chain` in numpy: return the best solution, its score, and the looks."""
    X = np.full((1, len(chain)), -1, np.int64)
    value, choices, looks, own_ranks = np.zeros(1), [], 0, np.zeros(1, np.int64)
    for t, stage in enumerate(chain):
        m, ranks_before = int(form.sizes[stage]), own_ranks
        own_ranks = ranks[form.offsets[stage] : form.offsets[stage + 1]]
        before = np.repeat(X, len(value), axis=0)
        if t:
            before[:, chain[t - 1]] = np.arange(len(value))
        table = value[:, None] + form.marginals(before, int(stage))
        looks += m * len(value)
        choices.append(lowest_rank(table.T, ranks_before))
        value = table.max(axis=0)
    choice, x = int(lowest_rank(value[None], own_ranks)[0]), np.zeros(len(chain), np.int64)
    for t in reversed(range(len(chain))):
        x[chain[t]], choice = choice, int(choices[t][choice])
    return x, float(form.score(x[None])[0]), looks


def lowest_rank(rows, ranks):
    """Return, for each row, the place of the highest value; of equals, that of lowest rank."""
    return np.where(rows == rows.max(axis=1, keepdims=True), ranks, np.iinfo(np.int64).max).argmin(axis=1)


@settings(deadline=None)
@given(chains(), st.integers(0, 2**32 - 1))
def test_kernel_and_plain_twin_agree(form, seed):
    chain, ranks = chain_of(form), np.random.default_rng(seed).permutation(int(form.offsets[-1]))
    fast, (_, score, looks) = solve_chain(form, chain, ranks), plain_chain(form, chain, ranks)
    assert fast.score == pytest.approx(score)
    assert fast.looks == looks
    assert fast.bound == fast.score


@settings(deadline=None)
@given(shapes())
def test_of_equal_candidates_the_chain_has_those_of_lowest_rank(shape):
    form = random_form(shape._replace(window=1, values="ties"))
    ranks = np.random.default_rng(shape.seed).permutation(int(form.offsets[-1]))
    fast, (x, score, _) = solve_chain(form, chain_of(form), ranks), plain_chain(form, chain_of(form), ranks)
    assert (fast.solution.tolist(), fast.score) == (x.tolist(), score)


@pytest.mark.parametrize(
    "edges", [[[0, 1], [0, 2], [0, 3]], [[0, 1], [1, 2], [2, 0]], [[0, 1], [2, 3], [3, 4], [4, 2]]]
)
def test_forks_and_circles_are_no_chains(edges):
    assert chain_order(5, np.array(edges)) is None


def test_stages_without_relations_are_a_chain():
    assert chain_order(3, np.empty((0, 2), int)).tolist() == [0, 1, 2]
    assert chain_order(0, np.empty((0, 2), int)).tolist() == []


def test_a_form_that_is_no_chain_is_refused():
    form = swarmkit.Pairwise.of([2, 2, 2], [(i, j, np.eye(2)) for i, j in [(0, 1), (1, 2), (2, 0)]])
    assert chain_of(form) is None
    with pytest.raises(swarmkit.Refusal, match="it is not a chain"):
        swarmkit.solve(PairwiseProblem(form), "viterbi")


@settings(deadline=None)
@given(shapes())
def test_viterbi_finds_what_exhaustive_finds(shape):
    problem = FAMILIES[0].make(shape._replace(window=1))
    exact = swarmkit.solve(problem, "viterbi")
    assert exact.score == pytest.approx(swarmkit.solve(problem, "exhaustive").score)


@pytest.mark.parametrize(
    ("family", "said"),
    [(0, "not a chain"), (1, "different candidates"), (2, "no pairwise form")],
)
def test_viterbi_says_what_it_cannot_do(family, said):
    with pytest.raises(swarmkit.Refusal, match=said):
        swarmkit.solve(FAMILIES[family].make(Shape(5, 4, 4, "floats", 1)), "viterbi")


def test_viterbi_refuses_tables_with_constraints():
    class Bounded(swarmkit.PairwiseProblem):
        def feasible(self, X):
            return X.sum(axis=1) < 3

    with pytest.raises(swarmkit.Refusal, match="constraints"):
        swarmkit.solve(Bounded(swarmkit.Pairwise.of([2, 2], [(0, 1, np.eye(2))])), "viterbi")
