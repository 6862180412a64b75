"""The call of the compiled passes, for tables without constraints; `swarmkit_bees.reference` is the same in Python."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from swarmkit import Floats, Ints, Left, Pairwise, RngState
from swarmkit.search import VisitingOrder
from swarmkit_bees.rules import Outcome, Plan, Rules
from swarmkit_bees.state import Colony, no_bees


class Inputs(NamedTuple):
    """What every call of a run takes; named tuples of `swarmkit_bees.kernel`, but for the form."""

    form: Pairwise
    tables: Any
    order: Any
    workspace: Any
    rules: Any
    hive: Ints


_INPUTS: WeakKeyDictionary[Colony, Inputs] = WeakKeyDictionary()
"""The inputs of each run, which take much longer to make than a pass."""


def known_inputs(form: Pairwise, colony: Colony) -> Inputs | None:
    """Return the inputs of a run if they have been made for this form, else None."""
    inputs = _INPUTS.get(colony)
    return inputs if inputs is not None and inputs.form is form else None


def make_inputs(form: Pairwise, plan: Plan, colony: Colony, unary: Floats) -> Inputs:
    """Return the inputs of passes by this plan, and remember them.

    Args:
        form: the tables.
        plan: the order of the stages, the bees' candidates at the hive, the rules.
        colony: the state, whose workspace they use.
        unary: the value of each slot beside what the bees do not visit; where they visit all stages, that of the form.
    """
    from swarmkit_bees import kernel

    inputs = _INPUTS[colony] = Inputs(
        form,
        kernel.tables_of(form, unary),
        kernel.unsigned(VisitingOrder.of(form, plan.order)),
        kernel.Workspace(**colony.workspace),
        plan.rules.encoded(),
        np.ascontiguousarray(plan.hive, np.int64),
    )
    return inputs


def paths(colony: Colony) -> tuple[Ints, Ints] | None:
    """Return the path of each bee so far by step, -1 where it has not been yet, and the stages by step.

    None if the passes have not begun in this process.
    """
    from swarmkit_bees.kernel import BEGIN, STEP, TURN

    inputs = _INPUTS.get(colony)
    if inputs is None:
        return None
    workspace, moves = inputs.workspace, int(inputs.rules.moves)
    step, begin, turn = (int(workspace.position[at]) for at in (STEP, BEGIN, TURN))
    steps, bees = workspace.chosen.shape
    found = np.full((bees, steps), -1, np.int64)
    if step == 0 and colony.iterations == 0:
        return found, np.asarray(inputs.order.order, np.int64)
    end, at = step or steps, np.arange(bees)
    while True:
        found[:, begin:end] = workspace.chosen[begin:end, at].T
        if turn == 0:
            return found, np.asarray(inputs.order.order, np.int64)
        turn -= 1
        at = workspace.followed[turn, at]
        end, begin = begin, begin - moves if turn else 0


def followed(colony: Colony) -> Ints:
    """Return the bee that each bee followed in the last backward pass, itself if it was loyal."""
    from swarmkit_bees.kernel import TURN

    workspace = colony.workspace
    turn = int(workspace["position"][TURN])
    bees = workspace["chosen"].shape[1]
    return np.array(workspace["followed"][turn - 1]) if turn else np.arange(bees)


def new_workspace(form: Pairwise, plan: Plan) -> dict[str, Any]:
    """Return the memory of the iterations by this plan."""
    from swarmkit_bees import kernel

    most, degree = int(form.sizes.max()), int(np.diff(form.half_edges.indptr).max(initial=1))
    return kernel.new_workspace(len(plan.order), len(plan.hive), most, plan.rules.moves, degree)._asdict()


def new_colony(form: Pairwise, plan: Plan, hive: int, rng_state: RngState) -> Colony:
    """Return the state before the first iteration; its inputs are made.

    Args:
        form: the tables.
        plan: the order of the stages, the bees' candidates at the hive, the rules.
        hive: the stage where the bees begin; -1: they have none.
        rng_state: the kernel's random state.
    """
    colony = Colony(hive, 0, -np.inf, rng_state, new_workspace(form, plan), no_bees())
    make_inputs(form, plan, colony, form.unary)
    return colony


def advance(inputs: Inputs, colony: Colony, left: Left) -> Outcome:
    """Make passes until a pause, and return the best path of the iterations that ended if it is better than the record.

    Args:
        inputs: the problem, the plan and the memory.
        colony: the state, which is advanced.
        left: where to pause.
    """
    from swarmkit_bees import kernel

    pause = kernel.Pause(left.looks, left.iterations)
    score, looks, iterations, ended = kernel.advance(*inputs[1:], pause, colony.best, colony.rng_state)
    solution = inputs.workspace.best.copy() if score > colony.best else None
    colony.best = score
    colony.iterations += iterations
    return Outcome(solution, score, looks, iterations, ended)


def iterate(form: Pairwise, plan: Plan, iterations: int, rng_state: RngState) -> Outcome:
    """Make whole iterations, fewer if the rules end the search before.

    Args:
        form: the tables.
        plan: the order of the stages, the bees' candidates at the hive, the rules.
        iterations: how many to make.
        rng_state: the kernel's random state, which is advanced.
    """
    colony = new_colony(form, plan, -1, rng_state)
    return advance(_INPUTS[colony], colony, Left(sys.maxsize, iterations=iterations))


@cache
def warm_up() -> None:
    """Compile the passes, and call them once in this process: numba's first call takes longest."""
    plan = Plan(np.array([0]), np.array([0]), Rules(1, 1))
    iterate(Pairwise.of([2], unary=[0.0, 0.0]), plan, 1, np.ones(4, np.uint64))
