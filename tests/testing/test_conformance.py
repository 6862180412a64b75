"""Everything that is bundled keeps the contract that third parties are held to."""

import re

import numpy as np
import pytest

import swarmkit
from swarmkit.plugins.host import host
from swarmkit.testing import check_problem, check_solver
from swarmkit.testing.families import FAMILIES, Shape, random_tour
from swarmkit.testing.optimum import best_score, shortest_tour
from tests.instances import OWN

TOURS = {"tour", "longer tour", "asymmetric tour"}
LINEAR = {"linear constraints", "linear permutation"}
PERMUTATIONS = {"permutation", "linear permutation", "assignment", "asymmetric assignment", *TOURS}
LISTS = {"lists", "routes", "schedule"}
BLACK_BOXES = {"black box", "black box permutation", "judged", "bounded", "fixed number"} | LISTS
NOT_TABLES = PERMUTATIONS | BLACK_BOXES | LINEAR
FAMILY_NAMES = {family.name for family in FAMILIES}
REFUSALS = {
    "cpsat": FAMILY_NAMES - {"linear constraints"},
    "highs": FAMILY_NAMES - {"linear constraints"},
    "max-relatedness": BLACK_BOXES,
    "lns": FAMILY_NAMES - {"routes"},
    "p3": {*PERMUTATIONS, "black box permutation", *LISTS},
    "robust-tabu": (FAMILY_NAMES - PERMUTATIONS) | LINEAR,
    "shop-tabu": FAMILY_NAMES - {"schedule"},
    "tour-ga": FAMILY_NAMES - {"longer tour"},
    "toulbar2": NOT_TABLES,
    "viterbi": NOT_TABLES,
    "weighting": FAMILY_NAMES - LINEAR,
    "vote": {*PERMUTATIONS, "black box permutation", *LISTS},
}
"""The families that a solver refuses, in words: no heuristic refuses what it could do."""

BUNDLED = [
    "aca",
    "annealing",
    "auto",
    "bco",
    "cpsat",
    "dbees",
    "exhaustive",
    "first",
    "ga",
    "greedy",
    "highs",
    "icm",
    "ils",
    "lns",
    "max-relatedness",
    "p3",
    "random",
    "robust-tabu",
    "sa",
    "shop-tabu",
    "tabu",
    "toulbar2",
    "tour-ga",
    "tsp-aco",
    "viterbi",
    "vote",
    "weighting",
]


def test_this_is_all_that_is_bundled():
    ours = [offer.name for offer in host().offers("solver") if offer.plugin.source == "pyswarmkit"]
    assert ours == BUNDLED


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_solvers_keep_the_contract_on_every_family(name, request):
    long = request.config.getoption("--long", default=False)
    report = check_solver(swarmkit.make_solver(name), examples=40 if long else 2)
    # Checks of the solver as a whole may be skipped for other reasons: it ignores given solutions, it draws nothing.
    by_family = [outcome for outcome in report.of("skipped") if outcome.name.endswith("]")]
    # With fixed stages a problem has another structure: lists become a permutation.
    refusals = [outcome for outcome in by_family if not outcome.detail.startswith("with fixed stages")]
    skipped = {outcome.name.partition("[")[2].rstrip("]"): outcome.detail for outcome in refusals}
    symmetric = {"asymmetric tour"} if long and name == "tour-ga" else set()  # those of many that have only zeros
    assert set(skipped) == REFUSALS.get(name, set()) - symmetric, str(report)
    assert all(re.match(r"refused: (part 0 of 3: )?it", detail) for detail in skipped.values())


@pytest.mark.parametrize("n", [3, 4, 7])
@pytest.mark.parametrize("symmetric", [True, False])
def test_the_optimum_of_tours_is_that_of_enumeration(n, symmetric):
    problem = swarmkit.PairwiseProblem(random_tour(Shape(n, n, 1, "signs", n), symmetric=symmetric))
    tour = problem.structure.tour
    exact = swarmkit.solve(problem, "exhaustive").score
    assert tour.constant - shortest_tour(tour.cost) == pytest.approx(exact)
    assert best_score(problem) == pytest.approx(exact)


def test_longer_tours_are_as_long_as_solvers_need_them():
    families = [family for family in FAMILIES if family.name in {"longer tour", "asymmetric tour"}]
    assert len(families) == 2
    sizes = {len(family.make(Shape(2, 2, 1, "floats", seed)).sizes) for family in families for seed in range(9)}
    assert sizes == {8, 9, 10, 11, 12}


