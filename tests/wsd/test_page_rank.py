import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from swarmkit_wsd.measures import PageRank
from swarmkit_wsd.measures.graph import undirected, wordnet_graph
from swarmkit_wsd.measures.page_rank import SCALE, coefficients, half_walks, prepare_walks

graphs = st.integers(2, 9).flatmap(
    lambda n: st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), min_size=1, max_size=20).map(
        lambda pairs: undirected(np.array(pairs, np.int64), n)
    )
)
dampings = st.floats(0.05, 0.9)


def transitions(graph):
    """The matrix P, whose row v has 1 / degree at the neighbours of v."""
    n = len(graph.degrees)
    dense = np.zeros((n, n))
    dense[np.repeat(np.arange(n), graph.degrees), graph.neighbour] = 1.0
    return dense / np.maximum(graph.degrees, 1)[:, None]


def prepared(graph, damping, steps, epsilon):
    vertices = np.arange(len(graph.degrees))
    walks = half_walks(graph, vertices, coefficients(damping, steps), epsilon)
    return prepare_walks(vertices, walks, (1 - damping) * len(graph.neighbour)), vertices


def ratios(graph, damping, measure, vertices):
    """p_s(t) / π_t of all pairs of vertices."""
    return (1 - damping) * len(graph.neighbour) * measure.products(vertices, vertices)[0]


@settings(max_examples=60, deadline=None)
@given(graphs, dampings)
def test_long_half_walks_give_the_page_rank_that_linear_algebra_gives(graph, damping):
    of_graph, vertices = prepared(graph, damping, 400, 0.0)
    joined = np.flatnonzero(graph.degrees)
    page_rank = (1 - damping) * np.linalg.inv(np.eye(len(vertices)) - damping * transitions(graph))  # row s is p_s
    stationary = graph.degrees / max(1, graph.degrees.sum())
    expected = page_rank[np.ix_(joined, joined)] / stationary[joined]
    np.testing.assert_allclose(ratios(graph, damping, of_graph, joined), expected, atol=1e-8)


def plain_half_walk(graph, source, weights, epsilon):
    """The twin of the kernel, with dictionaries."""
    here, total = {source: 1.0}, {}
    for weight in weights:
        kept = {v: p for v, p in here.items() if p >= epsilon * graph.degrees[v]}
        here = {}
        for v, p in kept.items():
            total[v] = total.get(v, 0.0) + weight * p
            for w in graph.neighbour[graph.starts[v] : graph.starts[v + 1]].tolist():
                here[w] = here.get(w, 0.0) + p / graph.degrees[v]
    return total


@settings(max_examples=60, deadline=None)
@given(graphs, dampings, st.sampled_from([0.0, 1e-3, 0.05, 0.3]))
def test_half_walks_are_those_of_the_plain_twin_whatever_is_dropped(graph, damping, epsilon):
    weights = coefficients(damping, 10)
    walks = half_walks(graph, np.arange(len(graph.degrees)), weights, epsilon)
    for v in range(len(graph.degrees)):
        columns = walks.columns[walks.starts[v] : walks.starts[v + 1]].tolist()
        values = walks.values[walks.starts[v] : walks.starts[v + 1]]
        twin = plain_half_walk(graph, v, weights, epsilon)
        assert columns == sorted(twin)
        roots = np.sqrt(np.maximum(graph.degrees[columns], 1))
        np.testing.assert_allclose(values * roots, [twin[w] for w in columns], rtol=1e-12)


@settings(max_examples=60, deadline=None)
@given(graphs, dampings, st.sampled_from([1e-3, 0.05, 0.3]))
def test_what_is_dropped_makes_values_smaller_never_larger(graph, damping, epsilon):
    whole, dropped = (prepared(graph, damping, 10, least) for least in (0.0, epsilon))
    assert np.all(ratios(graph, damping, *dropped) <= ratios(graph, damping, *whole) + 1e-12)


def test_coefficients_are_a_series_whose_square_is_the_geometric_series():
    weights = coefficients(0.85, 12)
    square = np.convolve(weights, weights)[:13]
    np.testing.assert_allclose(square, 0.85 ** np.arange(13))


def test_a_synset_without_neighbours_is_related_to_itself_alone(lexicon, synsets):
    (alone,) = np.flatnonzero(wordnet_graph(lexicon, links=False).degrees == 0)[:1]
    some = np.append(synsets, alone)
    block = PageRank(gloss_links=False).prepare(lexicon, some).block(np.array([alone]), some)
    np.testing.assert_array_equal(block, [[0.0] * len(synsets) + [1.0]])


def test_values_stay_below_1_without_being_cut(lexicon):
    graph = wordnet_graph(lexicon, links=True)
    assert np.log1p(len(graph.neighbour)) < SCALE
    leaves = np.flatnonzero(graph.degrees == 1)[:50]  # the largest values are those of a leaf with itself
    own = np.diag(ratios(graph, PageRank().damping, PageRank().prepare(lexicon, leaves), leaves))
    assert np.all(np.log1p(own) < SCALE)
    assert np.log1p(own).max() > 10


def test_rivers_are_nearer_to_their_bank_than_to_the_one_that_keeps_money(lexicon):
    names = ["river.n.01", "bank.n.01", "depository_financial_institution.n.01", "deposit.n.04"]
    river, slope, firm, deposit = (np.array([lexicon.synset_named(name)]) for name in names)
    of = PageRank().prepare(lexicon, np.concatenate([river, slope, firm, deposit]))
    assert of.block(river, slope) > of.block(river, firm)
    assert of.block(deposit, firm) > of.block(deposit, slope)


@pytest.mark.parametrize("wrong", [{"damping": 1.0}, {"damping": 0.0}, {"steps": 0}, {"epsilon": -1.0}])
def test_impossible_parameters_are_refused(wrong):
    with pytest.raises(ValidationError):
        PageRank(**wrong)
