import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import Refusal
from swarmkit.compiled import Rules, Ways, ants
from swarmkit.contract.tour import Tour
from swarmkit.kernels import chance, trails
from swarmkit.testing import check_solver
from swarmkit.testing.families import FAMILIES, Shape, random_form, shapes
from swarmkit_ants import formulas
from swarmkit_ants.memory import Memory
from swarmkit_ants.tours import renewed
from tests.plain_tours import plain_follow
from tests.test_tour import edges, salesman

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(5, 30)
fractions = st.floats(0.01, 1)


def ways_of(tour, k, seed, alpha=1.0):
    near = tour.nearest(k)
    trail = np.random.default_rng(seed).random(near.shape)
    charm = formulas.nearness(np.take_along_axis(tour.cost, near.astype(np.int64), axis=1), 2.0)
    return Ways(near, trail, charm, (trail**alpha * charm).astype(np.float32))


def plain_walk(tour, ways, rules, words):
    """One ant's tour, by the book: the best of its free nearest or a roulette over them, else the nearest of all."""
    n = len(tour.cost)
    way = [int(chance.below(words, n))]
    while len(way) < n:
        here = way[-1]
        if rules.greed > 0 and chance.uniform(words) < rules.greed:
            city = best_free(ways, here, way)
        else:
            city = plain_follow(ways, here, way, words)
        if city is None:
            city = min(set(range(n)) - set(way), key=lambda other: tour.cost[here, other])
        wear(ways, rules, here, city)
        wear(ways, rules, city, here)
        way.append(city)
    return way


def best_free(ways, city, taken):
    """The twin of `best_way`."""
    shares = np.where(np.isin(ways.near[city], taken), 0, ways.weights[city])
    return int(ways.near[city, shares.argmax()]) if shares.any() else None


def wear(ways, rules, a, b):
    """The twin of `wear`: the trail from a to b, if it has one, nearer to its floor."""
    on = ways.near[a] == b
    ways.trail[a, on] += rules.wear * (rules.floor - ways.trail[a, on])
    ways.weights[a, on] = ways.trail[a, on] ** rules.alpha * ways.charm[a, on]


def plain_renewal(tour, ways, most, words, source):
    """Give all tours that one ant may make: its walk where its last or its first city was, either way round."""
    n = len(source)
    most, city = min(most, n - 2), int(chance.below(words, n))
    last = 2 + int(chance.below(words, most - 1)) if most > 1 else 1
    at = source.tolist().index(city)
    step = plain_follow(ways, city, [city, source[at - 1], source[at + 1 - n]], words)
    step = plain_follow(ways, city, [city], words) if step is None else step
    part = [city]
    while step is not None and len(part) < last:
        part.append(step)
        step = plain_follow(ways, step, part, words) if len(part) < last else None
    rest = [other for other in source.tolist() if other not in part]
    made = []
    for end in (part[-1], part[0]):
        before = np.roll(source, -source.tolist().index(end))[::-1].tolist()
        at = rest.index(next(other for other in before if other not in part)) + 1
        made += [rest[:at] + way + rest[at:] for way in (part, part[::-1])]
    return np.array(made)


RULES = [Rules(), Rules(greed=0.5), Rules(greed=0.9, wear=0.1, floor=0.05), Rules(alpha=2.0, wear=0.5)]


@given(sizes, st.integers(1, 12), seeds, st.sampled_from(RULES))
def test_ants_walk_as_the_plain_ant_does(n, k, seed, rules):
    tour = salesman(n, seed).form.tour
    ways, plain = ways_of(tour, k, seed, rules.alpha), ways_of(tour, k, seed, rules.alpha)
    words = chance.seeded(np.random.default_rng(seed))
    again = words.copy()
    walked = ants.walk_tours(tour, ways, 3, rules, words)
    assert walked.tours.tolist() == [plain_walk(tour, plain, rules, again) for _ in range(3)]
    assert np.allclose(walked.lengths, tour.lengths(walked.tours))
    assert np.allclose(ways.trail, plain.trail)
    assert np.allclose(ways.weights, plain.weights)
    assert walked.looks >= 3 * (n - 1) * ways.near.shape[1]


def test_greedy_ants_take_the_best_way_on():
    tour = salesman(30).form.tour
    ways = ways_of(tour, 29, 1)
    way = ants.walk_tours(tour, ways, 1, Rules(greed=1.0), chance.seeded(np.random.default_rng(1))).tours[0]
    for at in range(29):
        free = ~np.isin(ways.near[way[at]], way[: at + 1])
        assert way[at + 1] == ways.near[way[at]][np.argmax(ways.weights[way[at]] * free)]


def test_ants_wear_the_ways_they_cross_and_no_others():
    tour = salesman(12).form.tour
    ways = ways_of(tour, 11, 1)
    before = ways.trail.copy()
    way = ants.walk_tours(tour, ways, 1, Rules(wear=0.5), chance.seeded(np.random.default_rng(1))).tours[0]
    crossed = {frozenset(pair) for pair in zip(way[:-1].tolist(), way[1:].tolist(), strict=True)}
    for a in range(12):
        for j, b in enumerate(ways.near[a].tolist()):
            assert ways.trail[a, j] == before[a, j] * (0.5 if frozenset((a, b)) in crossed else 1.0)


