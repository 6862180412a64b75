"""Problems on graphs: files, random graphs, cuts."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.testing import check_problem
from swarmkit_graphs.best_known import CUTS
from swarmkit_graphs.graph import merged
from swarmkit_graphs.maxcut import MaxCut
from tests.instances import files, rows


@st.composite
def graphs(draw, most=6):
    """Draw a small graph with weights of both signs; edges may be listed several times, in both directions."""
    n = draw(st.integers(1, most))
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    listed = draw(st.lists(st.tuples(st.sampled_from(pairs), st.integers(-3, 3)), max_size=12)) if pairs else []
    edges = np.array([pair for pair, _ in listed], np.int64).reshape(-1, 2)
    return merged("drawn", n, edges, np.array([weight for _, weight in listed], float))


@given(graphs())
def test_the_score_is_the_weight_of_the_edges_between_the_sides(graph):
    problem = MaxCut(graph)
    X = np.array(list(itertools.product([0, 1], repeat=graph.n)))
    listed = list(zip(graph.edges.tolist(), graph.weights, strict=True))
    cuts = [sum(weight for (i, j), weight in listed if x[i] != x[j]) for x in X]
    assert problem.score(X).tolist() == cuts
    assert problem.metrics(X[-1]) == {"cut": cuts[-1]}


@pytest.mark.parametrize("layout", ["uniform", "torus", "geometric"])
@pytest.mark.parametrize("n", [1, 2, 12])
def test_drawn_cuts_keep_the_contract(layout, n):
    check_problem(swarmkit.make_problem("maxcut", n=n, layout=layout, weights="signs"), examples=3)


def test_random_graphs_have_the_density_that_is_asked_for():
    for layout in ("uniform", "geometric"):
        graph = swarmkit.make_problem("maxcut", n=600, density=0.05, layout=layout, seed=2).graph
        assert 0.04 < len(graph.edges) / (600 * 599 / 2) < 0.055
        assert (graph.edges[:, 0] < graph.edges[:, 1]).all()
        assert len(np.unique(graph.edges, axis=0)) == len(graph.edges)
    assert len(swarmkit.make_problem("maxcut", n=40, density=1).graph.edges) == 40 * 39 / 2
    assert len(swarmkit.make_problem("maxcut", n=40, density=0).graph.edges) == 0
    torus = swarmkit.make_problem("maxcut", n=12, layout="torus").graph
    assert np.bincount(torus.edges.ravel()).tolist() == [4] * 12


def test_seeds_draw_graphs():
    one, again, other = (swarmkit.make_problem("maxcut", seed=seed) for seed in (1, 1, 2))
    assert one.fingerprint == again.fingerprint != other.fingerprint


RUDY = "3 2\n1 2 5\n3 1 -1\n"
COL = "c a comment\np edge 3 2\ne 1 2\ne 2 3\n"


@pytest.mark.parametrize("text", [RUDY, "3 3\n1 2 2 2 1 3\n1 3 -1"])
def test_the_weights_of_an_edge_that_is_listed_twice_are_added(tmp_path, text):
    (tmp_path / "a.txt").write_text(text)
    graph = swarmkit.make_problem("maxcut", file=str(tmp_path / "a.txt")).graph
    assert (graph.edges.tolist(), graph.weights.tolist()) == ([[0, 1], [0, 2]], [5.0, -1.0])


@pytest.mark.parametrize("text", [COL, COL + "e 2 1\ne 3 2\n", COL.replace("3 2", "3 4") + "e 2 1\n\ne 3 2\n"])
def test_a_dimacs_file_may_list_both_directions(tmp_path, text):
    (tmp_path / "a.col").write_text(text)
    graph = swarmkit.make_problem("maxcut", file=str(tmp_path / "a.col")).graph
    assert (graph.edges.tolist(), graph.weights.tolist()) == ([[0, 1], [1, 2]], [1.0, 1.0])


WRONG = {
    "empty": ("", "line 1: the file ends after 0 numbers of the number of nodes"),
    "words": ("nodes 3\n", "line 1: 'nodes' is not a number; expected a graph in rudy's format"),
    "no nodes": ("0 0\n", "line 1: 0 as the number of nodes; expected a whole number from 1"),
    "many nodes": ("1e9 0\n", "line 1: 1e+09 as the number of nodes"),
    "truncated": ("3 2\n1 2 1\n", "line 2: the file ends after 3 numbers of the edges, three for each; expected 6"),
    "claims": ("3 1e11\n1 2 1\n", "line 2: the file ends after 3 numbers of the edges"),
    "too long": (RUDY + "1 2 1\n", "line 4: '1' after 2 edges"),
    "unknown node": (RUDY.replace("3 1", "4 1"), "line 3: an edge from 4 to 1; expected two different nodes"),
    "loop": (RUDY.replace("3 1", "3 3"), "line 3: an edge from 3 to 3"),
    "not finite": (RUDY.replace("5", "nan"), "line 2: 'nan' is not finite"),
    "no head": ("e 1 2\n", "line 1: 'e 1 2'; expected 'p edge n m'"),
    "comments only": ("c nothing\n", "line 1: the file ends; expected 'p edge n m'"),
    "no size": ("p edge\n", "line 1: 'p edge'; expected 'p edge n m'"),
    "huge": ("p edge 99999999999 1\n", "line 1: 'p edge 99999999999 1'; expected 'p edge n m'"),
    "short edge": (COL.replace("e 2 3", "e 2"), "line 4: 'e 2'; expected 'e i j'"),
    "no edge": (COL.replace("e 2 3", "e 2 x"), "line 4: 'e 2 x'; expected 'e i j'"),
    "far": (COL.replace("e 2 3", "e 2 4"), "line 4: an edge from 2 to 4; expected two different nodes"),
    "other lines": (COL + "n 1 2\n", "line 5: 'n 1 2'; expected an edge 'e i j' or a comment"),
    "missing edges": (COL.replace("3 2", "3 9"), "line 4: the file ends after 2 edges; expected 9"),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG)
def test_a_malformed_graph_is_refused_with_its_line(tmp_path, text, said):
    (tmp_path / "a.txt").write_text(text)
    with pytest.raises(swarmkit.UsageError) as refused:
        swarmkit.make_problem("maxcut", file=str(tmp_path / "a.txt"))
    assert f"a.txt, {said}" in str(refused.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"file": "a", "weights": "signs"}, "'file' and 'weights' are both given"),
        ({"layout": "torus", "density": 0.5}, "'density' does not go with 'layout=torus'"),
        ({"n": 20_000, "density": 1}, "more than 10,000,000 edges"),
    ],
)
def test_options_that_contradict_each_other_are_refused(options, said):
    with pytest.raises(swarmkit.UsageError, match=said):
        swarmkit.make_problem("maxcut", **options)


@pytest.mark.parametrize("row", rows([{"name": "G1", "best_known_cut": "11624"}], "gset", "best_known.csv"), ids=str)
def test_the_best_known_cuts_are_those_that_were_published(row):
    assert {name: cut for (name, _, _), cut in CUTS.items()}[row["name"]] == float(row["best_known_cut"])


BIPARTITE = {"n": 100, "layout": "torus", "best": 200}  # sides of even length: every edge can be cut


@pytest.mark.parametrize(
    "options", [BIPARTITE, *({"file": str(file)} for file in files([], "gset", ["G11.txt"]))], ids=str
)
def test_the_best_known_cut_is_reached(options):
    problem = swarmkit.make_problem("maxcut", **options)
    result = swarmkit.solve(problem, "annealing", looks=100_000_000, target=problem.best)
    assert result.metrics == {"cut": problem.best, "best known": problem.best, "gap": 0.0}
