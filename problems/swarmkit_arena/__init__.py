"""The arena: a solver in a file is checked for the rules of a fair comparison, then compared with the bundled solvers.

The public names are listed in the stub beside this file and imported when first used.
"""

import lazy_loader

from swarmkit import hookimpl


@hookimpl
def swarmkit_commands() -> dict[str, str]:
    """Offer the command."""
    return {"arena": "swarmkit_arena.command:arena"}


# Without the lazy `__dir__`: pluggy reads every attribute that `dir` lists, which would import all of them.
__getattr__, _, __all__ = lazy_loader.attach_stub(__name__, __file__)
