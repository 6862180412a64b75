"""Simulated annealing, plain and adaptive: plugin `annealing`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_solvers() -> dict[str, str]:
    """Offer the solvers."""
    return {"annealing": "swarmkit_annealing.annealing:Annealing", "sa": "swarmkit_annealing.sa:Sa"}
