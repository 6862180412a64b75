"""The compiled bees against the formulas, and against their plain twin, which draws the same random numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import plain_bees
from benchmarks.plain_bees import Bee, Reference, tables_of
from swarmkit import Pairwise
from swarmkit.kernels import rng as kernel_rng
from swarmkit.kernels.roulette import spin
from swarmkit.search import VisitingOrder, rng_state
from swarmkit.testing.families import random_form, shapes
from swarmkit_bees import kernel
from swarmkit_bees import rules as formulas
from swarmkit_bees.bco import wheel_weights
from swarmkit_bees.rules import IN_ORDER, MAX, MIN_MAX, RANDOM, RAW, REPLACE, Plan, Rules
from tests.bees.compiled_bees import memory_for

HOW = [MAX, MIN_MAX, RAW]
QUALITIES = st.lists(st.floats(-100, 100, allow_subnormal=False), min_size=1, max_size=9)


class KernelRandom:
    """The random numbers that a kernel draws from the same state."""

    def __init__(self, state):
        self.state = state

    def uniform(self):
        return kernel_rng.uniform(self.state)

    def below(self, bound):
        return kernel_rng.below(self.state, bound)

    def roulette(self, weights):
        return spin(np.array(weights), len(weights), np.add.accumulate(weights)[-1], self.uniform())


@settings(deadline=None)
@given(QUALITIES, st.sampled_from(HOW), st.integers(1, 50))
def test_the_compiled_formulas_are_those_of_the_rules(qualities, how, passes):
    """They would not be where numba's cache is older than the rules."""
    values, out = np.array(qualities), np.empty(len(qualities))
    best = kernel.normalise(values, how, out)
    assert out.tolist() == formulas.normalised(values, values.min(), values.max(), how).tolist()
    assert best == out.max()
    for quality in out:
        expected = formulas.loyalty(quality, best, passes)
        assert kernel.loyalty(quality, best, passes) == pytest.approx(expected)
        assert kernel.recruiting(quality, out.sum()) == formulas.recruiting(quality, out.sum())


@settings(deadline=None)
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=6), st.sampled_from([0.0, 2.0]))
def test_the_weights_of_candidates_are_those_of_the_formula(values, sharpness):
    added, out = np.array(values, float), np.empty(len(values))
    expected = wheel_weights(added[None], np.ones((1, len(added)), bool), sharpness)[0].tolist()
    assert plain_bees.wheel_weights(added.tolist(), sharpness) == pytest.approx(expected)
    if added.min() < 0:
        drawn = kernel.draw_costly(added, len(added), sharpness, out, rng_state(np.random.default_rng(1)))
        assert out.tolist() == pytest.approx(expected)
        assert out[drawn] > 0 or not out.any()


def test_a_cheap_candidate_that_is_not_allowed_has_no_weight_however_sharp_the_wheel_is():
    added, allowed = np.array([[-1e-9, -1.0, -2.0]]), np.array([[False, True, True]])
    assert wheel_weights(added, allowed, 80.0).tolist() == [[0.0, 1.0, 0.5**80]]  # and no overflow


@settings(deadline=None)
@given(QUALITIES, st.integers(1, 9))
def test_the_best_bees_are_found_in_order(qualities, wanted):
    wanted = min(wanted, len(qualities))
    out = np.empty(len(qualities), np.int64)
    count = kernel.best_bees(np.array(qualities), wanted, out)
    assert out[:count].tolist() == np.argsort(-np.array(qualities), kind="stable")[:wanted].tolist()


def test_compiled_recruiters_are_drawn_as_equation_3_says():
    state, share, weights = rng_state(np.random.default_rng(1)), np.array([0.4, 1.0, 0.0, 0.6]), np.empty(4)
    recruiters = np.array([1, 3, 0], np.int64)
    total = kernel.advertise(share, recruiters, 3, weights)
    drawn = [recruiters[kernel.draw(weights, 3, total, state)] for _ in range(20_000)]
    counts = np.bincount(drawn, minlength=4) / 20_000
    assert counts == pytest.approx([0.2, 0.5, 0.0, 0.3], abs=0.015)


