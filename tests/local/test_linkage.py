"""Local search on a score alone that finds out which stages interact."""

import numpy as np
import pytest

import swarmkit
from swarmkit import Pairwise, Problem, make_solver, solve
from swarmkit_local.linkage import CLIMB, DONE, KICK, TABLES, Linkage


class Hidden(Problem):
    """A score whose tables nobody sees."""

    def __init__(self, form):
        self.form, self.sizes = form, form.sizes

    def score(self, X):
        return self.form.score(X)


def hidden(n, m, links, seed):
    rng = np.random.default_rng(seed)
    return Hidden(Pairwise.of([m] * n, [(i, j, rng.normal(size=(m, m))) for i, j in links], rng.normal(size=n * m)))


def chain(n):
    return [(i, i + 1) for i in range(n - 1)]


def view(problem, until, rng):
    """Return a search that has reached one of some phases; it is stopped between the pieces of its steps."""
    state = Linkage.start(problem, rng)
    while state.phase not in until:
        assert state._advance(problem, 3, rng) > 0
    return state


@pytest.mark.parametrize("links", [chain(20), [(0, 7), (3, 12), (12, 19), (5, 6)], [(0, j) for j in range(1, 12)]])
def test_stages_that_interact_are_found_wherever_they_are(links):
    state = view(hidden(20, 4, links, 3), {CLIMB}, np.random.default_rng(1))
    assert sorted((i, j) for i, near in enumerate(state.neighbours) for j in near if i < j) == sorted(links)


def test_where_no_stages_interact_a_sweep_is_enough():
    problem = hidden(50, 6, [], 1)
    best = problem.form.unary.reshape(50, 6).max(axis=1).sum()
    result = solve(problem, "ils", seed=1, evaluations=1 + 50 * 5 + 1)
    assert result.score == pytest.approx(best)
    assert view(problem, {DONE}, np.random.default_rng(1)).score == pytest.approx(best)


def test_where_all_stages_interact_the_search_gives_up_learning():
    problem = hidden(40, 3, [(i, j) for i in range(40) for j in range(i)], 1)
    state = view(problem, {DONE, TABLES}, np.random.default_rng(1))
    assert state.phase == DONE


def test_the_learnt_tables_lead_near_the_optimum_of_a_chain():
    problem = hidden(100, 5, chain(100), 2)
    best = solve(swarmkit.PairwiseProblem(problem.form), "viterbi").score
    assert solve(problem, "ils", seed=1, evaluations=20_000).score > best - 0.02 * abs(best)


def test_no_step_scores_much_more_than_a_sweep_and_the_end_of_a_round_ends_a_step():
    problem, rng = hidden(30, 3, chain(30), 4), np.random.default_rng(5)
    state, rounds = Linkage.start(problem, rng), 0
    for _ in range(100):
        looks, ended = state.step(problem, 3, rng)
        assert 0 < looks <= 30 * (2 * 60 + 64)
        assert ended == 0 or state.phase == KICK
        rounds += ended
    assert rounds > 50


def test_after_a_round_the_solution_is_no_worse_and_its_score_is_right():
    problem, rng = hidden(30, 3, chain(30), 4), np.random.default_rng(5)
    state = view(problem, {KICK}, rng)
    for _ in range(50):
        before = state.score
        while not state.step(problem, 3, rng)[1]:
            assert state.best[1] >= before
        assert state.before is None
        assert state.score >= before
        assert state.score == problem.score(state.x[None])[0]


def test_it_goes_on_after_a_checkpoint_as_if_nothing_had_happened(tmp_path):
    problem, solver = hidden(30, 3, chain(30), 4), make_solver("ils")
    swarmkit.solve(problem, solver, seed=2, evaluations=700, checkpoint=tmp_path / "run.ckpt")
    longer = swarmkit.resume(tmp_path / "run.ckpt", problem, limits=swarmkit.Budget(evaluations=4_000))
    assert not longer.differences(swarmkit.solve(problem, solver, seed=2, evaluations=4_000))


def test_a_given_solution_is_where_the_search_begins():
    problem, rng = hidden(30, 3, chain(30), 4), np.random.default_rng(1)
    good = solve(problem, "ils", seed=3, evaluations=3_000)
    state = Linkage.start(problem, rng)
    state.inject(problem, np.array(good.solution), good.score)
    assert state.best[1] == good.score
    state.step(problem, 3, rng)
    assert state.best[1] >= good.score


def test_a_better_solution_ends_a_round_and_climbs():
    problem, rng = hidden(30, 3, chain(30), 4), np.random.default_rng(1)
    state = view(problem, {KICK}, rng)
    state.inject(problem, np.zeros(30, np.int64), state.score - 1.0)
    assert state.phase == KICK
    state.inject(problem, np.zeros(30, np.int64), state.score + 1.0)
    assert (state.phase, state.queue, state.x.tolist()) == (CLIMB, list(range(30)), [0] * 30)


class Counting(Hidden):
    """Count the calls of `score`."""

    calls = 0

    def score(self, X):
        self.calls += 1
        return super().score(X)


def test_stages_that_do_not_interact_climb_side_by_side():
    problem = Counting(hidden(60, 2, [(i, i + 1) for i in range(0, 60, 2)], 1).form)
    state = view(problem, {CLIMB}, np.random.default_rng(1))
    before, state.x = problem.calls, np.zeros(60, np.int64)
    state.score = float(problem.form.score(state.x[None])[0])
    while state.phase == CLIMB:
        state._advance(problem, 3, np.random.default_rng(1))
    assert problem.calls - before < 20  # 60 stages, most of them examined twice
    for i in range(60):
        assert state.score >= problem.form.score(np.where(np.arange(60) == i, 1 - state.x, state.x)[None])[0] - 1e-9


def test_moves_that_are_worse_together_are_made_one_by_one():
    class Missed(Problem):
        """One of two stages should move, not both, though no link says so."""

        sizes = (2, 2)

        def score(self, X):
            return np.array([0.0, 2.0, -1.0])[X.sum(axis=1)] + 0.5 * X[:, 0]

    state = Linkage.start(Missed(), np.random.default_rng(0))
    state.x, state.score, state.phase, state.queue = np.zeros(2, np.int64), 0.0, CLIMB, [0, 1]
    while state.phase == CLIMB:
        state._advance(Missed(), 1, np.random.default_rng(0))
    assert state.x.tolist() == [1, 0]
    assert state.score == 2.5


def test_interactions_that_show_later_do_not_stop_the_climb():
    class LeadingOnes(Problem):
        """Stages interact with the prefix of ones only."""

        sizes = (2,) * 40

        def score(self, X):
            return np.cumprod(X, axis=1).sum(axis=1)

    assert solve(LeadingOnes(), "ils", seed=1, evaluations=10_000).score == 40
