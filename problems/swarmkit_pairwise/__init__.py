"""Pairwise problems in the field's formats (UAI, WCSP, CFN, QUBO): the plugin `pairwise`, and `from_dimod` for Python.

The public names are listed in the stub beside this file and imported when first used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import lazy_loader

from swarmkit import hookimpl

if TYPE_CHECKING:
    from swarmkit import Problem


@hookimpl
def swarmkit_problems() -> Mapping[str, type[Problem]]:
    """Offer the problem."""
    from swarmkit_pairwise.problem import CostNetwork

    return {"pairwise": CostNetwork}


# Without the lazy `__dir__`: pluggy reads every attribute that `dir` lists, which would import all of them.
__getattr__, _, __all__ = lazy_loader.attach_stub(__name__, __file__)