@given(st.integers(3, 30), st.integers(1, 12), st.integers(1, 30), seeds)
def test_ants_renew_parts_as_the_plain_ant_does(n, k, most, seed):
    rng = np.random.default_rng(seed)
    table = rng.random((n, n))
    tour = Tour(np.arange(n), table + table.T)
    ways, words, source = ways_of(tour, k, seed), chance.seeded(rng), rng.permutation(n)
    plain, given_source = words.copy(), source.copy()
    walked = ants.renew_tours(tour, ways, 4, most, words, source)
    made = np.concatenate([plain_renewal(tour, ways, most, plain, source) for _ in range(4)])
    assert (plain == words).all()
    assert (source == given_source).all()
    assert (np.sort(walked.tours[0]) == np.arange(n)).all()
    assert walked.lengths == pytest.approx(tour.lengths(walked.tours))
    assert walked.lengths[0] == pytest.approx(tour.lengths(made).min())
    assert walked.looks % ways.near.shape[1] == 0
    assert walked.looks >= 4


@given(sizes, st.integers(1, 8), seeds, st.booleans())
def test_teaching_evaporates_lays_and_weighs(n, k, seed, both):
    tour = salesman(n, seed).form.tour if both else Tour(np.arange(n), np.random.default_rng(seed).random((n, n)))
    ways, way = ways_of(tour, k, seed), np.random.default_rng(seed).permutation(n)
    plain = Ways(*(array.copy() for array in ways))
    ants.teach_ways(tour, ways, way, 0.1, 0.2, 1.0, 0.3, 0.9)
    plain.trail[:] *= 1.0 - 0.1
    ants.lay_trail(tour, plain, way, 1.0, 0.2)
    ants.weigh_ways(plain, 1.0, 0.3, 0.9)
    assert all((one == other).all() for one, other in zip(ways, plain, strict=True))


@given(sizes, st.integers(1, 8), seeds, st.booleans())
def test_trail_is_laid_on_the_tours_edges(n, k, seed, both):
    tour = salesman(n, seed).form.tour
    near, way = tour.nearest(k), np.random.default_rng(seed).permutation(n)
    trail = np.random.default_rng(seed).random(near.shape)
    follower = np.empty(n, np.int64)
    follower[way] = np.roll(way, -1)
    on = near == follower[:, None]
    if both:
        leader = np.empty(n, np.int64)
        leader[way] = np.roll(way, 1)
        on |= near == leader[:, None]
    expected = np.where(on, formulas.laid(trail, 0.5, 0.25), trail)
    trails.lay(trail, near, way, 0.5, 0.25, both)
    assert (trail == expected).all()


@given(st.integers(3, 9), seeds, st.sampled_from([0.5, 1.0, 2.0]))
def test_ways_are_weighed_within_the_limits(n, seed, alpha):
    ways = ways_of(salesman(n, seed).form.tour, 5, seed)
    trail = np.clip(ways.trail, 0.2, 0.7)
    ants.weigh_ways(ways, alpha, 0.2, 0.7)
    assert (ways.trail == trail).all()
    assert np.allclose(ways.weights, trail**alpha * ways.charm)


@given(shapes(), st.booleans(), seeds)
def test_solutions_are_built_as_plainly_told(shape, distinct, seed):
    problem = swarmkit.PairwiseProblem(random_form(shape, distinct=distinct, shared=distinct))
    form, n = problem.form, shape.n
    strength = np.random.default_rng(seed).random(int(form.sizes.sum())) + 0.1
    words = chance.seeded(np.random.default_rng(seed))
    plain = words.copy()
    X, scores, looks = ants.build_solutions(problem, 2, strength, 1.0, words, np.random.default_rng(1))
    built, first = np.full((2, n), -1), int(chance.below(plain, n))
    for stage in np.roll(np.arange(n), -first):
        eta = ants.visibility(form.marginals(built, int(stage)))
        shares = strength[form.offsets[stage] : form.offsets[stage + 1]] * eta * problem.allowed(built, stage)
        built[:, stage] = ants.spin(shares, np.array([chance.uniform(plain), chance.uniform(plain)]))
    assert built.tolist() == X.tolist()
    assert np.allclose(scores, form.score(X))
    assert looks == 2 * form.sizes.sum()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.floats(0, 1, exclude_max=True))
def test_the_roulette_stops_only_at_shares(shares, drawn):
    shares = np.array(shares)
    if shares.sum() > 0:
        assert shares[ants.spin(shares[None], np.array([drawn]))[0]] > 0
        assert shares[trails.spin(shares, drawn)] > 0


