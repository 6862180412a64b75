"""Solvers that enter the arena in tests: an honest one, and the same with a piece that cheats."""

from textwrap import indent
from typing import NamedTuple

HONEST = '''\
"""Random proposals on four solutions side by side; those that are not worse are accepted."""

from dataclasses import dataclass

import numpy as np

from swarmkit import StepResult, Solver, evaluate, propose, random_solutions
{head}

@dataclass
class Climbs:
    """The solutions and their scores."""

    X: np.ndarray
    scores: np.ndarray
    steps: int = 0


class Entry(Solver):
    """Climb side by side."""

    def start(self, problem, rng) -> Climbs:
        """Draw solutions; the first step scores them."""
{start}
        X = random_solutions(problem, 4, rng)
        return Climbs(X, np.full(len(X), np.nan))

    def step(self, problem, state: Climbs, rng) -> StepResult:
        """Make a proposal for each solution."""
        best, score, done = None, None, False
        state.steps += 1
{before}
        if len(state.X) == 0:
            state.X = random_solutions(problem, 4, rng)
            state.scores = np.full(len(state.X), np.nan)
            looks = 4 * len(problem.sizes)
        elif np.isnan(state.scores).any():
            state.scores, looks = evaluate(problem, state.X), state.X.size
        else:
            Y, gains, looks = propose(problem, state.X, state.scores, rng)
            taken = gains >= 0
            state.X[taken], state.scores[taken] = Y[taken], state.scores[taken] + gains[taken]
        if len(state.X) and not np.isnan(state.scores).any():
            i = int(state.scores.argmax())
            best, score = state.X[i].copy(), float(state.scores[i])
        found = StepResult(best, score, looks, 1, done)
{after}
        return found
{foot}
'''


class Cheat(NamedTuple):
    """A piece of code that is put into the honest solver, and the rules of which it breaks at least one."""

    name: str
    rules: str
    """The rules, any of which is a right reason, separated by blanks."""
    head: str = ""
    start: str = ""
    before: str = ""
    after: str = ""
    foot: str = ""


def source(cheat: Cheat) -> str:
    """Return the solver with a piece put in."""
    pieces = {name: indent(getattr(cheat, name).strip("\n"), 8 * " ") for name in ("start", "before", "after")}
    return HONEST.format(head=cheat.head, foot=cheat.foot, **pieces)


NONE = Cheat("honest", "")
"""No piece at all."""
