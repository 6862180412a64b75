"""Routes and schedules, items in ordered lists: plugin `lists`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_problems() -> dict[str, str]:
    """Offer the problems."""
    return {"cvrp": "swarmkit_lists.cvrp:VehicleRouting", "jobshop": "swarmkit_lists.jobshop:JobShopScheduling"}