@given(st.lists(st.tuples(fractions, fractions), min_size=1, max_size=8), st.floats(0, 3), st.floats(0, 3))
def test_transitions_are_probabilities(pairs, alpha, beta):
    trail, eta = np.array(pairs).T
    p = formulas.transition(trail, eta, alpha, beta)
    assert p.sum() == pytest.approx(1)
    assert (p >= 0).all()


def test_transitions_by_hand():
    assert formulas.transition(np.array([0.5, 1.0]), np.array([0.5, 0.5]), 2.0, 1.0).tolist() == [0.2, 0.8]


@given(st.integers(2, 1000), st.floats(2, 50), st.floats(0.001, 0.999))
def test_trail_limits_are_ordered_and_the_lower_falls_with_the_number_of_choices(stages, choices, p_best):
    lowest = formulas.lowest_trail(stages, choices, p_best)
    assert 0 < lowest <= 1
    assert formulas.lowest_trail(stages, choices + 1, p_best) <= lowest


def test_with_trails_at_their_limits_the_best_is_built_with_the_chance_asked_for():
    lowest = formulas.lowest_trail(50, 10.0, 0.05)
    assert (1 / (1 + 9 * lowest)) ** 50 == pytest.approx(0.05)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_trail_taught_by_the_best_stays_at_most_1(trail, rho):
    assert 0 <= formulas.laid(trail, 1 - rho, rho) <= 1 + 1e-12


def test_the_best_teaches_when_the_schedule_says_so():
    memory = Memory.of(1)
    ours, theirs = np.array([1]), np.array([2])
    memory.note(ours, 5.0)
    for _ in range(23):
        memory.note(theirs, 1.0)
    assert memory.teacher(theirs, 1.0, 25)[1] == 1.0
    memory.note(theirs, 1.0)
    assert memory.teacher(theirs, 1.0, 25)[1] == 5.0
    memory.restart()
    memory.note(theirs, 1.0)
    assert (memory.restart_score, memory.score) == (1.0, 5.0)
    memory.iteration = 1000
    assert memory.teacher(theirs, 1.0, None)[1] == 5.0


@pytest.mark.parametrize("variant", ["mmas", "acs", "as"])
def test_every_variant_gets_near_the_best_tour(variant):
    problem = salesman(30)
    best = swarmkit.solve(problem, swarmkit.make_solver("tsp-aco", local_search="2opt"), looks=1e6).score
    result = swarmkit.solve(problem, swarmkit.make_solver("tsp-aco", variant=variant), looks=5e6)
    assert 1.03 * best <= result.score <= best + 1e-9


@pytest.mark.parametrize(
    "settings", [{"local_search": "2opt", "focus": 0}, {"local_search": "icm"}, {"focus": 3}, {"part": 0}]
)
def test_ants_improve_tours_in_every_way(settings):
    problem = salesman(20)
    result = swarmkit.solve(problem, swarmkit.make_solver("tsp-aco", **settings), looks=3e5)
    assert len(edges(np.array(result.solution))) == 20


@pytest.mark.parametrize("settings", [{"variant": "acs"}, {"variant": "as"}, {"local_search": "icm"}], ids=str)
def test_every_variant_keeps_the_contract(settings):
    assert not check_solver(swarmkit.make_solver("tsp-aco", **settings), examples=2).of("skipped")


def test_2opt_is_refused_in_words_where_there_is_no_tour():
    with pytest.raises(Refusal, match="is for tours"):
        swarmkit.solve("synthetic", swarmkit.make_solver("tsp-aco", local_search="2opt"))


def test_ants_on_stages_find_a_planted_solution():
    problem = swarmkit.make_problem("synthetic", n=40, planted=True, seed=7)
    assert swarmkit.solve(problem, "tsp-aco", looks=1e6).metrics["share of optimum"] == 1.0


def test_aca_makes_more_of_a_planted_solution_than_chance():
    problem = swarmkit.make_problem("synthetic", n=40, planted=True, seed=7)
    chance_of = float(np.mean(1 / np.asarray(problem.sizes)))
    assert swarmkit.solve(problem, "aca", looks=1e6).metrics["stages as planted"] > chance_of


def test_the_kits_tours_are_tours():
    assert FAMILIES[-1].make(Shape(5, 4, 2, "floats", 1)).pairwise().tour.symmetric


def test_parts_are_renewed_only_where_leaving_a_city_out_is_cheap():
    params, rng = swarmkit.make_solver("tsp-aco").params, np.random.default_rng(1)
    table = rng.random((40, 40))
    points = rng.random((40, 2))
    wild = Tour(np.arange(40), table + table.T)
    flat = Tour(np.arange(40), np.hypot(*(points[:, None] - points).transpose(2, 0, 1)))
    assert (flat.roundabout, renewed(flat, params), renewed(wild, params)) == (0.0, 16, 0)
    assert renewed(wild, swarmkit.make_solver("tsp-aco", part=9).params) == 9
    assert renewed(flat, swarmkit.make_solver("tsp-aco", local_search="2opt").params) == 0
