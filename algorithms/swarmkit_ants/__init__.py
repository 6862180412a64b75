"""Ant colonies: pheromone on tours and stages, and ants that carry energy between nests: plugin `ants`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_solvers() -> dict[str, str]:
    """Offer the solvers."""
    return {"aca": "swarmkit_ants.aca:Aca", "tsp-aco": "swarmkit_ants.tsp_aco:TspAco"}
