"""Iterated local search, tabu searches and local search with weighted constraints: plugin `local`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_solvers() -> dict[str, str]:
    """Offer the solvers."""
    return {
        "ils": "swarmkit_local.ils:Ils",
        "robust-tabu": "swarmkit_local.robust_tabu:RobustTabu",
        "tabu": "swarmkit_local.tabu:Tabu",
        "weighting": "swarmkit_local.weighting:Weighting",
    }
