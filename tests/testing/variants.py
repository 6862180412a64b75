"""The conformance kit for one more setting of a solver whose class `test_conformance.py` checks."""

from swarmkit.testing import kit, solver_contract
from swarmkit.testing.report import run_checks

OF_THE_CLASS = {
    kit._sentence(check)
    for check in (solver_contract.jobs_make_no_difference, solver_contract.a_spawned_process_can_run_it)
}
"""Checks that start processes, which takes as long as all others: parameters go there as those of the default do."""


def check_variant(solver, examples=1):
    """Check a solver as `check_solver` does, except for what its parameters cannot change, and return the report."""
    checks = [check for check in kit._of_solver(solver, examples) if check.name not in OF_THE_CLASS]
    return run_checks(f"solver {solver!r}", checks)
