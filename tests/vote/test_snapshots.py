"""What the solvers of this plugin show of their state."""

import pytest

from tests.snapshots import check_snapshots, families


@families
@pytest.mark.parametrize(
    ("solver", "expected"),
    [("vote", ["solutions", "runs"])],
)
def test_what_is_shown_are_solutions_of_the_problem(family, solver, expected):
    check_snapshots(solver, family, expected)
