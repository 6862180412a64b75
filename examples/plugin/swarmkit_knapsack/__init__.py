"""The knapsack problem and a hill climber, as a plugin. Nothing is imported before somebody asks for it."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_problems():
    """Offer the problem."""
    return {"backpack": "swarmkit_knapsack.knapsack:Knapsack"}


@hookimpl
def swarmkit_solvers():
    """Offer the solver."""
    return {"hill-climbing": "swarmkit_knapsack.hill_climbing:HillClimbing"}
