"""The check of a colony that was not made in this process: damaged numbers would make a kernel read any memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit import Pairwise, UsageError
from swarmkit.search import GainTable
from swarmkit_bees.rules import Plan
from swarmkit_bees.state import Colony, Rounds


def check_colony(form: Pairwise, plan: Plan, colony: Colony) -> None:
    """Raise UsageError if the memory of the compiled iterations cannot be that of these tables and this plan."""
    _expect(len(plan.order) == len(form.sizes) and _fits_passes(form, plan, colony))


def check_rounds(form: Pairwise, plan: Plan, colony: Colony, rounds: Rounds) -> None:
    """Raise UsageError if the state of rounds on free tables cannot be one of these tables and this plan."""
    n, table = len(form.sizes), rounds.table
    _expect(table is not None and _fits_table(form, table) and rounds.found.shape == (n,))
    _expect(0 <= rounds.visited < n and 0 <= rounds.offset < n and (rounds.length > 0 or rounds.visited == 0))
    if len(rounds.order):
        _expect(_within(rounds.order, n) and len(np.unique(rounds.order)) == len(rounds.order))
        _expect(len(rounds.starts) > 0 and _within(rounds.starts, form.sizes[rounds.order[0]]))
        _expect(_fits_paths(form, rounds) if len(rounds.paths) else _fits_passes(form, plan, colony))


def _expect(sound: bool) -> None:
    if not sound:
        raise UsageError("the bees of this state do not fit the problem: the checkpoint is damaged. Start a new run.")


def _within(indices: NDArray[Any], sizes: Any) -> bool:
    """Whether all numbers are indices below the sizes."""
    return bool(((indices >= 0) & (indices < sizes)).all())


def _fits_table(form: Pairwise, table: GainTable) -> bool:
    """Whether a gain table is one of these tables."""
    n = len(form.sizes)
    shapes = table.x.shape == table.best.shape == (n,) and table.scores.shape == (2,) and table.holder.shape == (0,)
    return bool(
        shapes
        and table.rng_state.shape == (4,)
        and table.values.shape == form.unary.shape
        and np.isfinite(table.values).all()
        and np.isfinite(table.scores[0])
        and not np.isnan(table.scores[1])
        and _within(table.x, form.sizes)
        and _within(table.best, form.sizes)
    )


def _fits_paths(form: Pairwise, rounds: Rounds) -> bool:
    """Whether the paths that climb are paths through the stages of the round."""
    k = len(rounds.order)
    return bool(
        rounds.paths.shape[1:] == (k,)
        and _within(rounds.paths, form.sizes[rounds.order])
        and np.array_equal(np.sort(rounds.sweep), np.sort(rounds.order))
        and rounds.at.shape == (3,)
        and 0 <= rounds.at[0] < len(rounds.paths)
        and -1 <= rounds.at[1] <= k
    )


def _fits_passes(form: Pairwise, plan: Plan, colony: Colony) -> bool:
    """Whether bees are on their way by this plan."""
    return colony.rng_state.shape == (4,) and _fits_shapes(form, plan, colony) and _fits_values(form, plan, colony)


def _fits_shapes(form: Pairwise, plan: Plan, colony: Colony) -> bool:
    from swarmkit_bees.compiled import new_workspace

    def kinds(workspace: dict[str, np.ndarray]) -> dict[str, tuple[tuple[int, ...], np.dtype]]:
        return {name: (array.shape, array.dtype) for name, array in workspace.items()}

    return kinds(colony.workspace) == kinds(new_workspace(form, plan))


def _fits_values(form: Pairwise, plan: Plan, colony: Colony) -> bool:
    """Whether every number that is used as an index is one, and the qualities can be compared."""
    given, n, bees = colony.workspace, len(plan.order), len(plan.hive)
    step, begin, turn, count, passes, guided = given["position"].tolist()
    first = 1 if plan.hive[0] >= 0 else 0
    sizes = form.sizes.astype(np.uint64)[plan.order][:, None]
    return bool(
        0 <= turn < len(given["followed"])
        and begin == (first + turn * plan.rules.moves if turn else 0)
        and begin <= n
        and step in ({0, begin, n} if turn else {0, n})
        and 0 <= count <= begin
        and 0 <= passes < 2**62
        and (guided == 0 or (guided == 1 and _within(given["best"], form.sizes)))
        and (given["chosen"] < sizes).all()
        and (given["held"] < sizes).all()
        and ((given["followed"] >= 0) & (given["followed"] < bees)).all()
        and ((given["open_steps"] >= 0) & (given["open_steps"] < n)).all()
        and np.isfinite(given["qualities"]).all()
    )
