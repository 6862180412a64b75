"""Functions of IOHprofiler (PBO and graph problems), by its package `ioh`: the plugin `ioh`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_problems() -> dict[str, str]:
    """Offer the problem."""
    return {"ioh": "swarmkit_ioh.problem:IohFunction"}
