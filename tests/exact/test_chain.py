import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import PairwiseProblem
from swarmkit.contract.structure import chain_order
from swarmkit.testing.families import FAMILIES, Shape, shapes
from swarmkit_exact.chain import plain_solve_chain, solve_chain


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


@settings(deadline=None)
@given(chains())
def test_kernel_and_plain_twin_agree(form):
    chain = chain_of(form)
    fast, plain = solve_chain(form, chain), plain_solve_chain(form, chain)
    assert fast.score == pytest.approx(plain.score)
    assert fast.looks == plain.looks


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
