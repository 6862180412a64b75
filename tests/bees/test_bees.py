"""The bees: formulas by hand, the ways to iterate against each other, and what the solvers promise."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from benchmarks.plain_bees import PythonRandom, Reference, tables_of
from swarmkit import Pairwise
from swarmkit.search import rng_state
from swarmkit.testing.families import BlackBox, Bounded, Shape, random_form, shapes
from swarmkit_bees import dbees
from swarmkit_bees.bco import draw_candidates
from swarmkit_bees.dbees import DBees
from swarmkit_bees.rules import IN_ORDER, MAX, MIN_MAX, RAW, REPLACE, Plan, Rules, loyalty, recruiting, stage_order
from swarmkit_bees.rules import normalised as normalised_one
from swarmkit_bees.state import Colony
from tests.bees.compiled_bees import iterate
from tests.testing.variants import check_variant

HOW = [MAX, MIN_MAX, RAW]
QUALITIES = st.lists(st.floats(-100, 100, allow_subnormal=False), min_size=1, max_size=9)


def mean_and_error(values):
    return np.mean(values), np.std(values, ddof=1) / np.sqrt(len(values))


def agree(a, b, errors=4.0):
    (mean_a, error_a), (mean_b, error_b) = mean_and_error(a), mean_and_error(b)
    return abs(mean_a - mean_b) <= errors * np.hypot(error_a, error_b) + 1e-9


def normalised(qualities, how):
    return normalised_one(np.asarray(qualities), min(qualities), max(qualities), how)


def plain_iteration(problem, plan, rng):
    """Make one iteration in numpy, and return what it found and u."""
    n = len(problem.sizes)
    colony = Colony(-1, np.full(n, -1), np.empty(0, np.uint64))
    choose = dbees.best_of_tries if plan.rules.tries else draw_candidates
    return dbees.iterate(problem, plan, colony, rng, choose), colony.passes


def test_loyalty_is_what_equation_2_says():
    assert loyalty(1.0, 1.0, 5) == 1.0
    assert loyalty(0.25, 1.0, 1) == pytest.approx(0.4723665527)
    assert loyalty(0.25, 1.0, 3) == pytest.approx(0.7788007831)


def test_recruiting_is_what_equation_3_says():
    assert recruiting(np.array([1.0, 0.6, 0.4]), 2.0).tolist() == pytest.approx([0.5, 0.3, 0.2])
    assert recruiting(0.0, 0.0) == 0.0


def test_qualities_are_normalised_as_named():
    assert normalised([2.0, 4.0], MAX).tolist() == [0.5, 1.0]
    assert normalised([2.0, 3.0, 4.0], MIN_MAX).tolist() == [0.0, 0.5, 1.0]
    assert normalised([2.0, 4.0], RAW).tolist() == [2.0, 4.0]
    assert normalised([-2.0, 0.0, 2.0], MAX).tolist() == [0.0, 0.5, 1.0]
    assert normalised([0.0, 0.0], MAX).tolist() == [0.0, 0.0]
    assert normalised([3.0, 3.0], MIN_MAX).tolist() == [1.0, 1.0]


@given(QUALITIES, st.sampled_from(HOW), st.integers(1, 50))
def test_loyalty_is_a_chance_that_grows_with_quality_and_passes(qualities, how, passes):
    share = normalised(np.sort(qualities), how)
    chance = loyalty(share, share.max(), passes)
    assert ((chance >= 0) & (chance <= 1)).all()
    assert (np.diff(chance) >= 0).all()
    assert chance[-1] == 1
    assert (loyalty(share, share.max(), passes + 1) >= chance).all()


@given(QUALITIES, st.sampled_from(HOW))
def test_recruiting_chances_sum_to_1_and_grow_with_quality(qualities, how):
    share = normalised(np.sort(qualities), how)
    chances = recruiting(share, share.sum())
    assert chances.sum() == pytest.approx(1 if share.any() else 0)
    assert (chances >= 0).all()
    assert (np.diff(chances) >= 0).all()


def rules_of(draw):
    return Rules(
        moves=draw(st.integers(1, 4)),
        recruiters=draw(st.integers(0, 3)),
        theta=draw(st.sampled_from([-1.0, 0.5, 9.0])),
        tries=draw(st.integers(0, 3)),
        normalise=draw(st.sampled_from(HOW)),
        first_on_ties=draw(st.booleans()),
        take_quality=draw(st.booleans()),
        reset_passes=draw(st.booleans()),
    )


@settings(deadline=None)
@given(shapes(), st.data())
def test_a_compiled_path_has_the_score_it_claims(shape, data):
    form, rules = random_form(shape), rules_of(data.draw)
    rng = np.random.default_rng(shape.seed)
    order = rng.permutation(shape.n)
    hive = np.arange(form.sizes[order[0]]) if data.draw(st.booleans()) else np.full(3, -1)
    made = iterate(form, Plan(order, hive, rules), 4, rng_state(rng))
    assert made.iterations == 4
    assert ((made.solution >= 0) & (made.solution < form.sizes)).all()
    assert form.score(made.solution[None])[0] == pytest.approx(made.score)
    assert made.looks >= 4 * len(hive) * shape.n


@pytest.mark.parametrize(
    "rules",
    [
        Rules(3, 3, theta=0.5, tries=5),
        Rules(1, 2, theta=2.0, tries=3, take_quality=False, reset_passes=False),
        Rules(2, 0, normalise=MIN_MAX),
        Rules(2, 3, theta=0.9, tries=2, first_on_ties=True, normalise=RAW),
        Rules(3, 3, theta=0.9, tries=4, drawing=REPLACE),
        Rules(3, 3, theta=0.9, tries=3, drawing=IN_ORDER),
        Rules(3, 3, theta=0.9, tries=3, first_below_theta=True),
        Rules(1, 3, theta=0.5, tries=3, take_quality=False, in_sequence=True),
    ],
)
def test_compiled_and_plain_iterations_agree_in_distribution(rules):
    form = random_form(Shape(14, 6, 4, "floats", 5))
    problem, order, hive = swarmkit.PairwiseProblem(form), np.roll(np.arange(14), -3), np.arange(form.sizes[3])
    state, rng = rng_state(np.random.default_rng(1)), np.random.default_rng(2)
    hive = hive if rules.recruiters else np.full(5, -1)
    plan = Plan(order, hive, rules)
    fast = [iterate(form, plan, 1, state) for _ in range(600)]
    plain, passes = zip(*(plain_iteration(problem, plan, rng) for _ in range(600)), strict=True)
    if rules.take_quality:  # else the plain one knows the best of all its paths, the fast one that of its best bee
        assert agree([f.score for f in fast], [p.score for p in plain])
        assert agree([f.looks for f in fast], [p.looks - len(hive) * 14 for p in plain])
    else:
        assert agree([f.looks - 14 for f in fast], [p.looks - len(hive) * 14 for p in plain])
    stages = 14 - (hive[0] >= 0)
    assert set(passes) == {-(-stages // rules.moves)}


def test_the_solver_agrees_with_the_reference_in_distribution():
    problem = swarmkit.make_problem("synthetic", n=40, window=1, polysemy=9, seed=3)
    hive, tables, solver = int(np.argmax(problem.sizes)), tables_of(problem.pairwise()), DBees(preset="paper")
    slow, fast = [], []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        state = solver.begin(problem, hive, rng)
        slow.append(Reference(tables, solver.plan(problem, hive), PythonRandom(seed)).search(10))
        fast.append(solver.steps(problem, state, rng, 99))
    assert all(found.done and found.iterations == 10 for found in fast)
    assert agree([found.score for found in fast], [bee.quality for bee in slow])
    path = [slow[0].path[stage] for stage in range(40)]
    assert problem.score(np.array([path]))[0] == pytest.approx(slow[0].quality)


def test_bees_walk_from_the_hive_to_both_ends():
    assert stage_order(3, 6, "ends").tolist() == [3, 4, 5, 2, 1, 0]
    assert stage_order(3, 6, "wrap").tolist() == [3, 4, 5, 0, 1, 2]


def test_a_bee_stops_looking_at_a_candidate_that_is_good_enough():
    added, allowed = np.array([[0.9, 0.1, 0.9]] * 500), np.ones((500, 3), bool)
    goal, rules = np.full(500, 0.5), Rules(1, 1, tries=5)
    choice, looks = dbees.best_of_tries(added, allowed, goal, rules, np.random.default_rng(1))
    assert set(choice) == {0, 2}
    assert 500 * 1.2 < looks < 500 * 1.5  # 4/3 on average


def test_ties_can_go_to_the_first_candidate():
    form = swarmkit.Pairwise.of([2, 9, 9], [(0, 1, np.zeros((2, 9))), (1, 2, np.zeros((9, 9)))])
    problem = swarmkit.PairwiseProblem(form)
    for seed in range(5):
        result = swarmkit.solve(problem, "dbees", params={"preset": "paper", "ties": "first"}, seed=seed)
        chosen = np.array(result.solution)
        assert (chosen == 0).sum() >= 2  # all but the hive, where every candidate has its bee


def test_the_hives_first_candidate_does_not_win_among_equal_bees():
    problem = swarmkit.PairwiseProblem(swarmkit.Pairwise.of([6, 1, 1], [(0, 1, np.zeros((6, 1)))]))
    found = {swarmkit.solve(problem, "dbees", params={"preset": "paper"}, seed=seed).solution[0] for seed in range(40)}
    assert found == set(range(6))


def test_candidates_in_their_order_are_tried_from_the_first_on():
    related = [[0.0, 0.4, 0.6, 0.9]]
    problem = swarmkit.PairwiseProblem(swarmkit.Pairwise.of([1, 4], [(0, 1, related)]))
    solver = DBees(preset="paper", draw="order")
    assert solver.begin(problem, 0, np.random.default_rng(0)) is not None
    path = Reference(tables_of(problem.form), solver.plan(problem, 0), PythonRandom(0)).search(1).path
    assert path[1] == 2  # the first that reaches θ = 0.5, though the last is more similar


def test_below_theta_the_first_candidate_is_taken_if_asked_for():
    related = np.full((2, 5), 0.3) + 0.1 * (np.arange(5) == 4)
    problem = swarmkit.PairwiseProblem(swarmkit.Pairwise.of([2, 5], [(0, 1, related)]))
    for below, expected in (("best", {4}), ("first", {0})):
        params = {"preset": "paper", "below_theta": below}
        hive_at_0 = DBees(**params)
        plan = hive_at_0.plan(problem, 0)
        paths = [Reference(tables_of(problem.form), plan, PythonRandom(seed)).search(1).path for seed in range(9)]
        assert {path[1] for path in paths} == expected


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"draw": "replace", "tries": None}, "draw=replace needs a number of tries"),
        ({"below_theta": "first"}, "below_theta=first needs a theta"),
        ({"followers": "sequence"}, "goes with literal=true"),
    ],
)
def test_readings_that_make_no_sense_are_refused(params, sentence):
    with pytest.raises(swarmkit.UsageError, match=sentence):
        swarmkit.make_solver("dbees", **params)


def test_in_sequence_a_follower_takes_over_what_its_recruiter_has_just_taken_over():
    """The second best bee follows the best, so whoever follows the second afterwards has the best's path too."""
    swarm = dbees.Swarm(np.array([[0], [1], [2]]), np.array([3.0, 2.0, 1.0]))
    together, sequence = (Rules(1, 2, take_quality=False, in_sequence=way) for way in (False, True))
    paths = {way: set() for way in (together, sequence)}
    for way, seed in itertools.product(paths, range(300)):
        after = dbees.backward_pass(swarm, 1, way, np.random.default_rng(seed)).paths[:, 0]
        if after[1] == 0:  # the second has given up its own path
            paths[way].add(int(after[2]))
    assert paths == {together: {0, 1, 2}, sequence: {0, 2}}


