"""Bees: D-Bees and the bee colony optimisation it comes from: plugin `bees`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_solvers() -> dict[str, str]:
    """Offer the solvers."""
    return {"bco": "swarmkit_bees.bco:Bco", "dbees": "swarmkit_bees.dbees:DBees"}
