from swarmkit_knapsack.hill_climbing import HillClimbing
from swarmkit_knapsack.knapsack import Knapsack

import swarmkit
from swarmkit.testing import problem_checks, solver_checks


@problem_checks(Knapsack)
def test_the_problem_keeps_its_contract(check):
    check()


@solver_checks(HillClimbing(moves=20, patience=40))
def test_the_solver_keeps_its_contract(check):
    check()


def test_a_small_knapsack_is_packed_as_well_as_it_can_be():
    problem = Knapsack(weights=[5, 4, 3, 2], values=[6, 5, 4, 1], capacity=7)
    assert swarmkit.solve(problem, "exhaustive").score == 9
    assert swarmkit.solve(problem, HillClimbing(), seed=1, iterations=100).score == 9
