"""`auto` chooses by structure, proves where that is cheap, shares time by improvement, and says what it did."""

import json
import subprocess
import sys

import numpy as np
import pytest

import swarmkit
from swarmkit import Suitability
from swarmkit_auto.choice import choose, is_expensive, participants, sentence
from swarmkit_auto.portfolio import EVALUATION, POINTS, SHORT_RUN, count_nanoseconds, record_looks
from swarmkit_auto.turns import (
    FIRST_TURN,
    LAG,
    Member,
    Turn,
    end_turn,
    first_dues,
    next_member,
    still_leads,
    value,
)
from tests.testing.variants import check_variant


def members(*weights):
    return [Member(f"s{i}", {}, weight, "it fits", 10.0) for i, weight in enumerate(weights)]


def chosen(problem, **params):
    auto = swarmkit.make_solver("auto", **params)
    return choose(problem, participants(type(auto)), auto.params.most, auto.params.proofs)


def ring(n=12, seed=0):
    """Stages on a circle: neither a chain nor a tree."""
    rng = np.random.default_rng(seed)
    edges = [(i, (i + 1) % n, rng.random((6, 6))) for i in range(n)]
    return swarmkit.PairwiseProblem(swarmkit.Pairwise.of([6] * n, edges))


def star(n=40, seed=0):
    rng = np.random.default_rng(seed)
    return swarmkit.PairwiseProblem(
        swarmkit.Pairwise.of([4] * n, [(0, i, rng.random((4, 4))) for i in range(1, n)], unary=rng.random(4 * n))
    )


class OnlyScore(swarmkit.Problem):
    sizes = (4,) * 40

    def score(self, X):
        return -((X - np.arange(40) % 4) ** 2).sum(axis=1)


class OneByOne(swarmkit.Problem):
    sizes = (2,) * 40

    def score_one(self, x):
        return float(x.sum())


# What is chosen


@pytest.mark.parametrize(
    ("problem", "proof"),
    [
        (swarmkit.make_problem("synthetic", n=50, window=1), "viterbi"),
        (swarmkit.make_problem("synthetic", n=4, window=2), "exhaustive"),
        (star(), "toulbar2"),
    ],
)
def test_exact_solvers_come_first_where_they_are_cheap(problem, proof):
    assert chosen(problem).proof.name == proof
    result = swarmkit.solve(problem)
    assert result.solver == "auto"
    assert result.stopped == "done"
    assert result.bound == result.score
    assert result.explanation.choice.startswith(f"{proof} proves the optimum: it ")


class Ones(swarmkit.Problem):
    """The number of ones."""

    sizes = (2,) * 14

    def score(self, X):
        return X.sum(axis=1)


@pytest.mark.parametrize("seed", range(5))
def test_enumeration_takes_turns_where_a_budget_may_end_it(seed):
    result = swarmkit.solve(Ones(), seed=seed, evaluations=500)
    assert (result.score, result.bound, result.evaluations) == (14, None, 500)
    assert result.explanation.choice.startswith("exhaustive would prove the optimum, in turns with ")
    enumeration = next(part for part in result.explanation.solvers if part.solver == "exhaustive")
    assert 100 < enumeration.looks / 14 < 400


def test_an_enumeration_that_ends_has_proved():
    result = swarmkit.solve(Ones(), seed=1)
    assert (result.stopped, result.bound) == ("done", 14)
    assert result.explanation.choice.startswith("exhaustive proves the optimum: it has only 16,384 solutions")


def test_small_problems_are_proved_between_the_turns():
    problem = ring()
    choice = chosen(problem)
    assert choice.proof is None
    assert choice.attempt.name == "toulbar2"
    result = swarmkit.solve(problem, looks=50_000_000)
    assert result.stopped == "done"
    assert result.bound == result.score == pytest.approx(swarmkit.solve(problem, "toulbar2").score)


def test_without_proofs_only_heuristics_take_part():
    choice = chosen(swarmkit.make_problem("synthetic", n=50, window=1), proofs=False)
    assert choice.proof is None
    assert choice.attempt is None
    assert choice.turns


@pytest.mark.parametrize(("name", "first"), [("tsp", {"ils", "tsp-aco"}), ("qap", {"robust-tabu"})])
def test_solvers_made_for_a_structure_come_first(name, first):
    assert chosen(swarmkit.make_problem(name, n=30)).turns[0].name in first


def test_at_most_as_many_take_turns_as_asked_for():
    problem = swarmkit.make_problem("tsp", n=30)
    assert len(chosen(problem).turns) == 3
    assert len(chosen(problem, most=1).turns) == 1


