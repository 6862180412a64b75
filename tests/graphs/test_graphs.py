"""Problems on graphs: files, random graphs, cuts, colourings, independent sets, pictures."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.testing import check_problem
from swarmkit_graphs.best_known import CHROMATIC_NUMBERS, CUTS
from swarmkit_graphs.colouring import Colouring, clique_bound, colour_costs, greedy_colouring
from swarmkit_graphs.graph import complement, merge_edges
from swarmkit_graphs.independent_set import IndependentSet
from swarmkit_graphs.maxcut import MaxCut
from tests.instances import files, rows


@st.composite
def graphs(draw, most=6):
    """Draw a small graph with weights of both signs; edges may be listed several times, in both directions."""
    n = draw(st.integers(1, most))
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    listed = draw(st.lists(st.tuples(st.sampled_from(pairs), st.integers(-3, 3)), max_size=12)) if pairs else []
    edges = np.array([pair for pair, _ in listed], np.int64).reshape(-1, 2)
    return merge_edges("drawn", n, edges, np.array([weight for _, weight in listed], float))


@given(graphs())
def test_the_score_is_the_weight_of_the_edges_between_the_sides(graph):
    problem = MaxCut(graph)
    X = np.array(list(itertools.product([0, 1], repeat=graph.n)))
    listed = list(zip(graph.edges.tolist(), graph.weights, strict=True))
    cuts = [sum(weight for (i, j), weight in listed if x[i] != x[j]) for x in X]
    assert problem.score(X).tolist() == cuts
    assert problem.metrics(X[-1]) == {"cut": cuts[-1]}


@given(graphs(), st.integers(1, 4))
def test_the_cost_of_a_colouring_is_its_conflicts(graph, colours):
    problem = Colouring(graph, colours)
    X = np.array(list(itertools.islice(itertools.product(range(colours), repeat=graph.n), 300)))
    conflicts = [sum(x[i] == x[j] for i, j in graph.edges) for x in X]
    assert problem.score(X).tolist() == conflicts
    assert problem.metrics(X[-1]) == {"conflicts": conflicts[-1], "colours": len(set(X[-1].tolist()))}


def fewest(graph):
    """The chromatic number of a small graph, by enumeration."""
    for k in range(1, graph.n + 1):
        for x in itertools.product(range(k), repeat=graph.n):
            if all(x[i] != x[j] for i, j in graph.edges):
                return k
    raise AssertionError("n colours are always enough")


@given(graphs())
def test_the_greedy_colouring_is_legal_and_a_clique_never_larger_than_the_chromatic_number(graph):
    x = greedy_colouring(graph)
    assert all(x[i] != x[j] for i, j in graph.edges)
    assert sorted(set(x.tolist())) == list(range(x.max() + 1))
    assert clique_bound(graph) <= fewest(graph) <= x.max() + 1


@given(graphs())
def test_the_cheapest_colouring_without_a_number_of_colours_is_legal_and_has_the_fewest(graph):
    problem = Colouring(graph)
    best = swarmkit.solve(problem, "exhaustive").metrics
    assert best == {"conflicts": 0.0, "colours": fewest(graph)}


def test_a_conflict_always_costs_more_than_a_node_in_a_later_colour():
    for lowest, most in ((1, 1), (2, 5), (3, 60)):
        costs = colour_costs(lowest, most)
        assert (costs[:lowest] == 0).all()
        assert (np.diff(costs[lowest - 1 :]) > 0).all()
        assert costs.max() < 1


@given(graphs(), st.booleans())
def test_the_best_independent_set_or_clique_is_legal_and_the_largest(graph, clique):
    problem = IndependentSet(graph, clique)
    joined = {tuple(edge) for edge in graph.edges.tolist()}
    sets = itertools.chain.from_iterable(itertools.combinations(range(graph.n), k) for k in range(graph.n + 1))
    sizes = [len(s) for s in sets if all((pair in joined) == clique for pair in itertools.combinations(s, 2))]
    assert swarmkit.solve(problem, "exhaustive").metrics == {"size": max(sizes), "conflicts": 0.0}


@given(graphs())
def test_the_complement_of_the_complement_is_the_graph(graph):
    assert complement(complement(graph)).edges.tolist() == graph.edges.tolist()


CONTRACT = {
    "a cut": ("maxcut", {"weights": "signs"}),
    "a colouring": ("colouring", {"colours": 3}),
    "few colours": ("colouring", {}),
    "an independent set": ("independent-set", {}),
    "a clique": ("independent-set", {"clique": True}),
}


@pytest.mark.parametrize(("layout", "n"), [("uniform", 1), ("torus", 2), ("torus", 12), ("geometric", 12)])
@pytest.mark.parametrize("kind", CONTRACT)
def test_drawn_graphs_keep_the_contract(kind, layout, n):
    problem, options = CONTRACT[kind]
    check_problem(swarmkit.make_problem(problem, n=n, layout=layout, **options), examples=3)


@pytest.mark.parametrize("kind", CONTRACT)
def test_pictures_show_every_node_and_every_edge(kind):
    from matplotlib.figure import Figure

    problem, options = CONTRACT[kind]
    made = swarmkit.make_problem(problem, n=20, **options)
    axes = Figure().add_subplot()
    made.view().draw(np.arange(20) % made.sizes, axes)
    *lines, nodes = axes.collections
    assert sum(len(line.get_segments()) for line in lines) == len(made.graph.edges)
    assert len(nodes.get_offsets()) == 20
    assert np.isfinite(nodes.get_offsets()).all()
    scene = made.view().scene
    assert scene["points"].shape == (20, 2)
    assert scene["show"] in ("cut", "colours", "set")


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
    assert {name: cut for (name, _), cut in CUTS.items()}[row["name"]] == float(row["best_known_cut"])


BIPARTITE = {"n": 100, "layout": "torus", "best": 200}  # sides of even length: every edge can be cut


@pytest.mark.parametrize(
    "options", [BIPARTITE, *({"file": str(file)} for file in files([], "gset", ["G11.txt"]))], ids=str
)
def test_the_best_known_cut_is_reached(options):
    problem = swarmkit.make_problem("maxcut", **options)
    result = swarmkit.solve(problem, "annealing", looks=100_000_000, target=problem.best)
    assert result.metrics == {"cut": problem.best, "best known": problem.best, "gap": 0.0}


PUBLISHED = [{"name": "queen7_7", "chromatic_number": "7"}]


@pytest.mark.parametrize("row", rows(PUBLISHED, "colouring", "chromatic.csv"), ids=str)
def test_chromatic_numbers_are_those_that_were_published(row):
    found = {name: number for (name, _), number in CHROMATIC_NUMBERS.items()}
    assert found[row["name"]] == int(row["chromatic_number"])


def queens(n):
    """The graph of n by n squares, joined if a queen goes from one to the other, as a file of DIMACS."""
    squares = list(itertools.product(range(n), repeat=2))
    pairs = itertools.combinations(range(n * n), 2)
    edges = [(a, b) for a, b in pairs if attacks(squares[a], squares[b])]
    return f"p edge {n * n} {len(edges)}\n" + "".join(f"e {a + 1} {b + 1}\n" for a, b in edges)


def attacks(a, b):
    across, down = abs(a[0] - b[0]), abs(a[1] - b[1])
    return across == 0 or down == 0 or across == down


def test_a_published_graph_is_coloured_with_its_chromatic_number(tmp_path):
    (tmp_path / "queen7_7.col").write_text(queens(7))
    problem = swarmkit.make_problem("colouring", file=str(tmp_path / "queen7_7.col"), colours=7)
    assert problem.optimum == 0
    result = swarmkit.solve(problem, "annealing", looks=200_000_000, target=0)
    assert result.metrics == {"conflicts": 0.0, "colours": 7.0, "chromatic number": 7.0}


def test_too_many_slots_are_refused():
    with pytest.raises(swarmkit.UsageError, match=r"1,000 nodes with 100,000 colours; expected a product"):
        swarmkit.make_problem("colouring", n=1000, colours=100_000)


def mycielski(n, edges):
    """Mycielski's construction: no larger clique, and one colour more."""
    copies = [(i, n + j) for i, j in edges] + [(j, n + i) for i, j in edges]
    return 2 * n + 1, [*edges, *copies, *((n + i, 2 * n) for i in range(n))]


def test_the_chromatic_number_of_a_mycielski_graph_is_proved_here(tmp_path):
    n, edges = mycielski(5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)])
    file = tmp_path / "myciel3.col"
    file.write_text(f"p edge {n} {len(edges)}\n" + "".join(f"e {i + 1} {j + 1}\n" for i, j in edges))
    known = CHROMATIC_NUMBERS["myciel3", n]
    fewer, enough = (swarmkit.make_problem("colouring", file=str(file), colours=k) for k in (known - 1, known))
    every = swarmkit.solve(fewer, "exhaustive")
    assert (every.stopped, every.cost) == ("done", 1.0)
    assert swarmkit.solve(enough, "icm", looks=100_000).cost == 0


def test_a_graph_of_the_same_name_and_another_size_has_no_published_value(tmp_path):
    (tmp_path / "G1.txt").write_text(RUDY)
    assert swarmkit.make_problem("maxcut", file=str(tmp_path / "G1.txt")).best is None


def test_a_colouring_that_a_clique_proves_has_a_known_optimum():
    problem = swarmkit.make_problem("colouring", n=6, density=1)
    assert problem.optimum == 0
    assert problem.view().caption == "Colouring of uniform 6: 6 nodes, 15 edges, 6 colours"
