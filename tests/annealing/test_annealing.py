"""The solvers `sa` and `annealing`: their formulas, and what they promise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import Pairwise, PairwiseProblem, gain_deviation
from swarmkit.search import Neighbourhood, TourNeighbourhood, neighbourhood_of
from swarmkit.testing.families import BlackBox, Bounded, Shape, random_form, random_tour
from swarmkit.testing.report import Skipped
from swarmkit.testing.solver_trials import Trials, no_stage_or_candidate_is_favoured
from swarmkit_annealing.annealers import TableAnnealer, TourAnnealer, deviation_of_changes, table_scale, tour_scale
from swarmkit_annealing.schedule import acceptance, cycling, falling
from swarmkit_annealing.search_state import Chains, annealer_of

changes = st.floats(-1e6, 1e6)
temperatures = st.floats(1e-3, 1e3)


def test_a_loss_of_ln_2_at_temperature_1_is_taken_every_other_time():
    assert acceptance(np.array([-np.log(2)]), 1.0)[0] == pytest.approx(0.5)


@given(changes, changes, temperatures)
def test_worse_moves_are_never_likelier(a, b, temperature):
    low, high = acceptance(np.array(sorted([a, b])), temperature)
    assert 0 <= low <= high <= 1


@given(changes, temperatures, temperatures)
def test_heat_never_makes_a_move_less_likely(delta, a, b):
    cool, warm = (acceptance(np.array([delta]), t)[0] for t in sorted([a, b]))
    assert cool <= warm


def test_cowies_temperature_falls_by_a_tenth_a_sweep():
    assert falling(10.0, 0.9, 0, 3) == pytest.approx([10, 9, 8.1])
    assert falling(10.0, 0.9, 100_000, 1)[0] > 0


@given(st.integers(0, 200), st.integers(1, 50))
def test_a_fall_goes_on_the_same_wherever_it_is_taken_up(first, count):
    whole = falling(10.0, 0.9, 0, first + count)
    assert np.array_equal(falling(10.0, 0.9, first, count), whole[first:])


@given(st.integers(0, 10_000), st.integers(1, 50), st.integers(2, 20))
def test_cycles_go_on_the_same_wherever_they_are_taken_up(first, count, shortest):
    whole = cycling(3.0, 0.1, shortest, 0, first + count)
    assert np.array_equal(cycling(3.0, 0.1, shortest, first, count), whole[first:])
    assert whole.max() == pytest.approx(3.0)
    assert whole.min() >= 0.1 * (1 - 1e-9)


def test_each_cycle_is_twice_as_long_as_the_last():
    falls = cycling(3.0, 0.1, 4, 0, 7 * 4)
    assert np.flatnonzero(np.isclose(falls, 3.0)).tolist() == [0, 4, 12]
    assert np.flatnonzero(np.isclose(falls, 0.1)).tolist() == [3, 11, 27]


def test_hot_is_two_standard_deviations_of_the_gains_of_random_moves():
    problem = PairwiseProblem(Pairwise.of([2], unary=[0.0, 3.0]))
    scale = table_scale(problem, np.array([[0], [1]]), np.random.default_rng(1))
    assert scale == (2 * 3.0, 0.001 * 3.0)


def test_the_deviation_of_all_moves_is_about_that_of_random_ones():
    problem, rng = swarmkit.make_problem("synthetic", n=60, seed=3), np.random.default_rng(1)
    X = swarmkit.random_solutions(problem, 50, rng)
    sampled, _ = gain_deviation(problem, X, problem.score(X), rng)
    assert deviation_of_changes(problem.pairwise(), X) == pytest.approx(sampled, rel=0.2)


def test_hot_on_tours_is_half_the_mean_cost_of_an_edge_to_a_near_neighbour():
    costs = np.where(np.eye(9), 0.0, -4.0)
    cycle = [(i, (i + 1) % 9, costs) for i in range(9)]
    problem = PairwiseProblem(Pairwise.of([9] * 9, cycle, distinct=True))
    assert tour_scale(TourNeighbourhood(problem).tour) == (2.0, 0.04)


@pytest.mark.parametrize("name", ["synthetic", "tsp", "qap", "flowshop"])
@pytest.mark.parametrize("solver", ["sa", "annealing"])
def test_hot_multiplies_the_start_temperature_of_every_neighbourhood(name, solver):
    problem = swarmkit.make_problem(name)

    def hot(**params):
        made, rng = swarmkit.make_solver(solver, **params), np.random.default_rng(1)
        state = made.start(problem, rng)
        made.step(problem, state, rng)  # where there are no tables, this measures it
        return state.hot

    assert hot(hot=3.0) == pytest.approx(3 * hot())
    assert hot(hot=1.0) == hot()


def test_cold_is_never_above_hot():
    problem = swarmkit.make_problem("synthetic", n=20, seed=3)
    state = swarmkit.make_solver("annealing", cold=1e9).start(problem, np.random.default_rng(1))
    assert state.cold == state.hot == state.cycle.cold


def test_sa_starts_from_first_candidates_and_ends_when_frozen():
    problem = swarmkit.make_problem("synthetic", n=60, seed=3)
    solver = swarmkit.make_solver("sa")
    state = solver.start(problem, np.random.default_rng(1))
    assert not state.annealer.x.any()
    assert swarmkit.solve(problem, "sa", params={"restarts": 0}, looks=10**9).stopped == "done"


@pytest.mark.parametrize("box", [False, True])
def test_a_frozen_sa_begins_again_at_the_start_temperature(box):
    form = random_form(Shape(30, 4, 3, "floats", 3))
    problem, rng = BlackBox(form) if box else PairwiseProblem(form), np.random.default_rng(1)
    solver, once = swarmkit.make_solver("sa", chains=2), swarmkit.make_solver("sa", chains=2, restarts=0)
    state = solver.start(problem, rng)
    temperatures = []
    while state.restarts < 2:
        temperatures.append(solver.snapshot(state)["temperature"] if state.hot else np.inf)
        solver.step(problem, state, rng)
    assert solver.snapshot(state)["temperature"] == state.hot > min(temperatures)
    limited = swarmkit.solve(problem, "sa", seed=1, params={"chains": 2, "restarts": 2}, looks=10**9)
    assert limited.stopped == "done"
    assert limited.looks > swarmkit.solve(problem, once, seed=1, looks=10**9).looks
    assert swarmkit.solve(problem, "sa", seed=1, looks=200_000).stopped == "looks"


def test_chains_of_sa_start_from_first_candidates_and_end_when_frozen():
    problem = BlackBox(random_form(Shape(9, 4, 2, "floats", 11)))
    solver, rng = swarmkit.make_solver("sa", chains=5), np.random.default_rng(1)
    state = solver.start(problem, rng)
    solver.step(problem, state, rng)
    assert state.annealer.X.shape == (5, 9)
    assert not state.annealer.X.any()
    assert swarmkit.solve(problem, "sa", params={"restarts": 0}, looks=10**9).stopped == "done"


def test_sa_starts_from_random_candidates_if_it_is_asked_to():
    solver = swarmkit.make_solver("sa", initial="random")
    problem = swarmkit.make_problem("synthetic", n=60, seed=3)
    assert solver.start(problem, np.random.default_rng(1)).annealer.x.any()
    tables = BlackBox(random_form(Shape(9, 4, 2, "floats", 11)))
    chains = solver.start(tables, np.random.default_rng(1)).annealer.X
    assert len(np.unique(chains, axis=0)) > 1  # each chain from another one
    no_stage_or_candidate_is_favoured(Trials(solver))


def test_starting_from_first_candidates_favours_them_and_the_parameter_says_so():
    with pytest.raises(Skipped, match="it starts from the first candidates"):
        no_stage_or_candidate_is_favoured(Trials(swarmkit.make_solver("sa")))


class LeadingOnes(swarmkit.Problem):
    """The number of ones before the first zero: at most one move in n improves it."""

    sizes = (2,) * 50

    def score(self, X):
        return np.cumprod(X, axis=1).sum(axis=1).astype(float)


@pytest.mark.parametrize("seed", range(3))
def test_sa_counts_leading_ones_to_the_end(seed):
    assert swarmkit.solve(LeadingOnes(), "sa", seed=seed, evaluations=60_000).score == 50


def test_annealing_goes_on_as_long_as_the_budget_lasts():
    for problem in (swarmkit.make_problem("synthetic", n=20), BlackBox(random_form(Shape(9, 4, 2, "floats", 11)))):
        assert swarmkit.solve(problem, "annealing", looks=1_000_000).stopped == "looks"


def test_annealing_finds_a_planted_optimum():
    problem = swarmkit.make_problem("synthetic", n=100, planted=True, seed=2)
    result = swarmkit.solve(problem, "annealing", seed=1, looks=3_000_000)
    assert result.metrics["share of optimum"] == 1.0


@pytest.mark.parametrize("block", [None, 1, 7, 10_000])
def test_blocks_of_any_size_are_reheated(block):
    problem = swarmkit.make_problem("synthetic", n=60, window=3, seed=3)
    solver, rng = swarmkit.make_solver("annealing", block=block), np.random.default_rng(1)
    state, sizes = solver.start(problem, rng), set()
    for _ in range(1000):
        found = solver.steps(problem, state, rng, 9)
        sizes.add(len(state.cycle.block))
        assert found.score == pytest.approx(problem.score(found.solution[None])[0])
    least, most = {None: (12, 60), 1: (1, 2), 7: (7, 14), 10_000: (40, 60)}[block]
    assert least <= max(sizes) <= most


def test_small_tours_are_annealed_by_swaps_and_large_ones_by_exchanges_of_edges():
    small, large = (PairwiseProblem(random_tour(Shape(n, n, 1, "floats", 1))) for n in (7, 8))
    assert (annealer_of(small), annealer_of(large)) == (TableAnnealer, TourAnnealer)


class Reversals(Neighbourhood):
    """Moves of a sequence: a segment is reversed."""

    def random_moves(self, X, rng):
        moves = neighbourhood_of(PairwiseProblem(self.problem.pairwise())).random_moves(X, rng)
        for x, y in zip(X, moves.solutions, strict=True):
            i, j = np.sort(rng.choice(len(x) + 1, 2, replace=False))
            y[:] = x
            y[i:j] = x[i:j][::-1]
        moves.looks[:] = X.shape[1]
        return moves


class Reversed(PairwiseProblem):
    """A problem with tables that brings a neighbourhood."""

    def neighbourhood(self):
        return Reversals(self)


@pytest.mark.parametrize("solver", ["sa", "annealing"])
def test_a_neighbourhood_that_a_problem_brings_is_annealed_by_its_random_moves(solver):
    problem = Reversed(random_tour(Shape(9, 9, 1, "floats", 3)))
    assert annealer_of(problem) is Chains
    made, rng = swarmkit.make_solver(solver, chains=4), np.random.default_rng(1)
    state = made.start(problem, rng)
    made.steps(problem, state, rng, 60)
    assert (np.sort(state.annealer.X, axis=1) == np.arange(9)).all()
    assert state.annealer.scores == pytest.approx(problem.score(state.annealer.X))
    assert swarmkit.solve(problem, solver, evaluations=4000).score > problem.score(np.arange(9)[None])[0]


def test_the_temperature_of_a_snapshot_is_the_one_that_was_asked_for():
    problem, rng = swarmkit.make_problem("synthetic", n=20, seed=3), np.random.default_rng(1)
    solver = swarmkit.make_solver("sa", temperature=3.0, cooling=0.5)
    state = solver.start(problem, rng)
    solver.steps(problem, state, rng, 2)
    assert solver.snapshot(state)["temperature"] == 0.75


@pytest.mark.parametrize("name", ["synthetic", "tsp", "flowshop"])
@pytest.mark.parametrize("solver", ["sa", "annealing"])
def test_a_snapshot_shows_solutions_and_how_many_proposals_change_the_score(name, solver):
    problem, rng = swarmkit.make_problem(name), np.random.default_rng(1)
    made = swarmkit.make_solver(solver)
    state = made.start(problem, rng)
    while not state.sweeps:
        made.step(problem, state, rng)
    shown = made.snapshot(state)
    assert 0 < shown["acceptance"] <= 1
    assert (shown["current"][None] if "current" in shown else shown["solutions"]).shape[1] == len(problem.sizes)


@pytest.mark.parametrize("solver", ["sa", "annealing"])
def test_constraints_are_kept_by_every_chain(solver):
    problem = Bounded(random_form(Shape(12, 4, 3, "floats", 5)))
    made, rng = swarmkit.make_solver(solver, chains=8), np.random.default_rng(1)
    state = made.start(problem, rng)
    made.steps(problem, state, rng, 100)
    chains = state.annealer
    assert state.sweeps > 1
    assert swarmkit.judge(problem, chains.X).all()
    assert chains.scores == pytest.approx(problem.score(chains.X))


class Rarely(BlackBox):
    """Feasible only from the second look on: the first start finds nothing."""

    def __init__(self, form):
        super().__init__(form)
        self.asked = 0

    def feasible(self, X):
        self.asked += 1
        return np.full(len(X), self.asked > 100)


@pytest.mark.parametrize("solver", ["sa", "annealing"])
def test_where_no_feasible_start_is_found_the_next_step_looks_again(solver):
    problem, rng = Rarely(random_form(Shape(6, 3, 2, "floats", 1))), np.random.default_rng(1)
    made = swarmkit.make_solver(solver, chains=4)
    state = made.start(problem, rng)
    first = made.step(problem, state, rng)
    assert first.solution is None
    assert first.looks > 0
    problem.asked = 1000
    made.step(problem, state, rng)
    found = made.step(problem, state, rng)
    assert found.score == pytest.approx(problem.score(found.solution[None])[0])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"preset": "auto"}, "-a annealing"),
        ({"preset": "cowie"}, "-a sa"),
        ({"cold": 0.01}, "-a annealing -A cold="),
        ({"shortest": 8}, "-a annealing -A shortest="),
        ({"block": 7}, "-a annealing -A block="),
    ],
)
def test_spellings_of_before_the_split_are_refused_with_what_to_type(old, new):
    with pytest.raises(swarmkit.UsageError, match=new):
        swarmkit.make_solver("sa", **old)


@pytest.mark.parametrize("name", ["synthetic", "tsp"])
def test_given_solutions_cool_sa_before_its_first_sweep_and_never_later(name):
    problem = swarmkit.make_problem(name, n=40, seed=2)
    best, solver, temperatures = swarmkit.solve(problem, "ils", looks=200_000), swarmkit.make_solver("sa"), []
    good, scores = np.array([best.solution]), np.array([best.score])
    for sweeps in (0, 1):
        rng = np.random.default_rng(1)
        state = solver.start(problem, rng)
        if sweeps:
            solver.steps(problem, state, rng, sweeps)
        hot = state.hot
        assert solver.inject(problem, state, good, scores, rng) == 40
        assert state.annealer.incumbent(problem)[1] == pytest.approx(scores[0])
        temperatures.append(state.hot / hot)
    assert temperatures[0] < 0.9
    assert temperatures[1] == 1.0
