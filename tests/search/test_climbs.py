"""Climbs on every kind of problem: by steps, from copies, and what they pay for."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import PairwiseProblem, UsageError, local_search, random_solutions
from swarmkit.running import codec
from swarmkit.running.codec import fits
from swarmkit.search import Climb, climb_together, start_climb
from swarmkit.search.neighbourhood import BatchClimb, RandomClimb, RowClimb
from swarmkit.search.score_neighbourhood import StageClimb
from swarmkit.search.sequence_neighbourhood import SequenceClimb
from swarmkit.search.table_neighbourhood import TableClimb
from swarmkit.search.tour_neighbourhood import TourClimb
from swarmkit.testing.families import FAMILIES, BlackBox, Bounded, Shape, random_form, shapes
from tests.search.neighbourly import CLASSES, any_problem, problem_of, same

seeds = st.integers(0, 999)


def climbs(problem, rows, seed):
    """A climb by the problem's own local search, and a generator for it."""
    rng = np.random.default_rng(seed)
    X = random_solutions(problem, rows, rng)
    return start_climb(problem, X, "local", rng), rng


@given(any_problem(), seeds, st.lists(st.integers(1, 4), max_size=5))
def test_steps_are_single_steps_however_they_are_divided(problem, seed, counts):
    (one, rng), (other, twin) = climbs(problem, 3, seed), climbs(problem, 3, seed)
    for count in [*counts, 10**6]:
        before, looks = other.pieces, other.steps(problem, twin, count)
        made = other.pieces - before
        assert made == count or other.finished
        assert looks == sum(one.step(problem, rng) for _ in range(made))
        assert same(one, other)
        assert rng.random() == twin.random()
    assert one.finished


@given(any_problem(), seeds, st.integers(0, 6))
def test_a_climb_goes_on_from_a_copy_as_from_the_original(problem, seed, pieces):
    climb, rng = climbs(problem, 3, seed)
    climb.steps(problem, rng, pieces)
    twin, twins_rng = copy.deepcopy((climb, rng))
    looks = climb.steps(problem, rng, 10**6)
    assert twin.steps(problem, twins_rng, 10**6) == looks
    assert same(climb, twin)


@pytest.mark.parametrize("kind", CLASSES)
def test_a_climb_goes_on_from_a_file_as_from_the_original(kind):
    problem = problem_of(kind, 1)
    climb, rng = climbs(problem, 3, 1)
    climb.step(problem, rng)
    known = codec.dataclasses_in(Climb | None)
    twin, twins_rng = codec.unpack(*copy.deepcopy(codec.pack(climb, known)), known), copy.deepcopy(rng)
    assert fits(twin, Climb | None)
    assert twin.steps(problem, twins_rng, 10**6) == climb.steps(problem, rng, 10**6)
    assert same(climb, twin)


def test_the_class_that_climbs_share_is_no_climb():
    known = codec.dataclasses_in(Climb)
    assert {StageClimb, TableClimb, TourClimb, RandomClimb} <= set(known.values())
    assert not {Climb, BatchClimb, RowClimb} & set(known.values())
    with pytest.raises(UsageError, match="does not know"):
        codec.unpack({"$dataclass": "swarmkit.search.neighbourhood.Climb", "fields": {}}, {}, known)


@given(any_problem(), seeds)
def test_every_step_makes_looks_and_the_best_grows(problem, seed):
    (climb, rng), best = climbs(problem, 3, seed), -np.inf
    assert climb.best(problem) is None
    starts = np.asarray(problem.score(climb.X), float)
    while not climb.finished:
        ended = climb.ended
        assert climb.step(problem, rng) > 0
        assert climb.ended - ended in (0, 1)
        if climb.best(problem) is not None:
            x, score = climb.best(problem)
            assert score >= best
            assert score == pytest.approx(problem.score(x[None])[0])
            assert problem.feasible(x[None])[0]
            best = score
    assert climb.step(problem, rng) == 0
    assert climb.scores == pytest.approx(np.asarray(problem.score(climb.X)))
    assert (climb.scores >= starts - 1e-9).all()
    assert len(starts) == 0 or best == pytest.approx(climb.scores.max())


