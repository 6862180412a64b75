"""The parts of the arena: messages, mirrored instances, integrity, CPU limits, the audit of reading."""

import math
import sys
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import swarmkit
from swarmkit.contract.problem_view import problem_view
from swarmkit.testing import check_problem
from swarmkit_arena.contest import Match, check_bounds
from swarmkit_arena.cpu_limit import CpuLimited
from swarmkit_arena.families import ALONE, FAMILIES, PAIRS, Knapsacks, independent_values
from swarmkit_arena.integrity import changes, take_snapshot
from swarmkit_arena.messages import Message, decode, encode
from swarmkit_arena.mirror import description, mirror
from swarmkit_arena.replies import take_generator
from swarmkit_arena.rules import Breach
from swarmkit_arena.submission import static_reasons

KINDS = st.sampled_from([np.int64, np.float64, np.bool_, np.uint8, np.float32])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(
    st.dictionaries(st.text(), VALUES, max_size=3),
    st.dictionaries(
        st.text(max_size=5), KINDS.flatmap(lambda kind: hnp.arrays(kind, hnp.array_shapes(min_dims=0))), max_size=3
    ),
)
def test_messages_arrive_as_they_were_sent(body, arrays):
    found = decode(encode(Message(body, arrays)))
    assert found.body == body
    assert list(found.arrays) == list(arrays)
    for name, array in arrays.items():
        assert found.arrays[name].dtype == array.dtype
        assert np.array_equal(found.arrays[name], array, equal_nan=array.dtype.kind == "f")


@given(st.binary(max_size=200))
def test_bytes_that_are_no_message_are_refused(data):
    try:
        found = decode(data)
    except ValueError:
        return
    assert isinstance(found.body, dict)


def test_arrays_of_objects_are_refused():
    data = encode(Message({}, {"a": np.zeros(2)})).replace(b'"<f8"', b'"|O8"')
    with pytest.raises(ValueError, match="Python objects"):
        decode(data)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_mirrored_instance_answers_like_the_instance_itself(family):
    problem = problem_view(family.draw(np.random.default_rng(1)))

    def ask(what, X, stage):
        return getattr(problem, what)(X) if stage < 0 else getattr(problem, what)(X, stage)

    told, arrays = description(problem)
    mirrored = mirror(told, {name: np.array(array) for name, array in arrays.items()}, ask)
    rng = np.random.default_rng(2)
    X = swarmkit.random_solutions(problem, 5, rng)
    assert np.array_equal(mirrored.score(X), problem.score(X))
    assert np.array_equal(mirrored.feasible(X), problem.feasible(X))
    assert np.array_equal(mirrored.allowed(X, 1), problem.allowed(X, 1))
    ours, theirs = mirrored.structure, problem.structure
    assert (ours.black_box, ours.distinct, ours.constrained) == (theirs.black_box, theirs.distinct, theirs.constrained)
    assert (ours.tour is None) == (theirs.tour is None)
    assert mirrored.evaluations == 5


def test_the_constrained_family_keeps_the_contract_of_problems():
    check_problem(Knapsacks(np.random.default_rng(1)), examples=3)


def test_a_function_or_constant_that_was_replaced_is_noticed():
    module = ModuleType("swarmkit.planted")
    exec("LIMIT = 3\ndef rule(x, y=1): return x\nclass Kind:\n    def act(self): return 1", vars(module))  # noqa: S102
    module.Kind.__module__ = "swarmkit.planted"
    sys.modules["swarmkit.planted"] = module
    try:
        before = take_snapshot()
        assert changes(before) == []
        module.LIMIT = 4
        module.rule.__defaults__ = (2,)
        module.Kind.act = lambda self: 2
        module.Kind.more = lambda self: 3
        names = ["LIMIT", "rule", "Kind.act", "Kind.more"]
        assert changes(before) == [f"swarmkit.planted.{name}" for name in names]
    finally:
        del sys.modules["swarmkit.planted"]


def test_values_that_were_not_read_cannot_be_known():
    """Read values in order, each stage or pair up to a good one, the best that is possible: the audit's bound holds."""
    form = independent_values(np.random.default_rng(1)).form
    n, m = ALONE + PAIRS, int(form.sizes[0])
    values = [*form.unary[: ALONE * m].reshape(ALONE, m), *form.flat.reshape(PAIRS, m * m)[:, :m]]
    for looks in (1000, 8000, 20_000):
        left, score = looks, 0.0
        for row in values:
            best, read = -1.0, 0
            while left and read < m and best < 0.75:
                best, read, left = max(best, row[read]), read + 1, left - 1
            score += best if best > 0.5 or read == m else row[read]
        assert score < n / 2 + looks / 8 + 6 * math.sqrt((n + looks) / 12)


def test_a_cpu_limit_ends_a_run_and_drops_what_comes_later():
    clock = iter(np.arange(0.0, 100.0, 0.06))  # every call takes 0.06 seconds
    limited = CpuLimited(swarmkit.make_solver("icm"), lambda: float(next(clock)), 0.5)
    problem = swarmkit.make_problem("synthetic", n=30)
    spec_free = swarmkit.solve(problem, limited, seed=1, seconds=20)
    assert spec_free.stopped == "done"
    assert 0.5 <= limited.used < 0.6
    assert spec_free.score is not None


def test_the_first_answer_of_a_slow_solver_counts_up_to_a_multiple_of_the_limit():
    for step, answered in ((1.0, True), (9.0, False)):
        clock = iter(np.arange(0.0, 1000.0, step / 4))
        limited = CpuLimited(swarmkit.make_solver("icm"), lambda clock=clock: float(next(clock)), 0.5)
        found = swarmkit.solve(swarmkit.make_problem("synthetic", n=30), limited, seed=1, seconds=20)
        assert (found.score is not None) == answered


@pytest.mark.parametrize(
    ("source", "rules"),
    [
        ("import numpy as np\nfrom swarmkit import Solver\nfrom swarmkit.search import gain_table\n", []),
        ("from swarmkit.running.metering import TOLERANCE\n", ["harness"]),
        ("def f():\n    from urllib.request import urlopen\n    import ctypes\n", ["network", "harness"]),
    ],
)
def test_imports_that_computing_does_not_need_are_found_without_running_the_file(source, rules):
    assert [reason.rule for reason in static_reasons(source)] == rules


def test_bounds_are_held_against_the_answers_of_other_solvers():
    def match(method, score, bound=None):
        facts = {"family": "spins", "instance": "spins 1", "evaluations": 0, "looks": 1, "cpu_seconds": 0.1}
        return Match(method=method, score=score, bound=bound, **facts)

    check_bounds([match("mine", 3.0, 4.0), match("ils", 4.0), match("sa", None)], "mine")
    with pytest.raises(Breach, match=r"no solution scores more than 4; another solver has 4\.5"):
        check_bounds([match("mine", 3.0, 4.0), match("ils", 4.5)], "mine")


def test_the_generator_of_a_run_may_be_drawn_from_and_nothing_else():
    rng, own = np.random.default_rng(1), np.random.default_rng(1)
    for draw in (lambda: own.random(1000), lambda: own.integers(5, size=3, dtype=np.int32), lambda: None):
        draw()
        take_generator(rng, own.bit_generator.state)
        assert rng.bit_generator.state == own.bit_generator.state
    for other in (np.random.PCG64(2).state, np.random.MT19937(1).state, {"state": 3}, None):
        with pytest.raises(Breach):
            take_generator(np.random.default_rng(1), other)
    seen = rng.bit_generator.state
    seen["state"]["state"] += 1
    with pytest.raises(Breach, match="instead of drawing"):
        take_generator(rng, seen)
