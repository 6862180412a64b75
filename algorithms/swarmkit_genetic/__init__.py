"""Genetic algorithms: plugin `genetic`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_solvers() -> dict[str, str]:
    """Offer the solvers."""
    return {
        "ga": "swarmkit_genetic.ga:Ga",
        "p3": "swarmkit_genetic.p3:P3",
        "tour-ga": "swarmkit_genetic.tour_ga:TourGa",
    }
