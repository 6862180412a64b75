"""How many steps are made at once."""

import numpy as np
import pytest

from swarmkit import Budget, StepResult
from swarmkit.contract.progress import Progress
from swarmkit.running.pacing import GROWTH, STEPS_SECONDS, Pace, PlanPace


@pytest.fixture
def pace():
    """A pace after 100 steps of 10 looks in 3 ms: as many as fit into the time are 1,000."""
    pace = Pace()
    pace.measure(StepResult(None, None, 1000, 100, steps=100), STEPS_SECONDS / 10)
    return pace


@pytest.fixture
def progress():
    progress = Progress()
    progress.plan.left, progress.looks, progress.iterations = 10_000, 500, 40
    return progress


def test_the_first_call_makes_one_step(progress):
    assert Pace().count(progress, Budget(), by_part=False) == 1


def test_as_many_steps_are_made_as_fit_into_the_time_but_never_many_more_than_before(pace, progress):
    assert pace.count(progress, Budget(), by_part=False) == GROWTH * 100
    pace.measure(StepResult(None, None, 8000, 800, steps=800), STEPS_SECONDS * 2)
    assert pace.count(progress, Budget(), by_part=False) == 400
    pace.measure(StepResult(None, None, 10, 1, steps=1), 1000 * STEPS_SECONDS)
    assert pace.count(progress, Budget(), by_part=False) == 1
    assert pace.largest == 8000


def test_no_more_steps_are_made_than_the_plan_has_or_a_limit_allows(pace, progress):
    assert pace.count(progress, Budget(iterations=45), by_part=False) == 5
    assert pace.count(progress, Budget(iterations=45), by_part=True) == GROWTH * 100
    assert pace.count(progress, Budget(patience=45), by_part=False) == 1
    assert pace.count(progress, Budget(patience=45), by_part=True) == GROWTH * 100
    assert pace.count(progress, Budget(looks=575), by_part=False) == 7
    assert pace.count(progress, Budget(looks=505), by_part=False) == 1
    progress.plan.left = 3
    assert pace.count(progress, Budget(), by_part=False) == 3


def test_after_steps_beyond_a_limit_at_most_half_as_many_are_made(pace, progress):
    for made, most, single in ((9, 4, False), (3, 1, True), (1, 1, True)):
        pace.slow_down(made)
        assert pace.count(progress, Budget(), by_part=False) == most
        assert pace.single is single


def test_a_plan_alone_says_how_many_where_the_clock_is_ignored(progress):
    pace = PlanPace()
    pace.measure(StepResult(None, None, 7, 1, steps=1), 1e9)
    assert pace.count(progress, Budget(), by_part=False) == 10_000
    assert pace.largest == 7
    assert pace.count(progress, Budget(looks=500 + 21), by_part=False) == 3
    assert np.isfinite(pace.steps)
