"""Problems from binary quadratic models in memory, dimod's or alike; dimod itself is not needed."""

from __future__ import annotations

from typing import Any

import numpy as np

from swarmkit import UsageError
from swarmkit_pairwise.bqm import TABLES, Model, network_of
from swarmkit_pairwise.problem import CostNetwork


def from_dimod(bqm: Any) -> CostNetwork:
    """Return a problem from a binary quadratic model in memory; its answers name the model's variables.

    Args:
        bqm: a `dimod.BinaryQuadraticModel`, or any object with `linear` (variable to bias), `quadratic` (pair of
            variables to bias), `offset` and `vartype` ("BINARY" or "SPIN").
    """
    try:
        linear, quadratic = dict(bqm.linear), dict(bqm.quadratic)
        offset, vartype = float(bqm.offset), str(getattr(bqm.vartype, "name", bqm.vartype))
    except (AttributeError, TypeError, ValueError) as error:
        raise UsageError(
            f"from_dimod was given a {type(bqm).__name__}; expected a binary quadratic model ({error})"
        ) from None
    if vartype not in TABLES or not linear:
        raise UsageError("from_dimod expects a model with variables, all of them BINARY or SPIN")
    number = {variable: at for at, variable in enumerate(linear)}
    pairs = np.array([(number[u], number[v]) for u, v in quadratic], np.int64).reshape(-1, 2)
    biases = np.array(list(quadratic.values()), np.float64)
    labels = tuple(str(variable) for variable in linear)
    model = Model(np.array(list(linear.values()), float), pairs, biases, offset, vartype, labels)  # type: ignore[arg-type]  # see above
    return CostNetwork(network_of("bqm", model))
