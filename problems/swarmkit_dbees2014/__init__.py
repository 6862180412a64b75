"""The experiment of Abualhaija & Zimmermann 2014 (D-Bees), run again: the plugin `dbees2014`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_commands() -> dict[str, str]:
    """Offer the command."""
    return {"experiment dbees-2014": "swarmkit_dbees2014.command:experiment"}
