"""Lexical substitution on WordNet: the plugin `lexsub`, with the problem, and the command `wsd substitute`."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_problems() -> dict[str, str]:
    """Offer the problem."""
    return {"lexsub": "swarmkit_lexsub.problem:LexicalSubstitution"}


@hookimpl
def swarmkit_commands() -> dict[str, str]:
    """Offer the command, in the group of the plugin `wsd`."""
    return {"wsd substitute": "swarmkit_lexsub.command:substitute"}
