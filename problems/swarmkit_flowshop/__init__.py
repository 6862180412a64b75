"""Permutation flow shop: Taillard's problems, or others of his generator: the plugin `flowshop`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_problems() -> dict[str, str]:
    """Offer the problem."""
    return {"flowshop": "swarmkit_flowshop.problem:FlowShop"}