@pytest.mark.parametrize("problem", ["tables", "black box"])
def test_dbees_is_done_after_its_iterations(problem):
    made = random_form(Shape(5, 4, 2, "floats", 1))
    made = swarmkit.PairwiseProblem(made) if problem == "tables" else BlackBox(made)
    result = swarmkit.solve(made, "dbees", params={"iterations": 7})
    assert (result.stopped, result.iterations) == ("done", 7)


def test_dbees_ends_when_an_iteration_betters_nothing():
    problem = swarmkit.make_problem("synthetic", n=6, polysemy=2)
    for preset in ("paper", "best"):
        result = swarmkit.solve(problem, "dbees", params={"preset": preset, "iterations": 1000, "tolerance": 0})
        assert result.stopped == "done"
        assert result.iterations < 20


def test_the_appendix_ends_at_a_quality_of_beta_or_less():
    problem = swarmkit.make_problem("synthetic", n=6)
    for preset in ("paper", "best"):
        given = {"preset": preset, "beta": 100}
        assert swarmkit.solve(problem, "dbees", params={"preset": preset, "literal": True}).iterations == 10
        assert swarmkit.solve(problem, "dbees", params=given | {"literal": True}).iterations == 1
        assert swarmkit.solve(problem, "dbees", params=given).iterations == 10


