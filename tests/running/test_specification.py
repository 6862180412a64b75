"""What is run, as data: names, versions, limits in the problem's direction."""

import numpy as np
import pytest

import swarmkit
from swarmkit import Budget, UsageError
from swarmkit.running.specification import fixed_stages, make_spec, maximised_limits, read_start, starting_solutions


class Scores(swarmkit.Problem):
    """A score to maximise."""

    sizes = (3,) * 4

    def score(self, X):
        return X.sum(axis=1) * 1.0


class Costs(Scores):
    """The same as a cost."""

    direction = "minimise"


class Negated(Scores):
    """A cost by its negative score."""

    objective = "length"

    def score(self, X):
        return -X.sum(axis=1) * 1.0


@pytest.mark.parametrize(
    ("problem", "target", "expected"),
    [
        (Scores, 5.0, 5.0),
        (Scores, -5.0, -5.0),
        (Costs, 5.0, -5.0),
        (Costs, -5.0, 5.0),
        (Costs, None, None),
        (Negated, 5.0, -5.0),
        (Negated, -5.0, -5.0),
        (Negated, 0.0, 0.0),
    ],
)
def test_a_target_is_given_in_the_direction_of_the_problem(problem, target, expected):
    limits = maximised_limits(problem(), Budget(target=target, looks=7))
    assert (limits.target, limits.looks) == (expected, 7)


def test_a_specification_names_what_is_registered_and_the_class_of_what_is_not():
    registered = make_spec(swarmkit.make_problem("synthetic", n=4), swarmkit.make_solver("ga"), np.int64(3), Budget())
    assert (registered.problem, registered.solver, registered.seed) == ("synthetic", "ga", 3)
    assert registered.options["n"] == 4
    assert registered.params["population"] == swarmkit.make_solver("ga").params.population
    assert type(registered.seed) is int
    mine = make_spec(Scores(), swarmkit.make_solver("ga"), 0, Budget())
    assert (mine.problem, mine.options) == ("Scores", None)
    assert mine.fingerprint != make_spec(Costs(), swarmkit.make_solver("ga"), 0, Budget()).fingerprint


def test_versions_are_those_of_everything_that_a_result_depends_on():
    spec = make_spec(swarmkit.make_problem("synthetic", n=4), swarmkit.make_solver("ga"), 0, Budget())
    assert spec.versions["numpy"] == np.__version__
    assert spec.versions["pyswarmkit"] == swarmkit.__version__
    assert {"python", "numpy", "pyswarmkit"} <= spec.versions.keys()


@pytest.mark.parametrize(
    ("fixed", "said"),
    [({0: 3}, "candidate"), ({4: 0}, "stage"), ({-1: 0}, "stage"), ({True: 0}, "whole numbers"), ({0: 1.0}, "whole")],
    ids=str,
)
def test_what_cannot_be_fixed_is_refused(fixed, said):
    with pytest.raises(UsageError, match=said):
        fixed_stages(Scores(), fixed)


def test_fixed_candidates_overrule_those_of_given_solutions():
    assert fixed_stages(Scores(), {np.int64(2): np.int64(1)}) == {2: 1}
    assert fixed_stages(Scores(), None) == {}
    assert starting_solutions(Scores(), [[0, 0, 0, 0], [2, 2, 2, 2]], {2: 1}) == [[0, 0, 1, 0], [2, 2, 1, 2]]
    assert starting_solutions(Scores(), [2, 1, 0, 1], {}) == [[2, 1, 0, 1]]
    assert starting_solutions(Scores(), np.array([[2, 1, 0, 1]]), {}) == [[2, 1, 0, 1]]
    assert starting_solutions(Scores(), None, {}) == starting_solutions(Scores(), [], {}) == []


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ([0, 0, 0], r"start: the solution has 3 stages; the problem has 4 stages"),
        ([[0, 0, 0, 0], [0, 0, 0, 3]], r"solution 1 has candidate 3 at stage 3; its candidates are 0 to 2"),
        ([0, 0, -1, 0], r"candidate -1 at stage 2"),
        ([0.5, 0, 0, 0], r"has float64"),
    ],
    ids=str,
)
def test_a_start_that_is_no_solution_is_refused_with_its_place(start, said):
    with pytest.raises(UsageError, match=said):
        starting_solutions(Scores(), start, {})


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("0,1,2,0\n2 1 0 1\n", [[0, 1, 2, 0], [2, 1, 0, 1]]),
        ("0\n1\n\n2\n0\n", [[0, 1, 2, 0]]),
        ("[0, 1, 2, 0]", [[0, 1, 2, 0]]),
        ("[[0, 1], [2, 0]]", [[0, 1], [2, 0]]),
        ("stage;x\n", None),
        ('word,Candidate\n"a,b",1\nc,2\n', [[1, 2]]),
        ("candidate,word\n1\n", [[1]]),
        ("word,candidate\n1\n", None),
        ("", None),
        ("[]", None),
        ("[true]", None),
        ("1234567890123456789", None),
    ],
    ids=repr,
)
def test_files_of_solutions_are_rows_or_columns_of_candidates(tmp_path, text, rows):
    (tmp_path / "start").write_text(text)
    if rows is None:
        with pytest.raises(UsageError, match="start"):
            read_start(tmp_path / "start")
    else:
        assert read_start(tmp_path / "start") == rows
