"""Exact answers: dynamic programming on chains, and proofs by toulbar2: plugin `exact`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_solvers() -> dict[str, str]:
    """Offer the solvers."""
    return {"toulbar2": "swarmkit_exact.toulbar2:Toulbar2", "viterbi": "swarmkit_exact.viterbi:Viterbi"}