FAR_FROM_WORDS = {
    "a tour": ("tour", "tsp", {"n": 7}),
    "an open tour": ("tour", "tsp", {"n": 6, "start": "2", "end": "5"}),
    "an assignment": ("permutation", "qap", {"n": 6}),
    "a flow shop": ("black box permutation", "flowshop", {"jobs": 6, "machines": 3, "seed": 5}),
    "a cut": ("pairwise", "maxcut", {"n": 8, "density": 0.5, "weights": "signs"}),
    "a colouring": ("pairwise", "colouring", {"n": 6, "density": 0.7, "colours": 3}),
    "few colours": ("pairwise", "colouring", {"n": 6, "density": 0.7}),
    "an independent set": ("pairwise", "independent-set", {"n": 8, "density": 0.4}),
    "a cost network": ("pairwise", "pairwise", {"file": str(OWN / "ring.wcsp")}),
}
"""Small instances of the bundled problems: the family that they belong to, problem, options."""


@pytest.mark.parametrize("kind", FAR_FROM_WORDS)
@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_solvers_do_bundled_problems_or_say_why_not(name, kind):
    family, problem, options = FAR_FROM_WORDS[kind]
    made = swarmkit.make_problem(problem, **options)
    refused = REFUSALS.get(name, set())
    if family in refused or (name == "viterbi" and made.structure.chain is None):
        with pytest.raises(swarmkit.Refusal, match=f"solver '{name}' cannot do problem '{problem}': it"):
            swarmkit.solve(made, name)
        return
    # `vote` makes several runs before it has an answer; `exhaustive` scores every solution.
    looks = 100_000 if name in {"vote", "exhaustive"} else 3000
    result = swarmkit.solve(made, name, looks=looks, seed=1)
    if made.distinct:
        assert sorted(result.solution) == list(range(len(made.sizes)))
    optimum = swarmkit.solve(made, "exhaustive").score
    assert result.score <= optimum
    if name in {"ils", "icm", "exhaustive", "toulbar2"}:
        assert result.score == pytest.approx(optimum)


@pytest.mark.parametrize(
    "options", [{}, {"window": 1}, {"planted": True}, {"n": 1}, {"polysemy": 1}, {"n": 200, "window": 40}]
)
def test_synthetic_problems_keep_the_contract(options):
    check_problem(swarmkit.make_problem("synthetic", **options))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@pytest.mark.parametrize("values", ["floats", "ties", "signs", "zeros"])
def test_the_kits_own_problems_keep_the_contract(family, values):
    check_problem(family.make(Shape(5, 4, 2, values, 3)), examples=4)


def test_a_planted_solution_is_the_best():
    problem = swarmkit.make_problem("synthetic", n=6, polysemy=4, planted=True, seed=5)
    result = swarmkit.solve(problem, "exhaustive")
    assert result.solution == problem.planted.tolist()
    assert result.metrics["share of optimum"] == result.metrics["stages as planted"] == 1.0


def test_synthetic_problems_are_as_large_and_as_polysemous_as_asked():
    problem = swarmkit.make_problem("synthetic", n=300, polysemy=7, window=3)
    assert len(problem.sizes) == 300
    assert set(problem.sizes) == set(range(1, 8))
    assert len(problem.form.edges) == 299 + 298 + 297
    assert (problem.form.edges[:, 1] - problem.form.edges[:, 0]).max() == 3


def test_an_empty_synthetic_problem_is_solved():
    assert swarmkit.solve(swarmkit.make_problem("synthetic", n=0), "icm").solution == []


def test_first_takes_the_first_candidate_that_is_allowed():
    assert set(swarmkit.solve("synthetic", "first").solution) == {0}
    permutation = FAMILIES[1].make(Shape(4, 4, 2, "floats", 1))
    assert swarmkit.solve(permutation, "first").solution == [0, 1, 2, 3]


def test_greedy_takes_the_best_beside_what_is_chosen():
    form = swarmkit.Pairwise.of([2, 2, 2], [(0, 1, [[0, 5], [1, 2]]), (1, 2, [[9, 9], [0, 4]])], unary=[1, 0] + [0] * 4)
    assert swarmkit.solve(swarmkit.PairwiseProblem(form), "greedy").solution == [0, 1, 1]


def test_exhaustive_tries_every_permutation_once():
    from swarmkit_baselines.exhaustive import permutations, products

    assert len(np.unique(permutations(np.arange(120), 3, 6), axis=0)) == 120
    assert len(np.unique(products(np.arange(24), [2, 3, 4]), axis=0)) == 24


def test_max_relatedness_sums_each_candidates_best_relations():
    tables = [(0, 1, [[0, 5], [4, 4]]), (0, 2, [[1, 0], [1, 4]], -2.0)]
    problem = swarmkit.PairwiseProblem(swarmkit.Pairwise.of([2, 2, 2], tables))
    assert swarmkit.solve(problem, "max-relatedness").solution == [0, 1, 1]  # [5 - 0, 4 - 2], [4, 5], [-2, 0]
