"""Robust tabu search against a plain one, and the solver."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import PairwiseProblem, make_solver, solve
from swarmkit.contract.structure import assignment_of
from swarmkit.kernels import rng
from swarmkit.kernels.swap_gains import matrices_of
from swarmkit_local.kernels import qap_tabu
from tests.quadratic import plain_gain, quadratic

seeds = st.integers(0, 2**32 - 1)


def started(form, seed):
    return make_solver("robust-tabu").start(PairwiseProblem(form), np.random.default_rng(seed))


def plain_search(form, state, patience, strength, count):
    """Taillard's search by the book, in rounds, from whole scores; the kernel's random numbers."""
    n, x, rng_state = len(form.sizes), state.x.copy(), state.rng_state.copy()
    until, score = np.zeros((n, n), np.int64), float(state.scores[0])
    round_best = base = best = (score, x.tolist())
    at = 0
    for now in range(1, count + 1):
        moves = [(i, j, plain_gain(form, x, i, j)) for i in range(n) for j in range(i + 1, n)]
        tabu = {(i, j): (until[i, x[j]], until[j, x[i]]) for i, j, _ in moves}
        overdue = [m for m in moves if max(tabu[m[:2]]) < now - qap_tabu.ASPIRATION * n * n]
        admissible = [m for m in moves if min(tabu[m[:2]]) < now or m[2] > round_best[0] - score]
        i, j, gain = max(overdue or admissible or [(0, 1, moves[0][2])], key=lambda move: move[2])
        for stage in (i, j):
            until[stage, x[stage]] = now + 2 + int(qap_tabu.TENURE * n * rng.uniform(rng_state) ** 3)
        x[[i, j]] = x[[j, i]]
        score += gain
        if score > round_best[0]:
            round_best, at = (score, x.tolist()), now
        best = max(best, round_best, key=lambda found: found[0])
        if now - at >= patience:
            base = round_best if round_best[0] >= base[0] else base
            score, x = base[0], np.array(base[1])
            for _ in range(2 + rng.below(rng_state, strength)):
                i, j = rng.below(rng_state, n), rng.below(rng_state, n - 1)
                j += j >= i
                score += plain_gain(form, x, i, j)
                x[[i, j]] = x[[j, i]]
            round_best, at = (score, x.tolist()), now
    return x.tolist(), best


@settings(max_examples=30)
@given(st.builds(quadratic, st.integers(3, 5), seeds, st.booleans()), seeds)
def test_the_search_goes_where_the_plain_one_goes(form, seed):
    state = started(form, seed)
    n, matrices = len(form.sizes), matrices_of(form, assignment_of(form))
    x, (score, best) = plain_search(form, state, 15, 2, 60)
    looks = qap_tabu.iterate(matrices, state, 15, 2, 60)
    assert looks >= 60 * n * (n - 1)
    assert state.clock[0] == 60
    assert state.x.tolist() == x
    assert state.best.tolist() == best
    assert state.scores[3] == score == form.score(state.best[None])[0]


def test_a_swap_that_was_never_the_best_is_made_when_it_is_overdue():
    form = quadratic(3, 1)
    state, matrices = started(form, 1), matrices_of(form, assignment_of(form))
    until = state.tabu_until
    until[:] = 1000
    until[1, state.x[2]] = until[2, state.x[1]] = 10
    assert qap_tabu.best_swap(matrices, state, 900, np.inf)[:2] == (1, 2)
    gains = {(i, j): plain_gain(form, state.x, i, j) for i, j in [(0, 1), (0, 2), (1, 2)]}
    assert qap_tabu.best_swap(matrices, state, 900, -np.inf)[:2] == (1, 2)
    until[:] = 890
    assert qap_tabu.best_swap(matrices, state, 900, np.inf)[:2] == max(gains, key=gains.get)


def test_a_tabu_swap_is_made_if_it_gains_enough():
    form = quadratic(3, 1)
    state, matrices = started(form, 1), matrices_of(form, assignment_of(form))
    state.tabu_until[:] = 1000
    gains = {(i, j): plain_gain(form, state.x, i, j) for i, j in [(0, 1), (0, 2), (1, 2)]}
    best = max(gains, key=gains.get)
    assert qap_tabu.best_swap(matrices, state, 900, gains[best] - 1)[:2] == best
    assert qap_tabu.best_swap(matrices, state, 900, np.inf) == (0, 1, gains[0, 1])


@pytest.mark.parametrize("symmetric", [True, False])
def test_it_finds_the_best_assignment(symmetric):
    problem = PairwiseProblem(quadratic(7, 3, symmetric))
    best = solve(problem, "exhaustive").score
    assert solve(problem, make_solver("robust-tabu", patience=1), seed=1, looks=200_000).score == best
    assert solve(problem, "ils", seed=1, looks=200_000).score == best


def test_it_goes_on_after_a_checkpoint_as_if_nothing_had_happened(tmp_path):
    problem = swarmkit.make_problem("qap", n=12, seed=3)
    solver = make_solver("robust-tabu", patience=1, kick=2)
    swarmkit.solve(problem, solver, seed=2, looks=300_000, checkpoint=tmp_path / "run.ckpt")
    longer = swarmkit.resume(tmp_path / "run.ckpt", problem, limits=swarmkit.Budget(looks=1_000_000))
    assert not longer.differences(swarmkit.solve(problem, solver, seed=2, looks=1_000_000))


@given(st.lists(st.integers(1, 300), min_size=1, max_size=4))
def test_steps_are_as_many_single_steps_and_go_on_from_a_copy(counts):
    problem = swarmkit.make_problem("qap", n=7, seed=3)
    solver, rng = make_solver("robust-tabu", patience=1), np.random.default_rng(1)
    whole = solver.start(problem, rng)
    single = copy.deepcopy(whole)
    for count in counts:
        together = solver.steps(problem, whole, rng, count)
        parts = [solver.step(problem, single, rng) for _ in range(count)]
        assert together.iterations == count
        assert together.looks == sum(part.looks for part in parts) >= count * 7 * 6
        assert (together.score, together.solution.tolist()) == (parts[-1].score, parts[-1].solution.tolist())
        single = copy.deepcopy(single)
    assert all(np.array_equal(value, other) for value, other in zip(whole, single, strict=True))


@pytest.mark.parametrize("problem", ["synthetic", "flowshop"])
def test_other_problems_are_refused_in_words(problem):
    with pytest.raises(swarmkit.Refusal, match=r"is for quadratic assignments.*'ils' solves any problem"):
        swarmkit.solve(problem, "robust-tabu")
