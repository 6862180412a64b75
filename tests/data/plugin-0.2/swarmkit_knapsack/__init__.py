"""The knapsack problem and a hill climber, as a plugin. Nothing is imported before somebody asks for it."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_problems():
    """Offer the problem."""
    from swarmkit_knapsack.knapsack import Knapsack

    return {"knapsack": Knapsack}


@hookimpl
def swarmkit_solvers():
    """Offer the solver."""
    from swarmkit_knapsack.hill_climbing import HillClimbing

    return {"hill-climbing": HillClimbing}
