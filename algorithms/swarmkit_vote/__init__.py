"""Majority vote of several runs: plugin `vote`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_solvers() -> dict[str, str]:
    """Offer the solver."""
    return {"vote": "swarmkit_vote.vote:Vote"}
