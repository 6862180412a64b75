"""Large neighbourhood search on routes and schedules: plugin `lns`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_solvers() -> dict[str, str]:
    """Offer the solvers."""
    return {"lns": "swarmkit_lns.lns:Lns", "shop-tabu": "swarmkit_lns.shop_tabu:ShopTabu"}
