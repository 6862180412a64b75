import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise, PairwiseProblem, Problem, judge, local_search, move, move_gains, random_solutions
from swarmkit.testing import problems
from swarmkit.testing.families import FAMILIES, Shape


class Even(Problem):
    """Only even sums are feasible; the problem says no more than that."""

    sizes = (3, 3, 3)

    def score(self, X):
        return X.sum(axis=1).astype(float)

    def feasible(self, X):
        return X.sum(axis=1) % 2 == 0


def test_allowed_asks_the_judge_when_one_stage_is_open():
    allowed = Even().allowed(np.array([[1, -1, 0], [-1, -1, 0]]), 1)
    assert allowed.tolist() == [[False, True, False], [True, True, True]]


def test_allowed_leaves_out_what_others_have_taken_where_stages_must_differ():
    problem = PairwiseProblem(Pairwise.of([3, 3, 3], distinct=True))
    assert problem.allowed(np.array([[2, -1, -1]]), 1).tolist() == [[True, True, False]]


def test_appeal_is_lifted_to_zero_where_marginals_are_negative():
    problem = PairwiseProblem(Pairwise.of([2, 2], [(0, 1, [[-3.0, 1.0], [0.0, 2.0]])]))
    assert problem.heuristic_values(np.array([[0, -1], [1, -1]]), 1, 0).tolist() == [[0.0, 4.0], [0.0, 2.0]]


def test_a_problem_of_which_nothing_is_known_finds_all_candidates_alike():
    assert Even().heuristic_values(np.full((2, 3), -1), 0, -1).tolist() == [[1.0] * 3] * 2


def test_overrides_tells_what_a_problem_brings():
    assert Even.overrides("feasible")
    assert not Even.overrides("gains")


def test_fingerprints_tell_contents_apart():
    one, same, other = (FAMILIES[2].make(Shape(4, 3, 2, "floats", seed)).fingerprint for seed in (1, 1, 2))
    assert one == same != other


@given(problems(), st.integers(0, 999))
def test_random_solutions_are_feasible(problem, seed):
    assert judge(problem, random_solutions(problem, 5, np.random.default_rng(seed))).all()


@given(problems(), st.integers(0, 999))
def test_a_move_gains_what_was_promised_and_stays_feasible(problem, seed):
    rng = np.random.default_rng(seed)
    for x in random_solutions(problem, 2, rng):
        stage = int(rng.integers(len(x)))
        gains = move_gains(problem, x[None], stage)[0]
        for candidate, gain in enumerate(gains):
            y = x.copy()
            move(problem, y, stage, candidate)
            assert judge(problem, y[None])[0] == np.isfinite(gain)
            if np.isfinite(gain):
                assert gain == pytest.approx(problem.score(y[None])[0] - problem.score(x[None])[0], abs=1e-9)


@given(problems(), st.integers(0, 999))
def test_local_search_ends_where_no_move_is_better(problem, seed):
    rng = np.random.default_rng(seed)
    starts = random_solutions(problem, 3, rng)
    improved = local_search(problem, starts, "icm", rng)
    assert (improved.scores >= problem.score(starts) - 1e-9).all()
    assert judge(problem, improved.solutions).all()
    for stage in range(len(problem.sizes)):
        assert (move_gains(problem, improved.solutions, stage) <= 1e-6).all()


def test_random_solutions_of_permutations_are_equally_likely():
    problem = PairwiseProblem(Pairwise.of([3, 3, 3], distinct=True))
    drawn = random_solutions(problem, 6000, np.random.default_rng(1))
    _, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(counts) == 6
    assert counts.min() > 850  # 1000 expected, with a standard deviation of 29


def test_a_dead_end_restarts_the_walk():
    class Narrow(Problem):
        """Stage 1 must repeat stage 0, but candidate 0 of stage 0 leads nowhere."""

        sizes = (2, 2)

        def score(self, X):
            return X.sum(axis=1).astype(float)

        def feasible(self, X):
            return (X == 1).all(axis=1)

        def allowed(self, X, stage):
            return np.column_stack([np.full(len(X), stage == 0), (X[:, 0] != 0)])

    assert random_solutions(Narrow(), 50, np.random.default_rng(1)).tolist() == [[1, 1]] * 50
