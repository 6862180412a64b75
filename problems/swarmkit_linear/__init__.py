"""Problems with a linear objective and linear constraints: set covering, knapsacks, assignments, 0-1 programs."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_problems() -> dict[str, str]:
    """Offer the problems."""
    return {
        "assignment": "swarmkit_linear.assignment:Assignment",
        "knapsack": "swarmkit_linear.knapsack:Knapsack",
        "linear": "swarmkit_linear.linear:Linear",
        "setcover": "swarmkit_linear.set_cover:SetCover",
    }