def test_recruiters_without_quality_are_drawn_alike():
    state, weights = rng_state(np.random.default_rng(1)), np.zeros(4)
    drawn = [kernel.draw(weights, 4, 0.0, state) for _ in range(20_000)]
    assert np.bincount(drawn) / 20_000 == pytest.approx([0.25] * 4, abs=0.015)


rules = st.builds(
    Rules,
    moves=st.integers(1, 4),
    recruiters=st.integers(0, 3),
    theta=st.sampled_from([-1.0, 5.0, 99.0]),
    tries=st.integers(0, 3),
    normalise=st.sampled_from(HOW),
    first_on_ties=st.booleans(),
    drawing=st.sampled_from([RANDOM, REPLACE, IN_ORDER]),
    first_below_theta=st.booleans(),
    take_quality=st.booleans(),
    reset_passes=st.booleans(),
    tolerance=st.sampled_from([-np.inf, 0.0]),
    beta=st.sampled_from([-np.inf, 20.0]),
    sharpness=st.sampled_from([0.0, 2.0]),
    in_sequence=st.just(False),  # set in the test, where the other rules admit it
)


def search(form, plan, iterations, state, each, guide=None):
    """Make compiled iterations, `each` in one call; return the best path, its score, the cost, and u."""
    memory, best, total, count, ended = memory_for(form, plan, guide), None, 0, 0, False
    record = -np.inf if guide is None else float(form.score(guide[None])[0])
    while count < iterations and not ended:
        known = record
        record, looks, made, ended = memory.iterate(min(each, iterations - count), known, state)
        best = memory.workspace.best.copy() if record > known else best
        total, count = total + looks, count + made
    return best, record, [total, count, memory.workspace.passes[0]]


@given(shapes(), rules, *[st.booleans()] * 4, st.integers(1, 4), st.integers(1, 4))
def test_the_kernel_finds_the_paths_of_the_plain_twin(
    shape, rules, from_hive, costly, in_sequence, guided, iterations, each
):
    form, rng = random_form(shape._replace(n=shape.n + 2)), np.random.default_rng(shape.seed)
    # Whole numbers, whose sums are exact: ties are ties for both.
    tables = np.rint(9 * form.unary) - 40 * costly, form.edges, form.starts, form.weights, np.rint(9 * form.flat)
    form, order = Pairwise(form.sizes, *tables), rng.permutation(len(form.sizes))
    if rules.recruiters and not rules.take_quality:  # in sequence, as the appendix has it, qualities stay
        rules = rules._replace(in_sequence=in_sequence)
    plan = Plan(order, np.arange(form.sizes[order[0]]) if from_hive else np.full(4, -1), rules)
    state = rng_state(rng)
    plain = Reference(tables_of(form), plan, KernelRandom(state.copy()))
    guide = rng.integers(form.sizes) if guided else None
    known = Bee(dict(enumerate(guide.tolist())), float(form.score(guide[None])[0])) if guided else None
    best = plain.search(iterations, known)
    path, score, cost = search(form, plan, iterations, state, each, guide)
    if best is known:
        assert path is None
    else:
        assert dict(enumerate(path.tolist())) == best.path
        assert score == pytest.approx(best.quality)
        assert form.score(path[None])[0] == pytest.approx(best.quality)
    assert cost == [plain.looks, plain.iterations, plain.passes]
    assert (state == plain.rng.state).all()


@given(shapes(fewest=2), st.data())
def test_the_half_edges_of_a_plan_are_those_of_its_visiting_order(shape, data):
    form, rng = random_form(shape), np.random.default_rng(shape.seed)
    memory = memory_for(form, Plan(np.arange(shape.n), np.array([0]), Rules(1, 1)))
    for _ in range(2):  # the memory is used again
        order = rng.permutation(shape.n)[: data.draw(st.integers(1, shape.n))]
        memory.follow(Plan(order, np.array([0]), Rules(1, 1)), form.unary, np.full(shape.n, -1))
        expected = VisitingOrder.of(form, order)
        count = expected.indptr[-1]
        for name in ("order", "indptr", "last"):
            assert getattr(memory.visits, name).tolist() == getattr(expected, name).tolist()
        for name in ("earlier", "start", "stride", "far_stride", "weight"):
            assert getattr(memory.visits, name)[:count].tolist() == getattr(expected, name).tolist()
