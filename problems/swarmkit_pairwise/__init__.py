"""Pairwise problems in the field's formats (UAI, WCSP, CFN, QUBO): the plugin `pairwise`, and `from_dimod` for Python.

The public names are listed in the stub beside this file and imported when first used.
"""

import lazy_loader

from swarmkit import hookimpl


@hookimpl
def swarmkit_problems() -> dict[str, str]:
    """Offer the problem."""
    return {"pairwise": "swarmkit_pairwise.problem:CostNetwork"}


# Without the lazy `__dir__`: pluggy reads every attribute that `dir` lists, which would import all of them.
__getattr__, _, __all__ = lazy_loader.attach_stub(__name__, __file__)
