"""Baselines that every method should outperform: plugin `baselines`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_solvers() -> dict[str, str]:
    """Offer the solvers."""
    return {
        "exhaustive": "swarmkit_baselines.exhaustive:Exhaustive",
        "first": "swarmkit_baselines.simple:First",
        "greedy": "swarmkit_baselines.simple:Greedy",
        "icm": "swarmkit_baselines.icm:Icm",
        "max-relatedness": "swarmkit_baselines.simple:MaxRelatedness",
        "random": "swarmkit_baselines.simple:Random",
    }
