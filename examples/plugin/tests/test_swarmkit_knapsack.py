import numpy as np
from swarmkit_knapsack.hill_climbing import HillClimbing, plain_climb
from swarmkit_knapsack.knapsack import Knapsack

import swarmkit
import swarmkit.search
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


def test_the_kernel_climbs_as_its_plain_twin_does():
    from swarmkit.kernels.rng import below

    problem = swarmkit.make_problem("synthetic", n=12, window=3)
    solver = HillClimbing(moves=300)
    solver.prepare(problem)
    state = solver.start(problem, np.random.default_rng(1))
    rng = np.random.default_rng(2)
    found = solver.step(problem, state, rng)
    again = np.random.default_rng(2)
    x = swarmkit.random_solutions(problem, 1, again)[0]
    numbers = swarmkit.search.rng_state(again)
    _, score = plain_climb(problem, x, 300, lambda bound: int(below(numbers, bound)))
    assert np.isclose(found.score, score)
