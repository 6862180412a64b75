"""The travelling salesman: files of TSPLIB, points, random cities: the plugin `tsp`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_problems() -> dict[str, str]:
    """Offer the problem."""
    return {"tsp": "swarmkit_tsp.problem:TravellingSalesman"}
