"""Exact answers: dynamic programming on chains, and proofs by toulbar2, HiGHS and CP-SAT: plugin `exact`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_solvers() -> dict[str, str]:
    """Offer the solvers."""
    return {
        "cpsat": "swarmkit_exact.cpsat:CpSat",
        "highs": "swarmkit_exact.highs:Highs",
        "toulbar2": "swarmkit_exact.toulbar2:Toulbar2",
        "viterbi": "swarmkit_exact.viterbi:Viterbi",
    }
