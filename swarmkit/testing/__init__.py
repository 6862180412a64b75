"""The conformance kit: what every problem and every solver must keep, checked with hypothesis.

    from swarmkit.testing import check_solver
    print(check_solver(MySolver))          # raises ConformanceError, with the whole report, if a check fails

or with pytest, one test per check:

    @solver_checks(MySolver)
    def test_my_solver(check):
        check()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from swarmkit.doors import open_lazily

if TYPE_CHECKING:
    from swarmkit.testing.families import FAMILIES, Family, problems
    from swarmkit.testing.kit import check_problem, check_solver, problem_checks, solver_checks
    from swarmkit.testing.report import Check, ConformanceError, Outcome, Report, Skipped

_HOME = {
    "families": ["FAMILIES", "Family", "problems"],
    "kit": ["check_problem", "check_solver", "problem_checks", "solver_checks"],
    "report": ["Check", "ConformanceError", "Outcome", "Report", "Skipped"],
}

__getattr__, __dir__ = open_lazily("swarmkit.testing", _HOME)

__all__ = [
    "FAMILIES",
    "Check",
    "ConformanceError",
    "Family",
    "Outcome",
    "Report",
    "Skipped",
    "check_problem",
    "check_solver",
    "problem_checks",
    "problems",
    "solver_checks",
]
