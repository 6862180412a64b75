"""Metropolis sampling on the gain table against plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise, PairwiseProblem
from swarmkit.kernels import rng as random_numbers
from swarmkit.testing.families import Shape, random_form, shapes
from swarmkit_annealing.kernels import metropolis
from swarmkit_annealing.schedule import Schedule, acceptance
from swarmkit_annealing.tables import TableAnnealer

forms = st.builds(random_form, shapes(), distinct=st.booleans()) | st.builds(
    random_form, shapes(), distinct=st.just(True), shared=st.just(True)
)
seeds = st.integers(0, 999)


def solution(form, rng):
    return rng.permutation(form.sizes[0])[: len(form.sizes)] if form.distinct else rng.integers(form.sizes)


@given(st.floats(-50, 5), st.floats(1e-3, 1e3), st.floats(0, 1, exclude_max=True))
def test_the_kernel_accepts_what_the_formula_accepts(delta, temperature, u):
    assert metropolis.accepts(delta, temperature, u) == (u < acceptance(delta, temperature))


def plain_anneal(form, x, rng_state, schedule):
    """The twin: scores from scratch, the kernel's random numbers."""
    now = form.score(x[None])[0]
    best, highest = x.copy(), now
    free = np.flatnonzero(form.sizes > 1)
    for k in range(schedule.sweep * len(schedule.temperatures)):
        bits = int(random_numbers.random_bits(rng_state))
        i = free[(bits >> 32) * len(free) >> 32]
        c = (bits & 0xFFFFFFFF) * int(form.sizes[i] - 1) >> 32
        c += c >= x[i]
        temperature = schedule.temperatures[k // schedule.sweep]
        delta = form.gains(x[None], int(i))[0, c]
        if delta >= 0 or (
            delta > -40 * temperature and random_numbers.uniform(rng_state) < math.exp(delta / temperature)
        ):
            if form.distinct:
                x[x == c] = x[i]
            x[i] = c
            now += delta
            if now > highest:
                best, highest = x.copy(), now
    return best, highest, now


@given(forms, seeds)
def test_annealing_goes_where_the_plain_version_goes(form, seed):
    if (form.sizes == 1).all():
        return
    rng = np.random.default_rng(seed)
    x = solution(form, rng)
    schedule = Schedule(np.geomspace(2.0, 0.05, 4), 10)
    # Candidates of equal value would make the paths part over the last digit: make them unequal.
    unary = form.unary + 1e-3 * rng.random(len(form.unary))
    form = Pairwise(form.sizes, unary, form.edges, form.starts, form.weights, form.flat, form.distinct)
    table = TableAnnealer.start(PairwiseProblem(form), x, rng)
    best, highest, now = plain_anneal(form, x.copy(), table.rng_state.copy(), schedule)
    done = table.anneal(PairwiseProblem(form), schedule, rng)
    assert table.best.tolist() == best.tolist()
    assert table.scores == pytest.approx([now, highest])
    assert len(done.scores) == len(done.accepted) == 4
    assert done.scores[-1] == pytest.approx(now)
    assert 40 <= done.looks <= (80 if form.distinct else 40)


def test_sweeps_one_by_one_are_sweeps_in_one_call():
    rng = np.random.default_rng(3)
    problem = PairwiseProblem(random_form(Shape(5, 4, 2, "floats", 1)))
    whole, pieces = (TableAnnealer.start(problem, np.zeros(5, int), np.random.default_rng(3)) for _ in range(2))
    temperatures = np.geomspace(1.0, 0.1, 12)
    together = whole.anneal(problem, Schedule(temperatures, 7), rng)
    parts = [pieces.anneal(problem, Schedule(part, 7), rng) for part in np.split(temperatures, [1, 5, 6])]
    assert all(np.array_equal(value, vars(pieces)[name]) for name, value in vars(whole).items())
    assert np.concatenate([part.scores for part in parts]).tolist() == together.scores.tolist()
    assert sum(part.looks for part in parts) == together.looks


def annealer_of(form):
    return PairwiseProblem(form), TableAnnealer.start(
        PairwiseProblem(form), np.zeros(len(form.sizes), int), np.random.default_rng(1)
    )


def test_it_stops_after_the_first_sweep_that_changes_nothing():
    problem, table = annealer_of(Pairwise.of([2, 2, 2], unary=[1.0, 0.0] * 3))
    done = table.anneal(problem, Schedule(np.full(12, 1e-6), 3, until_frozen=True), np.random.default_rng(1))
    assert (done.looks, len(done.scores), done.frozen) == (3, 1, True)


def test_turns_between_equal_candidates_are_no_change():
    problem, table = annealer_of(Pairwise.of([2, 2]))
    done = table.anneal(problem, Schedule(np.full(10, 0.1), 2, negligible=1e-9), np.random.default_rng(1))
    assert len(done.accepted) == 10
    assert not done.accepted.any()
    assert not done.frozen  # nobody asked
