"""Automatic choice of solvers: plugin `auto`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_solvers() -> dict[str, str]:
    """Offer the solver."""
    return {"auto": "swarmkit_auto.auto:Auto"}