def test_the_sentence_names_solvers_reason_and_size():
    problem = swarmkit.make_problem("tsp", n=30)
    said = sentence(problem, chosen(problem))
    assert " take turns: it is a symmetric tour (30 stages, up to 30 candidates, " in said


def test_solvers_of_third_parties_take_part_by_saying_what_they_suit(own_host):
    class Mine(type(swarmkit.make_solver("icm"))):
        def suits(self, problem):
            return Suitability(50.0, "it is mine", nanoseconds=10.0)

    class Plugin:
        @staticmethod
        @swarmkit.hookimpl
        def swarmkit_solvers():
            return {"mine": Mine}

    swarmkit.register(Plugin, "theirs")
    result = swarmkit.solve(swarmkit.make_problem("synthetic", n=200), looks=100_000)
    assert result.explanation.choice.startswith("mine searches")
    assert [one.solver for one in result.explanation.solvers] == ["mine"]


def test_a_solver_that_fails_when_asked_is_left_out_by_name():
    class Broken(type(swarmkit.make_solver("icm"))):
        def suits(self, problem):
            raise ValueError("no idea")

    with pytest.warns(RuntimeWarning, match=r"solver 'broken' is left out: .*ValueError: no idea"):
        choice = choose(ring(), {"broken": Broken(), "ils": swarmkit.make_solver("ils")}, 3, True)
    assert [one.name for one in choice.turns] == ["ils"]


def test_heuristics_and_exact_solvers_say_what_they_suit_and_baselines_take_no_part():
    silent = {name for name, kind in swarmkit.registered("solver").items() if kind.suits is swarmkit.Solver.suits}
    assert silent == {"auto", "cpsat", "first", "greedy", "icm", "max-relatedness", "random", "vote"}


def test_choosing_takes_less_than_50_ms():
    import time

    problem = swarmkit.make_problem("synthetic", n=3000)
    auto = swarmkit.make_solver("auto")
    auto.refuses(swarmkit.make_problem("synthetic", n=5))  # solvers are loaded
    begun = time.process_time()
    auto.refuses(problem)
    assert time.process_time() - begun < 0.05


def test_where_solutions_are_scored_one_by_one_evaluations_are_all_that_counts():
    assert is_expensive(OneByOne())
    assert not is_expensive(OnlyScore())
    state = swarmkit.make_solver("auto").start(OneByOne(), np.random.default_rng(0))
    assert len({member.nanoseconds for member in state.members}) == 1


def test_few_evaluations_are_all_that_counts_and_many_are_counted_in_the_time_of_the_solvers():
    problem, auto = OnlyScore(), swarmkit.make_solver("auto")
    state = auto.start(problem, np.random.default_rng(0))
    choice, n = auto._choose(problem), len(problem.sizes)
    state.members[0].looks = SHORT_RUN * n
    count_nanoseconds(state, choice, n)
    assert {member.nanoseconds for member in state.members} == {EVALUATION}
    state.members[1].looks = 1
    count_nanoseconds(state, choice, n)
    assert [member.nanoseconds for member in state.members] == [one.suitability.nanoseconds for one in choice.turns]
    assert not state.short


# Whose turn it is


@pytest.mark.parametrize(("gained", "leads"), [(5.0, True), (1.0, True), (0.4, False), (0.0, False)])
def test_a_solver_leads_as_long_as_it_improves_at_its_pace(gained, leads):
    [own] = members(1.0)
    own.looks = 1000  # 30 better since its first turn: a fifth of its mean rate is 0.6 in 100 looks
    assert still_leads(own, Turn(0, looks=100, before=40.0 - gained), first=10.0, score=40.0) == leads


def test_without_tables_the_others_wait_until_the_leader_is_slow():
    problem, auto, rng = OneByOne(), swarmkit.make_solver("auto"), np.random.default_rng(0)
    state = auto.start(problem, rng)
    assert state.members[state.leader].solver == "p3"
    while state.leader is not None:
        assert [member.solver for member in state.members if member.started] in ([], ["p3"])
        auto.step(problem, state, rng)
    assert state.score == 40
    assert auto.start(ring(), rng).leader is None


def test_the_heaviest_member_is_first_and_lighter_ones_wait():
    own = members(0.5, 1.0)
    first_dues(own)
    assert next_member(own) == 1
    assert own[0].due == 2 * FIRST_TURN


