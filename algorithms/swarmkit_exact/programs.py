"""What runs in a process of its own: a task in plain data comes in, answers go out, each better than the one before.

An answer has the best `solution`, or None, and the `bound`: no solution costs less.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import Any

FIRST_ATTEMPT = 2.0
"""Seconds of the first attempt of HiGHS, which reports only when it ends; each further one has twice the time."""


ROUNDING = 1e-6
"""By how much sums of whole multiples of fractions may be off."""


def toulbar2(network: dict[str, Any], seconds: int, backtracks: int | None) -> Iterator[dict[str, Any]]:
    """Minimise the sum of a network's costs by toulbar2.

    Args:
        network: sizes and cost functions.
        seconds: the limit on CPU seconds.
        backtracks: the limit on backtracks; None for none.
    """
    import pytoulbar2

    cfn = pytoulbar2.CFN(resolution=0)
    for stage, size in enumerate(network["sizes"]):
        cfn.AddVariable(f"s{stage}", range(size))
    for scope, costs in network["functions"]:
        cfn.AddFunction(scope, costs)
    if backtracks:
        pytoulbar2.tb2.option.backtrackLimit = backtracks
    try:
        answer = cfn.Solve(timeLimit=seconds)
    except Exception as error:  # it raises when its time is over
        print(error, file=sys.stderr)
        answer = None
    yield {
        "solution": None if answer is None else [int(value) for value in answer[0]],
        "bound": float(cfn.GetDDualBound()),
    }


def highs(program: dict[str, Any], seconds: float, nodes: int | None) -> Iterator[dict[str, Any]]:
    """Minimise a program of 0-1 columns by HiGHS.

    Args:
        program: what `Linearisation.plain` returns.
        seconds: the limit on seconds of each attempt that has a limit on nodes, else of all attempts together.
        nodes: the limit on nodes of branch and bound; None for none.
    """
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    costs = np.array(program["costs"])
    shape = (len(program["lower"]), len(costs))
    rows = csr_array((program["coefficients"], program["columns"], program["indptr"]), shape=shape)
    # milp takes no row without columns where there is no row at all.
    constraints = LinearConstraint(rows, program["lower"], program["upper"]) if shape[0] else None
    best: list[int] | None = None
    best_cost, bound = math.inf, -math.inf
    left, attempt = seconds, seconds if nodes else FIRST_ATTEMPT
    while left > 0.0:
        limits = {"time_limit": min(attempt, left), "mip_rel_gap": 0.0} | ({"node_limit": nodes} if nodes else {})
        answer = milp(
            costs, integrality=program["integral"], bounds=Bounds(0, 1), constraints=constraints, options=limits
        )
        if answer.x is not None and answer.fun < best_cost:
            best_cost, best = float(answer.fun), np.rint(answer.x).astype(int).tolist()
        if answer.mip_dual_bound is not None:
            bound = max(bound, float(answer.mip_dual_bound))
        # 2: there is no solution, which is proved by an answer without one.
        proved = answer.status in (0, 2)
        yield {"solution": best, "bound": None if not math.isfinite(bound) else bound, "proved": proved}
        left, attempt = left - attempt, 2.0 * attempt
        if proved or nodes:
            return


def cpsat(
    program: dict[str, Any], seconds: float, conflicts: int | None, linearization: int
) -> Iterator[dict[str, Any]]:
    """Minimise a program of 0-1 columns with whole coefficients by OR-Tools' CP-SAT, on one thread.

    Args:
        program: what `Linearisation.plain` returns.
        seconds: the limit on seconds.
        conflicts: the limit on conflicts; None for none.
        linearization: how much of the linear relaxation it uses, 0 to 2.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    columns = [model.new_bool_var("") for _ in program["costs"]]
    for row, (lower, upper) in enumerate(zip(program["lower"], program["upper"], strict=True)):
        part = slice(program["indptr"][row], program["indptr"][row + 1])
        terms = zip(program["columns"][part], program["coefficients"][part], strict=True)
        total = sum(int(value) * columns[column] for column, value in terms)
        low = cp_model.INT32_MIN * 2**20 if math.isinf(lower) else math.ceil(lower - ROUNDING)
        high = cp_model.INT32_MAX * 2**20 if math.isinf(upper) else math.floor(upper + ROUNDING)
        model.add_linear_constraint(total, low, high)
    model.minimize(sum(cost * column for cost, column in zip(program["costs"], columns, strict=True)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.linearization_level = linearization
    if conflicts:
        solver.parameters.max_number_of_conflicts = conflicts
    status = solver.solve(model)
    has_solution = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    yield {
        "solution": [int(solver.value(column)) for column in columns] if has_solution else None,
        "bound": None if status == cp_model.INFEASIBLE else solver.best_objective_bound,
        "proved": status in (cp_model.OPTIMAL, cp_model.INFEASIBLE),
    }
