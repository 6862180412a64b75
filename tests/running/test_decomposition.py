import itertools

import numpy as np
import pytest

import swarmkit
from swarmkit import Pairwise, PairwiseProblem, Part, ProblemError, Refusal, StepResult, UsageError
from swarmkit.running.decomposition import PartwiseSolver
from swarmkit.testing import ConformanceError, check_problem
from swarmkit.testing.families import Shape, random_form

SHAPES = [
    Shape(4, 4, 2, "floats", 1),
    Shape(1, 1, 1, "floats", 2),
    Shape(3, 3, 2, "floats", 3),
    Shape(5, 4, 1, "floats", 4),
]


class Pieces(PairwiseProblem):
    """Small problems side by side; the second has only one solution."""

    def __init__(self, shapes=SHAPES):
        forms = [random_form(shape) for shape in shapes]
        sizes = np.concatenate([form.sizes for form in forms])
        first = np.cumsum([0] + [len(form.sizes) for form in forms])
        tables = [
            (
                int(i + at),
                int(j + at),
                form.flat[start : start + form.sizes[i] * form.sizes[j]].reshape(form.sizes[i], -1),
                w,
            )
            for form, at in zip(forms, first, strict=False)
            for (i, j), start, w in zip(form.edges, form.starts, form.weights, strict=True)
        ]
        super().__init__(Pairwise.of(sizes, tables, np.concatenate([form.unary for form in forms])))
        self.parts = [
            Part(np.arange(at, at + len(form.sizes)), PairwiseProblem(form))
            for form, at in zip(forms, first, strict=False)
        ]


def test_the_best_of_the_parts_is_the_best_of_the_whole():
    whole, parts = Pieces(), Pieces()
    whole.parts = ()
    exact = swarmkit.solve(whole, "exhaustive")
    by_parts = swarmkit.solve(parts, "exhaustive")
    assert by_parts.score == pytest.approx(exact.score)
    assert by_parts.stopped == "done"
    assert by_parts.looks < exact.looks / 100


@pytest.mark.parametrize("solver", ["random", "first", "greedy", "icm", "exhaustive"])
def test_every_solver_works_on_parts_and_counts_rounds_as_iterations(solver):
    result = swarmkit.solve(Pieces(), solver, iterations=1)
    assert result.solution is not None
    assert result.iterations >= 1


def test_what_a_solver_finds_is_its_own_even_if_chance_had_done_better():
    first = swarmkit.solve(Pieces(), "first")
    assert set(first.solution) == {0}


def test_a_run_cut_short_still_has_a_whole_solution():
    result = swarmkit.solve(Pieces(), "random", looks=1)
    assert result.steps == 1
    assert len(result.solution) == len(Pieces().sizes)


def test_runs_on_parts_are_resumed_bit_for_bit(tmp_path):
    file = tmp_path / "run.ckpt"
    swarmkit.solve(Pieces(), "icm", seed=3, looks=200_000, checkpoint=file)
    resumed = swarmkit.resume(file, Pieces(), limits=swarmkit.Budget(looks=900_000))
    assert not resumed.differences(swarmkit.solve(Pieces(), "icm", seed=3, looks=900_000))
    with pytest.raises(UsageError, match="its content has changed"):
        swarmkit.resume(file, Pieces(SHAPES[:2]))


def test_a_refusal_names_the_part():
    with pytest.raises(Refusal, match="part 0 of 4: it has"):
        swarmkit.solve(Pieces(), "exhaustive", params={"limit": 2})


def test_parts_keep_the_contract_and_parts_that_do_not_add_up_are_caught():
    assert not check_problem(Pieces()).of("failed")
    odd = Pieces()
    odd.parts[0].problem.form.unary[0] += 1
    with pytest.raises(ConformanceError, match="sums of parts and scores differ"):
        check_problem(odd)


def test_parts_that_do_not_cover_every_stage_are_refused():
    odd = Pieces()
    odd.parts = odd.parts[1:]
    with pytest.raises(ProblemError, match="exactly one part"):
        swarmkit.solve(odd, "icm")


class Scripted(swarmkit.Solver):
    """On every part: a solution of 0s, then one of 1s at iteration `improves`; a look each; done after `ends`."""

    def __init__(self, improves=3, ends=10**9, waits=()):
        super().__init__()
        self.improves, self.ends, self.waiting, self.injected = improves, ends, list(waits), []

    @property
    def waits(self):
        return bool(self.waiting)

    def start(self, problem, rng) -> dict:
        return {"steps": 0}

    def inject(self, problem, state, X, scores, rng):
        self.injected.append((len(problem.sizes), X.tolist(), scores.tolist()))
        return 7

    def step(self, problem, state, rng):
        if self.waiting and self.waiting.pop():
            return StepResult(None, None, 0, iterations=0)
        state["steps"] += 1
        x = np.full(len(problem.sizes), int(state["steps"] >= self.improves))
        return StepResult(x, float(problem.score(x[None])[0]), 1, done=state["steps"] >= self.ends)