def test_time_is_shared_by_weight_while_nothing_improves():
    own, spent = members(1.0, 0.25), [0, 0]
    first_dues(own)
    for _ in range(500):
        i = next_member(own)
        spent[i] += 100
        end_turn(own, Turn(i, looks=100_000), improvement=0.0)
    assert spent[0] / spent[1] == pytest.approx(4, rel=0.05)


def test_time_shifts_to_what_has_been_improving():
    own, spent = members(0.5, 0.5), [0, 0]
    first_dues(own)
    for _ in range(500):
        i = next_member(own)
        spent[i] += 100
        end_turn(own, Turn(i, looks=100_000), improvement=1.0 if i == 1 else 0.0)
    assert spent[1] > 2.5 * spent[0]
    assert own[1].improvements == spent[1] / 100


def test_a_gain_counts_per_time_not_per_turn():
    own = members(0.5, 0.5)
    end_turn(own, Turn(0, looks=100), improvement=1.0)
    end_turn(own, Turn(1, looks=1000), improvement=1.0)
    assert value(own[0], own) > value(own[1], own)


def test_old_gains_fade_and_weights_decide_again():
    own = members(0.5, 0.5)
    idle = end_turn(own, Turn(0, looks=100), improvement=1.0)
    assert idle == 0
    for _ in range(200):
        idle = end_turn(own, Turn(1, looks=100), improvement=0.0, idle=idle)
    assert value(own[0], own, idle) == pytest.approx(value(own[1], own, idle))


def test_members_that_are_done_get_no_turns():
    own = members(1.0, 0.1)
    own[0].done = True
    assert next_member(own) == 1
    own[1].done = True
    assert next_member(own) is None


def test_the_history_stays_short_and_keeps_its_end():
    state = swarmkit.make_solver("auto").start(ring(), np.random.default_rng(0))
    state.members = members(1.0)
    for looks in range(1000):
        state.members[0].looks = looks
        record_looks(state)
    assert len(state.history) <= POINTS
    assert state.history[-1] == [999]


# The run


