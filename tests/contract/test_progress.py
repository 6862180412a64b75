"""The progress of a run: marks, the trace, plans, and what counts as work."""

from hypothesis import given
from hypothesis import strategies as st

from swarmkit.contract.progress import CLOSEST, POINTS, Progress, StepPlan, Trace


def test_looks_are_the_larger_of_what_solver_and_meter_have_counted():
    progress = Progress()
    progress.count(looks=10, meter_looks=4, rows=2)
    progress.count(looks=1, meter_looks=20, rows=5)
    assert (progress.looks, progress.reported_looks, progress.metered_looks, progress.evaluations) == (24, 11, 24, 7)


def test_the_last_improvement_is_remembered_whether_it_is_a_claim_or_not():
    progress, remembered = Progress(), []
    for iteration, score, claim in ((1, None, None), (2, 5.0, None), (3, 5.0, None), (4, 5.0, 7.0), (5, 7.0, None)):
        progress.iterations, progress.score, progress.claim_score = iteration, score, claim
        progress.note_improvement()
        remembered.append((progress.improved_at, progress.improved_to))
    assert remembered == [(0, None), (2, 5.0), (2, 5.0), (4, 7.0), (4, 7.0)]


@given(st.integers(0, 10**7), st.integers(1, 10**6), st.integers(1, 1000))
def test_the_next_mark_is_a_thirty_second_away_within_its_bounds(looks, grain, closest):
    progress = Progress(looks=looks, mark=looks)
    assert progress.reach_mark(grain, closest)
    assert progress.mark - looks == min(max(looks // 32, closest), max(grain, closest))
    before = progress.mark
    assert not progress.reach_mark(grain, closest)
    assert progress.mark == before


def test_marks_are_at_least_64_looks_apart():
    progress = Progress()
    assert progress.reach_mark(1000)
    assert progress.mark == CLOSEST == 64


def test_the_trace_has_each_improvement_once_and_ends_with_the_best():
    progress = Progress()
    progress.add_to_trace()
    for looks, score in ((10, 1.0), (20, 1.0), (30, 0.5), (40, 3.0)):
        progress.looks, progress.score = looks, score
        progress.add_to_trace()
    assert (progress.trace.looks, progress.trace.score) == ([10, 40], [1.0, 3.0])
    assert progress.whole_trace() is progress.trace
    progress.looks, progress.score = 55, 4.0
    assert progress.whole_trace().score == [1.0, 3.0, 4.0]
    assert progress.whole_trace().looks == [10, 40, 55]
    assert progress.trace.score == [1.0, 3.0]


def test_within_a_plan_a_point_has_the_iterations_of_its_beginning():
    progress = Progress(iterations=9)
    progress.plan.begin(100, iterations=4)
    progress.trace.add(progress, 1.0)
    progress.plan.book(1, 100)
    progress.trace.add(progress, 2.0)
    assert progress.trace.iterations == [4, 9]


def test_a_full_trace_drops_every_second_point_but_keeps_its_ends():
    progress = Progress()
    for number in range(POINTS + 1):
        progress.looks = number
        progress.trace.add(progress, float(number))
    looks = progress.trace.looks
    assert looks == [0, *range(2, POINTS - 1, 2), POINTS - 1, POINTS]
    assert progress.trace.flaw() is None
    assert all(len(column) == len(looks) for column in vars(progress.trace).values())


def test_what_is_wrong_with_a_trace_is_said():
    sound = Trace([1, 2], [1, 1], [0.1, 0.1], [3.0, 2.0], [5, 6])
    assert sound.flaw() is None
    assert Trace([1, 2], [1, 1], [0.1, 0.1], [3.0, 2.0]).flaw() is None  # version 0.1 had no evaluations
    assert Trace([1], [1, 1], [0.1, 0.1], [3.0, 2.0]).flaw() == "its columns differ in length"
    assert Trace([1, 2], [1, 1], [0.1, 0.1], [3.0, 2.0], [5]).flaw() == "its columns differ in length"
    for name in ("looks", "iterations", "seconds", "evaluations"):
        falling = sound.copy()
        setattr(falling, name, [3, 2])
        assert falling.flaw() == "its numbers do not increase"


def test_a_copy_of_the_progress_does_not_change_with_it():
    progress = Progress(looks=5, score=1.0)
    progress.plan.begin(10)
    copy = progress.copy()
    progress.trace.add(progress, 1.0)
    progress.plan.book(1, 10)
    progress.looks = 9
    assert (copy.looks, copy.trace.looks, copy.plan.left) == (5, [], 1)


@given(st.lists(st.tuples(st.integers(1, 10**6), st.integers(1, 500)), min_size=1, max_size=6))
def test_a_plan_has_the_steps_that_should_take_its_looks(plans):
    plan, before = StepPlan(), None
    for wanted, looks_of_step in plans:
        plan.begin(wanted, iterations=3)
        if before is None:
            assert plan.size == 1
        else:
            steps, looks = before
            assert plan.size == max(1, min(-(-wanted * steps // looks), 8 * steps))
        assert plan.left == plan.size
        for left in range(plan.size - 1, -1, -1):
            assert plan.book(1, looks_of_step) is (left == 0)
        before = plan.size, plan.looks
        assert plan.looks == looks_of_step * plan.size
        if plan.size > 200:
            break


def test_a_plan_that_ends_early_has_the_steps_that_were_made():
    plan = StepPlan(left=10, size=10)
    assert not plan.book(4, 40)
    assert plan.book(2, 20, done=True)
    assert (plan.left, plan.size, plan.looks) == (0, 6, 60)
