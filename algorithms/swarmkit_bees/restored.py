"""The check of a colony that was not made in this process: damaged numbers would make a kernel read any memory."""

from __future__ import annotations

import numpy as np

from swarmkit import Pairwise, UsageError
from swarmkit_bees.rules import Plan
from swarmkit_bees.state import Colony


def check_colony(form: Pairwise, plan: Plan, colony: Colony) -> None:
    """Raise UsageError if the memory of the compiled iterations cannot be that of these tables and this plan."""
    sound = colony.rng_state.shape == (4,) and len(plan.order) == len(form.sizes)
    if not (sound and _fits_shapes(form, plan, colony) and _fits_values(form, plan, colony)):
        raise UsageError("the bees of this state do not fit the problem: the checkpoint is damaged. Start a new run.")


def _fits_shapes(form: Pairwise, plan: Plan, colony: Colony) -> bool:
    from swarmkit_bees.compiled import new_workspace

    def kinds(workspace: dict[str, np.ndarray]) -> dict[str, tuple[tuple[int, ...], np.dtype]]:
        return {name: (array.shape, array.dtype) for name, array in workspace.items()}

    return kinds(colony.workspace) == kinds(new_workspace(form, plan))


def _fits_values(form: Pairwise, plan: Plan, colony: Colony) -> bool:
    """Whether every number that is used as an index is one, and the qualities can be compared."""
    given, n, bees = colony.workspace, len(plan.order), len(plan.hive)
    step, begin, turn, count, passes = given["position"].tolist()
    first = 1 if plan.hive[0] >= 0 else 0
    sizes = form.sizes.astype(np.uint64)[plan.order][:, None]
    return bool(
        0 <= turn < len(given["followed"])
        and begin == (first + turn * plan.rules.moves if turn else 0)
        and begin <= n
        and step in ({0, begin, n} if turn else {0, n})
        and 0 <= count <= begin
        and 0 <= passes < 2**62
        and (given["chosen"] < sizes).all()
        and (given["held"] < sizes).all()
        and ((given["followed"] >= 0) & (given["followed"] < bees)).all()
        and ((given["open_steps"] >= 0) & (given["open_steps"] < n)).all()
        and np.isfinite(given["qualities"]).all()
    )
