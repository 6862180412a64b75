"""The one query for what a problem is."""

import numpy as np
import pytest

from swarmkit import Pairwise, PairwiseProblem, Problem, make_problem
from swarmkit.contract.structure import Structure
from swarmkit.testing.families import BlackBox, Bounded, Shape, random_form


class Constrained(PairwiseProblem):
    def feasible(self, X):
        return X[:, 0] == 0


class Appealing(PairwiseProblem):
    def heuristic_values(self, X, stage, last):
        return np.ones((len(X), self.sizes[stage]))


def chain():
    return Pairwise.of([2, 3, 2], [(0, 1, np.ones((2, 3))), (1, 2, np.ones((3, 2)))])


def test_a_problem_that_is_nothing_but_a_score_is_a_black_box():
    structure = BlackBox(chain()).structure
    assert structure.black_box
    assert structure.tables is None
    assert structure.tour is None
    assert structure.assignment is None
    assert structure.chain is None
    assert not structure.constrained


def test_tables_are_all_there_is_to_an_unconstrained_problem():
    problem = PairwiseProblem(chain())
    assert problem.structure.pairwise is problem.structure.tables is problem.structure.free_tables is problem.form
    assert not problem.structure.black_box


def test_constraints_say_more_than_the_tables():
    structure = Constrained(chain()).structure
    assert structure.constrained
    assert structure.pairwise is not None
    assert structure.tables is structure.chain is structure.tour is structure.binary is None
    assert Bounded(chain()).structure.constrained


def test_an_appeal_of_its_own_is_not_in_the_tables():
    structure = Appealing(chain()).structure
    assert structure.has_heuristic
    assert structure.tables is not None
    assert structure.free_tables is None


def test_two_candidates_everywhere_are_binary():
    assert PairwiseProblem(Pairwise.of([2, 2, 2])).structure.binary is not None
    assert PairwiseProblem(chain()).structure.binary is None
    assert PairwiseProblem(Pairwise.of([2, 2], distinct=True)).structure.binary is None


def test_a_chain_is_an_order_of_the_stages():
    assert PairwiseProblem(chain()).structure.chain.tolist() == [0, 1, 2]
    assert make_problem("synthetic", window=2).structure.chain is None


def test_tours_are_assignments_too_and_may_be_asymmetric():
    structure = make_problem("tsp", n=9).structure
    assert structure.symmetric_tour() is structure.tour is not None
    assert structure.symmetric_tour(cities=10) is None
    assert structure.assignment is not None
    table = np.random.default_rng(1).random((5, 5))
    asymmetric = Pairwise.of([5] * 5, [(i, (i + 1) % 5, table) for i in range(5)], distinct=True)
    assert Structure(asymmetric, distinct=True).tour is not None
    assert Structure(asymmetric, distinct=True).symmetric_tour() is None


def test_a_quadratic_assignment_is_no_tour():
    structure = make_problem("qap", n=8).structure
    assert structure.assignment is not None
    assert structure.tour is None
    assert PairwiseProblem(random_form(Shape(5, 5, 2, "signs", 1), distinct=True)).structure.assignment is None


@pytest.mark.parametrize("name", ["synthetic", "tsp", "qap", "flowshop"])
def test_it_is_found_out_once(name):
    problem: Problem = make_problem(name)
    assert problem.structure is problem.structure
