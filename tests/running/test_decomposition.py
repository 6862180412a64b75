import numpy as np
import pytest

import swarmkit
from swarmkit import Pairwise, PairwiseProblem, Part, ProblemError, Refusal, UsageError
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