@given(any_problem(), seeds)
def test_local_search_is_the_climb_to_its_end(problem, seed):
    climb, rng = climbs(problem, 3, seed)
    drawn = np.random.default_rng(seed)
    X = random_solutions(problem, 3, drawn)
    before = X.copy()
    improved = local_search(problem, X, "local", drawn)
    assert improved.looks == climb.steps(problem, rng, 10**6)
    assert improved.solutions.tolist() == climb.X.tolist()
    assert improved.scores.tolist() == climb.scores.tolist()
    assert X.tolist() == before.tolist()


@pytest.mark.parametrize("kind", CLASSES)
def test_each_kind_of_problem_has_its_climb(kind):
    compiled = {"tour": TourClimb, "large tables": TableClimb, "large assignment": TableClimb, "brought": RandomClimb}
    compiled |= dict.fromkeys(("permutation", "picks"), SequenceClimb)
    assert type(climbs(problem_of(kind, 1), 3, 1)[0]) is compiled.get(kind, StageClimb)


@pytest.mark.parametrize("seed", range(20))
def test_stages_without_a_choice_are_passed_within_a_step(seed):
    problem = problem_of("few choices", seed)
    climb, rng = climbs(problem, 1, seed)
    looks = 0
    while not climb.finished:
        piece = climb.step(problem, rng)
        assert piece > 0
        looks += piece
    assert looks == problem.evaluations * 4


@pytest.mark.parametrize("make", [BlackBox, Bounded])
def test_without_tables_every_look_is_one_of_a_row_that_was_scored(make):
    problem = make(random_form(Shape(12, 5, 3, "signs", 4)))
    X = random_solutions(problem, 7, np.random.default_rng(1))
    before = problem.evaluations
    looks = local_search(problem, X, "icm", np.random.default_rng(1)).looks
    assert looks == 12 * (problem.evaluations - before)


def test_a_step_is_one_stage_of_all_solutions_in_one_batch(monkeypatch):
    problem, sizes = BlackBox(random_form(Shape(10, 6, 3, "signs", 4))), []
    score = problem.score
    problem.score = lambda X: (sizes.append(len(X)), score(X))[1]
    climb, rng = climbs(problem, 50, 1)
    climb.step(problem, rng)
    assert sizes == [50 * problem.sizes[int(climb.order[0])]]
    whole = local_search(problem, climb.X, "icm", np.random.default_rng(1))
    monkeypatch.setattr("swarmkit.search.score_neighbourhood.LARGEST", 600)
    sizes.clear()
    parts = local_search(problem, climb.X, "icm", np.random.default_rng(1))
    assert max(sizes) <= 60
    assert (parts.solutions.tolist(), parts.looks) == (whole.solutions.tolist(), whole.looks)


@given(shapes())
def test_what_is_infeasible_is_not_scored(shape):
    class Strict(Bounded):
        def score(self, X):
            assert self.feasible(X).all()
            return super().score(X)

    problem = Strict(random_form(shape))
    X = random_solutions(problem, 3, np.random.default_rng(1))
    climbed = local_search(problem, X, "icm", np.random.default_rng(1))
    assert problem.feasible(climbed.solutions).all()


def test_a_large_black_box_is_climbed_by_a_few_solutions_in_batches_that_pay():
    small, large = (BlackBox(random_form(Shape(n, 12, 1, "floats", 1))) for n in (5, 400))
    assert climb_together(small) > 20
    assert climb_together(large) == 6
    assert climb_together(PairwiseProblem(random_form(Shape(400, 12, 1, "floats", 1)))) >= 1


def test_local_searches_that_do_not_fit_are_refused_in_words():
    problem = FAMILIES[0].make(Shape(4, 3, 2, "floats", 1))
    X = random_solutions(problem, 1, np.random.default_rng(1))
    with pytest.raises(UsageError, match="'2opt' is for symmetric tours"):
        local_search(problem, X, "2opt", np.random.default_rng(1))
    with pytest.raises(UsageError, match="no local search named 'steep'"):
        local_search(problem, X, "steep", np.random.default_rng(1))