@pytest.mark.parametrize(
    "problem", [swarmkit.make_problem("tsp", n=40), ring(30), OnlyScore()], ids=["tour", "ring", "score alone"]
)
def test_turns_are_the_same_however_many_steps_are_made_at_once(problem):
    def run(at_once):
        auto, rng = swarmkit.make_solver("auto", proofs=False), np.random.default_rng(1)
        state, looks, best = auto.start(problem, rng), 0, None
        for _ in range(3_000 // at_once):
            result = auto.steps(problem, state, rng, at_once)
            looks += result.looks
            best = result.score if best is None or (result.score is not None and result.score > best) else best
        return looks, best, [member.looks for member in state.members]

    assert run(1) == run(60) == run(3_000)


def test_members_share_the_incumbent():
    problem = swarmkit.make_problem("tsp", n=60)
    auto, rng = swarmkit.make_solver("auto"), np.random.default_rng(0)
    state = auto.start(problem, rng)
    for _ in range(400):
        auto.steps(problem, state, rng, 100)
    begun = [member for member in state.members if member.started]
    assert len(begun) == 3
    assert all(member.best is not None for member in begun)


class Recording(type(swarmkit.make_solver("icm"))):
    """Note the best of the scores that are handed in."""

    def __init__(self, **params):
        super().__init__(**params)
        self.injections = []

    def inject(self, problem, state, X, scores, rng):
        self.injections.append(float(scores.max()))
        return 0


@pytest.mark.parametrize(
    ("behind", "warm", "expected"), [(0, False, 0), (LAG - 1, False, 0), (LAG, False, 1), (0, True, 1)]
)
def test_the_incumbent_is_given_to_those_that_stay_behind_it(behind, warm, expected):
    problem, auto, recording = ring(), swarmkit.make_solver("auto"), Recording()
    state = auto.start(problem, np.random.default_rng(0))
    state.best, state.score, state.warm = np.zeros(12, np.int64), 5.0, warm
    member = state.members[0]
    member.behind, member.shares = behind, True
    auto._solvers[member.solver, repr(sorted(member.params.items()))] = recording
    state.turn = Turn(0)
    auto._share(problem, state, np.random.default_rng(0))
    assert recording.injections == [5.0] * expected
    member.behind = LAG
    member.shares = False  # it follows a schedule, or has it now
    state.turn = Turn(0)
    auto._share(problem, state, np.random.default_rng(0))
    assert recording.injections == [5.0] * expected


@pytest.mark.parametrize("name", ["tsp", "synthetic", "qap"])
def test_what_members_pay_for_given_solutions_is_part_of_the_looks(name):
    problem = swarmkit.make_problem(name, n=30)
    auto, rng, best = (
        swarmkit.make_solver("auto", proofs=False),
        np.random.default_rng(0),
        swarmkit.solve(problem, "ils"),
    )
    state = auto.start(problem, rng)
    auto.inject(problem, state, np.array([best.solution]), np.array([best.score]), rng)
    looks = sum(auto.steps(problem, state, rng, 1).looks for _ in range(3))
    assert looks == sum(member.looks for member in state.members) == state.turn.looks
    assert [member.best for member in state.members].count(best.score) == 1


def test_a_snapshot_has_the_shares():
    problem = swarmkit.make_problem("tsp", n=30)
    auto, rng = swarmkit.make_solver("auto"), np.random.default_rng(0)
    state = auto.start(problem, rng)
    for _ in range(50):
        auto.step(problem, state, rng)
    shares = [number for name, number in auto.snapshot(state)[-1].items() if name.startswith("share of ")]
    assert len(shares) == 3
    assert sum(shares) == pytest.approx(1.0)


def test_given_solutions_are_the_first_incumbent():
    problem = swarmkit.make_problem("tsp", n=30)
    good = swarmkit.solve(problem, "ils", looks=500_000)
    warm = swarmkit.solve(problem, start=good.solution, looks=50)
    assert warm.score == good.score


def test_the_contract_holds_with_heuristics_alone():
    report = check_variant(swarmkit.make_solver("auto", proofs=False))
    assert not report.of("failed"), str(report)


def test_resumed_in_the_middle_the_run_is_the_same(tmp_path):
    problem = swarmkit.make_problem("tsp", n=60)
    whole = swarmkit.solve(problem, looks=2_000_000, seed=3)
    swarmkit.solve(problem, looks=700_000, seed=3, checkpoint=tmp_path / "run.ckpt")
    resumed = swarmkit.resume(tmp_path / "run.ckpt", limits=swarmkit.Budget(looks=2_000_000))
    assert whole.differences(resumed) == []
    assert whole.explanation == resumed.explanation


def test_replay_uses_the_time_of_an_evaluation_that_was_recorded(tmp_path):
    problem = OnlyScore()
    result = swarmkit.solve(problem, evaluations=3000)
    assert 0 < result.evaluation_seconds < 1e-3
    slow = result.model_copy(update={"evaluation_seconds": 0.5})
    file = tmp_path / "result.json"
    file.write_text(slow.model_dump_json())
    [again] = swarmkit.replay(file, OnlyScore())
    assert "an evaluation takes about 500 ms" in again.after.explanation.choice
    file.write_text(result.model_dump_json())
    [again] = swarmkit.replay(file, OnlyScore())
    assert again.differences == []
    assert again.after.explanation == result.explanation


def test_parts_are_explained_together():
    form = swarmkit.make_problem("synthetic", n=30, window=1)

    class Two(swarmkit.Problem):
        sizes = np.concatenate([form.sizes, form.sizes])
        parts = (swarmkit.Part(np.arange(30), form), swarmkit.Part(np.arange(30, 60), form))

        def score(self, X):
            return form.score(X[:, :30]) + form.score(X[:, 30:])

    result = swarmkit.solve(Two())
    assert result.explanation.choice.startswith("For each of 2 parts: viterbi proves the optimum")
    assert result.bound == pytest.approx(result.score)


# The command line


def test_solve_needs_no_solver_and_says_what_it_chose(cli):
    said = cli("solve", "-p", "tsp", "-P", "n=30", "--looks", "1e6", "--explain").out
    assert "tsp by auto: " in said
    assert "take turns: it is a symmetric tour" in said
    assert "shares over time" in said


def test_the_explanation_is_part_of_the_json(cli):
    result = json.loads(cli("solve", "-p", "tsp", "-P", "n=30", "--looks", "1e6", "--json").out)
    assert result["explanation"]["choice"].endswith("all different)")
    assert sum(one["share"] for one in result["explanation"]["solvers"]) == pytest.approx(1.0)
    assert result["explanation"]["shares"][-1]["looks"] <= result["looks"]


def test_tiny_problems_are_solved_without_compiled_code():
    program = (
        "import sys, swarmkit\n"
        "result = swarmkit.solve(swarmkit.make_problem('synthetic', n=5))\n"
        "assert result.bound == result.score\n"
        "assert not {'numba', 'pytoulbar2'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
