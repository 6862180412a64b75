"""Problems on graphs: largest cuts, colourings, independent sets: the plugin `graphs`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_problems() -> dict[str, str]:
    """Offer the problems."""
    return {
        "colouring": "swarmkit_graphs.colouring:Colouring",
        "independent-set": "swarmkit_graphs.independent_set:IndependentSet",
        "maxcut": "swarmkit_graphs.maxcut:MaxCut",
    }