def test_a_step_is_one_iteration_of_the_paper():
    problem, solver, rng = swarmkit.make_problem("synthetic"), DBees(preset="paper"), np.random.default_rng(1)
    state = solver.start(problem, rng)
    steps = [solver.step(problem, state, rng) for _ in range(10)]
    assert [step.iterations for step in steps] == [1] * 10
    assert [step.done for step in steps] == [False] * 9 + [True]


def test_bco_draws_candidates_in_proportion_to_what_they_add():
    form = swarmkit.Pairwise.of([2, 3], unary=[0, 0, 1, 2, 5])
    plan, state = Plan(np.array([1, 0]), np.array([-1]), Rules(1, 0)), rng_state(np.random.default_rng(1))
    drawn = [iterate(form, plan, 1, state).solution[1] for _ in range(8000)]
    assert np.bincount(drawn) / 8000 == pytest.approx([1 / 8, 2 / 8, 5 / 8], abs=0.02)


def test_bco_makes_its_iterations_with_its_bees():
    problem = swarmkit.make_problem("synthetic", n=25, polysemy=3)
    result = swarmkit.solve(problem, "bco", params={"iterations": 6, "bees": 4})
    assert (result.stopped, result.iterations) == ("done", 6)
    assert result.looks == 6 * 4 * problem.sizes.sum()