def counted(sizes=(2, 3)):
    """Parts side by side whose score is the number of 1s."""
    n = sum(sizes)
    problem = PairwiseProblem(Pairwise.of([2] * n, [], np.tile([0.0, 1.0], n)))
    ends = np.cumsum([0, *sizes])
    problem.parts = [
        Part(np.arange(a, b), PairwiseProblem(Pairwise.of([2] * (b - a), [], np.tile([0.0, 1.0], b - a))))
        for a, b in itertools.pairwise(ends)
    ]
    return problem


@pytest.mark.parametrize("patience", [1, 4, 6])
def test_patience_counts_from_the_last_improvement_of_each_part(patience):
    result = swarmkit.solve(counted(), Scripted(improves=3), patience=patience)
    assert result.stopped == "patience"
    last = 3 if patience >= 3 else 1  # with less the second improvement never comes
    assert result.iterations == last + patience
    assert result.score == (5.0 if patience >= 3 else 0.0)


def test_iterations_are_those_that_every_part_has_made():
    result = swarmkit.solve(counted(), Scripted(), iterations=5)
    assert (result.stopped, result.iterations, result.steps) == ("iterations", 5, 10)
    assert result.score == 5.0


def test_a_run_is_done_when_the_last_part_is_and_has_the_iterations_of_the_longest():
    result = swarmkit.solve(counted(), Scripted(ends=4))
    assert (result.stopped, result.iterations, result.score) == ("done", 4, 5.0)


def test_turns_go_around_and_get_twice_as_long():
    problem, solver = counted((1, 1, 1)), PartwiseSolver(Scripted(), first_turn=2)
    rng = np.random.default_rng(0)
    state, turns = solver.start(problem, rng), []
    for _ in range(22):
        solver.steps(problem, state, rng, 1)
        turns.append(state.turn)
    lengths = [(turn, len(list(group))) for turn, group in itertools.groupby(turns)]
    assert [turn for turn, _ in lengths] == [0, 1, 2, 0, 1, 2, 0][: len(lengths)]
    assert [length for _, length in lengths[:6]] == [2, 2, 2, 4, 4, 4]
    assert state.turn_length == 8


def test_a_part_that_waits_for_a_process_is_no_step_and_the_others_are_not_asked_meanwhile():
    problem, solver = counted(), PartwiseSolver(Scripted(waits=[False, True, True]))
    rng = np.random.default_rng(0)
    state = solver.start(problem, rng)
    assert solver.steps(problem, state, rng, 5).looks == 0
    assert solver.steps(problem, state, rng, 5).looks == 0
    assert [part.iterations for part in state.parts] == [0, 0]
    assert solver.steps(problem, state, rng, 1).looks == 1 + 5  # those of drawing a solution are reported now


def test_given_solutions_go_to_every_part_when_it_starts():
    problem, scripted = counted(), Scripted()
    solver, rng = PartwiseSolver(scripted), np.random.default_rng(0)
    state, X = solver.start(problem, rng), np.array([[1, 1, 0, 0, 0], [0, 0, 1, 1, 1]])
    assert solver.inject(problem, state, X, np.array([2.0, 3.0]), rng) == X.size
    assert [part.best.tolist() for part in state.parts] == [[1, 1], [1, 1, 1]]
    assert [part.score for part in state.parts] == [2.0, 3.0]
    assert scripted.injected == []
    assert solver.steps(problem, state, rng, 1).looks == 1 + 7 + 5
    assert scripted.injected == [(2, [[1, 1], [0, 0]], [2.0, 0.0])]
    assert solver.inject(problem, state, X[:1], np.array([2.0]), rng) == 5 + 7
    assert [entry[0] for entry in scripted.injected] == [2, 2]
    assert [part.score for part in state.parts] == [2.0, 3.0]  # no worse one takes the place of the best


def test_before_every_part_had_its_turn_there_is_no_whole_solution_but_a_provisional_one():
    problem, solver, rng = counted(), PartwiseSolver(Scripted(), first_turn=4), np.random.default_rng(0)
    state = solver.start(problem, rng)
    result = solver.steps(problem, state, rng, 1)
    assert (result.solution, result.score) == (None, None)
    x = solver.provisional_solution(problem, state)
    assert x[:2].tolist() == [0, 0]
    assert x[2:].tolist() == state.parts[1].sample.tolist()
    for _ in range(9):
        result = solver.steps(problem, state, rng, 1)
    assert result.solution.tolist() == [1] * 5
    assert result.score == 5.0
