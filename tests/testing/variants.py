"""The conformance kit for one more setting of a solver whose class `test_conformance.py` checks."""

from swarmkit.testing import kit
from swarmkit.testing.report import run_checks


def check_variant(solver, examples=1):
    """Check a solver on all families of problems, without the checks of it as a whole, and return the report."""
    checks = [check for check in kit._of_solver(solver, examples) if check.name.endswith("]")]
    return run_checks(f"solver {solver!r}", checks)