@pytest.mark.parametrize("tables", [True, False])
def test_the_first_bee_of_bco_follows_a_given_solution(tables):
    form = random_form(Shape(12, 4, 2, "floats", 3))
    problem = swarmkit.PairwiseProblem(form) if tables else Bounded(form)
    solver, rng = swarmkit.make_solver("bco", bees=1), np.random.default_rng(1)
    solver.prepare(problem)
    known = swarmkit.solve(problem, "ils", looks=20_000)
    state = solver.start(problem, rng)
    assert solver.inject(problem, state, np.array([known.solution]), np.array([known.score]), rng) == 12
    assert solver.inject(problem, state, np.array([known.solution]), np.array([known.score]), rng) == 0  # no better
    solver.step(problem, state, rng)
    assert solver.snapshot(state)[-1]["solutions"][0].tolist() == known.solution


def test_bees_that_compare_find_more_than_bees_that_do_not():
    problem = swarmkit.make_problem("synthetic", n=100, window=3)
    swarm = swarmkit.solve_many(problem, "bco", 20, params={"normalise": "raw"})
    alone = swarmkit.solve_many(problem, "bco", 20, params={"moves": 100})
    assert np.mean([run.score for run in swarm.runs]) > np.mean([run.score for run in alone.runs]) + 1


@pytest.mark.parametrize(
    "params",
    [
        {"preset": "paper", "literal": True, "walk": "wrap", "beta": -1e9},
        {"preset": "paper", "ties": "first", "normalise": "raw", "bees": 2, "reset_passes": False},
        {"literal": True, "ties": "first", "bees": 2, "beta": -1e9},
    ],
    ids=["literal", "others", "extended"],
)
def test_every_reading_of_the_paper_keeps_the_contract(params):
    report = check_variant(DBees(iterations=100_000, **params))
    assert not report.of("skipped"), str(report)


def test_the_hive_is_drawn_among_the_stages_with_a_choice():
    problem = BlackBox(Pairwise.of([1, 3, 1, 2, 1], unary=np.zeros(8)))
    solver = DBees(preset="paper")
    assert {solver.draw_hive(problem, np.random.default_rng(seed)) for seed in range(40)} == {1, 3}


@pytest.mark.parametrize("literal", [False, True])
def test_a_follower_takes_the_quality_of_its_new_path_but_in_the_appendix(literal):
    rules = DBees(preset="paper", literal=literal).params.rules()
    swarm = dbees.Swarm(np.array([[0, 0], [1, 1]]), np.array([5.0, 1.0]))
    after = [dbees.backward_pass(swarm, 1, rules, np.random.default_rng(seed)) for seed in range(30)]
    assert {tuple(each.paths[1]) for each in after} == {(0, 0), (1, 1)}  # now it follows, now it is loyal
    for each in after:
        follows = each.paths[1, 0] == 0
        assert each.qualities.tolist() == [5.0, 5.0 if follows and not literal else 1.0]


def test_in_the_appendix_bees_compare_after_every_stage():
    assert DBees(preset="paper", literal=True).params.rules().moves == 1
    assert DBees(preset="paper", literal=True, moves=3).params.rules().moves == 1
    assert DBees(preset="paper", moves=3).params.rules().moves == 3
