"""Large neighbourhood search by bees: presets, segments, climbs against their plain twins, what the default reaches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import Pairwise, PairwiseProblem
from swarmkit.cli.options import convert_settings
from swarmkit.kernels import gain_table, icm, rng  # noqa: F401  (compiled before the clock runs)
from swarmkit.search import GainTable, links_of, rng_state
from swarmkit.testing.families import BlackBox, Bounded, Shape, random_form, random_tour, shapes
from swarmkit_bees import large_neighbourhood_kernel
from swarmkit_bees.dbees import DBees
from swarmkit_bees.parameters import PAPER
from swarmkit_bees.rules import Plan, Rules
from tests.bees.compiled_bees import memory_for
from tests.plain_climbs import plain_best, rounded
from tests.testing.variants import check_variant

PROBLEMS = {
    "tables": PairwiseProblem(random_form(Shape(40, 6, 4, "floats", 2))),
    "chain": PairwiseProblem(random_form(Shape(40, 6, 1, "floats", 3))),
    "tour": PairwiseProblem(random_tour(Shape(20, 20, 1, "floats", 4))),
    "black box": BlackBox(random_form(Shape(11, 5, 3, "floats", 5))),
    "constrained": Bounded(random_form(Shape(11, 5, 3, "floats", 6))),
}


def test_what_is_given_counts_over_the_preset():
    paper = DBees(preset="paper").params
    assert {name: getattr(paper, name) for name in PAPER} == dict(PAPER)
    assert (paper.iterations, paper.moves, paper.recruiters, paper.tries, paper.beta) == (10, 3, 3, 5, 0.8)
    assert DBees(preset="paper", theta=None, segment="7").params.segment == 7
    assert DBees(preset="paper", theta=None).params.theta is None
    assert DBees(preset="paper", theta="none").params.theta is None  # as on the command line
    assert DBees().params == DBees(preset="best").params
    with pytest.raises(swarmkit.UsageError, match="preset"):
        DBees(preset="papers")


def test_the_old_name_of_a_parameter_works_with_a_warning():
    with pytest.warns(DeprecationWarning, match="'stretch' is deprecated: it is 'segment' now"):
        assert DBees(stretch="7").params == DBees(segment=7).params
    with pytest.warns(DeprecationWarning, match="segment"):
        assert convert_settings("solver", "dbees", {"stretch": "7"}) == {"segment": 7}


def test_the_parameters_of_a_run_are_those_that_it_can_be_repeated_with():
    given = DBees(preset="paper", tries=2).params.model_dump()
    assert DBees(**given).params == DBees(preset="paper", tries=2).params


@pytest.mark.parametrize("kind", PROBLEMS)
def test_the_default_is_better_than_the_paper(kind):
    problem = PROBLEMS[kind]
    scores = {
        preset: [swarmkit.solve(problem, "dbees", seed=seed, params={"preset": preset}).score for seed in range(5)]
        for preset in ("paper", "best")
    }
    assert np.median(scores["best"]) > max(scores["paper"])


@pytest.mark.parametrize("shift", [0.0, -20.0])
def test_the_default_reaches_the_best_known_where_single_candidates_decide(shift):
    form, rng = random_form(Shape(300, 8, 40, "floats", 1)), np.random.default_rng(2)
    unary = rng.normal(shift, 4.0, len(form.unary))
    problem = PairwiseProblem(Pairwise(form.sizes, unary, form.edges, form.starts, 0.02 * form.weights, form.flat))
    best = swarmkit.solve(problem, "ils", looks=2_000_000).score
    low = float(problem.score(np.array([[int(np.argmin(part)) for part in np.split(unary, form.offsets[1:-1])]]))[0])
    for seed in range(3):
        result = swarmkit.solve(problem, "dbees", seed=seed)
        assert result.stopped == "done"
        assert result.score - low >= 0.999 * (best - low)


def test_an_iteration_visits_every_stage_once_and_keeps_the_rest():
    problem, solver, rng = PROBLEMS["tables"], DBees(segment=9), np.random.default_rng(3)
    state, seen, iterations, before, done = solver.start(problem, rng), [], 0, None, False
    while not done:
        between = not len(state.search.order)
        found = solver.step(problem, state, rng)
        done, iterations, order = found.done, iterations + found.iterations, state.search.order
        if between:
            seen.append(order)
            shown = solver.snapshot(state)[-1]
            assert shown["home"] == order[0]
            assert problem.sizes[order[0]] > 1 or (problem.sizes[order] == 1).all()
            starts = shown["solutions"][:, order[0]]
            assert len(starts) <= 10
            paths, before = state.search.paths, state.search.table.best.copy()
            assert 0 < len(np.unique(paths, axis=0)) == len(paths) <= 3
        elif len(order):
            others = np.setdiff1d(np.arange(40), order)
            assert (state.search.table.x[others] == before[others]).all()
        else:
            assert (state.search.table.x == state.search.table.best).all()
    assert iterations == 10
    assert sorted(seen[0]) == list(range(40))
    visits = np.concatenate(seen[1:]).reshape(9, 40)  # a row for each later iteration
    assert (np.sort(visits, axis=1) == np.arange(40)).all()
    lengths = {len(order) for order in seen[1:]}
    assert max(lengths) <= 9
    assert len(lengths) > 2


def test_no_step_is_longer_than_the_passes_of_a_segment_or_a_sweep():
    problem, solver, rng = PROBLEMS["tables"], DBees(segment=9), np.random.default_rng(3)
    state, done, most = solver.start(problem, rng), False, int(max(problem.sizes))
    while not done:
        between, stages = not len(state.search.order), 40 if state.iterations == 0 else 9
        found = solver.step(problem, state, rng)
        assert 0 < found.looks <= (10 * 5 * stages if between else (1 + most) * stages)
        assert found.iterations in {0, 1}
        done = found.done


@given(shapes(), st.data())
def test_the_values_of_free_stages_are_those_beside_the_rest(shape, data):
    form, rng = random_form(shape), np.random.default_rng(shape.seed)
    x, k = rng.integers(form.sizes), data.draw(st.integers(1, shape.n))
    stages = rng.permutation(shape.n)[:k]
    table, opened = GainTable.at(form, x, rng), x.copy()
    values, opened[stages] = table.values.copy(), -1
    large_neighbourhood_kernel.release(links_of(form), x, stages, values)
    for stage in stages:
        expected = form.marginals(opened[None], int(stage))[0]
        assert values[form.offsets[stage] : form.offsets[stage + 1]] == pytest.approx(expected)


def plain_round(form, order, paths, best, sweeps, state):
    """The twin of the compiled climb: return the first and the last of the best solutions, and the looks."""
    x, found, most, looks, sweep = best.copy(), None, -np.inf, 0, order.copy()

    def score():
        return float(form.score(x[None])[0])

    def keep():
        nonlocal found, most, best
        if score() > most:
            found = x.copy()
        if score() >= most:
            best, most = x.copy(), score()

    for path in paths:
        x[order] = path
        looks += len(order)
        keep()
        moved = sweeps
        while moved:
            rng.shuffle(sweep, state)
            moved = False
            for stage in sweep.tolist():
                gains = form.gains(x[None], stage)[0]
                looks += len(gains)
                choice = plain_best(gains, state)
                if choice is not None:
                    x[stage], moved = choice, True
        keep()
    return found, best, looks


@given(shapes(), st.booleans(), st.data(), st.sampled_from([1, 3, 10**9]))
def test_paths_climb_as_in_the_plain_version_however_many_sweeps_are_made_at_once(shape, improve, data, count):
    form, generator = rounded(random_form(shape)), np.random.default_rng(shape.seed)
    best, k = generator.integers(form.sizes), data.draw(st.integers(1, shape.n))
    order = generator.permutation(shape.n)[:k]
    paths = generator.integers(form.sizes[order], size=(3, k))
    table, state = GainTable.at(form, best, generator), rng_state(generator)
    table.scores[1] = -np.inf
    first_best, at, looks = best.copy(), np.array([0, icm.BEGIN, 0]), 0
    expected = plain_round(form, order, paths, best, improve, twin := state.copy())
    bests = table.best, first_best, table.scores
    climbing = large_neighbourhood_kernel.Climbing(order, paths, order.copy(), at, *bests, table.current)
    while at[0] < len(paths):
        more, pieces = large_neighbourhood_kernel.climb(links_of(form), climbing, improve, state, count)
        assert 0 < pieces <= count
        assert more > 0
        looks += more
    assert first_best.tolist() == expected[0].tolist()
    assert table.best.tolist() == table.x.tolist() == expected[1].tolist()
    assert looks == expected[2]
    assert table.scores == pytest.approx(float(form.score(first_best[None])[0]))
    assert (state == twin).all()


@given(shapes(fewest=2), st.integers(1, 5))
def test_the_recruiters_hand_over_the_best_paths(shape, recruiters):
    form, generator = random_form(shape), np.random.default_rng(shape.seed)
    order = generator.permutation(shape.n)
    rules = Rules(2, recruiters, theta=np.inf, tries=2)
    memory = memory_for(form, Plan(order, np.arange(6) % form.sizes[order[0]], rules))
    memory.make_passes(rng_state(generator))
    paths = np.empty((recruiters, shape.n), np.int64)
    large_neighbourhood_kernel.recruiters_paths(memory.workspace, rules.moves, paths)
    X = np.empty_like(paths)
    X[:, order] = paths
    scores = form.score(X)
    assert scores[0] == pytest.approx(memory.workspace.qualities.max())
    assert (np.diff(scores) <= 1e-9).all()


def test_stages_may_be_joined_by_several_edges():
    tables = np.random.default_rng(1).random((9, 3, 3))
    several = PairwiseProblem(Pairwise.of([3, 3], [(0, 1, table) for table in tables]))
    for preset in ("paper", "best"):
        score = swarmkit.solve(several, "dbees", params={"preset": preset, "tries": None}).score
        assert score == pytest.approx(tables.sum(axis=0).max())


@pytest.mark.parametrize(
    "params",
    [
        {"segment": 2, "most_bees": 2, "local_search": "none"},
        {"preset": "paper", "local_search": "local", "tries": None},
    ],
    ids=str,
)
def test_every_extension_keeps_the_contract(params):
    report = check_variant(DBees(iterations=100_000, **params))
    assert not report.of("skipped"), str(report)
