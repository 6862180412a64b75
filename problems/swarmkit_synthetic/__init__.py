"""Seeded random problems of any size: the plugin `synthetic`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_problems() -> dict[str, str]:
    """Offer the problem."""
    return {"synthetic": "swarmkit_synthetic.synthetic:Synthetic"}
