"""Rounds on tables without constraints: compiled passes, and climbs on the gain table."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from swarmkit import Left, Pairwise, Solutions
from swarmkit.search import GainTable, links_of
from swarmkit_bees import compiled
from swarmkit_bees.restored import check_rounds
from swarmkit_bees.rounds import Engine


class TableEngine(Engine):
    """Passes by `kernel.advance`, climbs by `round_kernel.climb`."""

    @property
    def form(self) -> Pairwise:
        """The tables."""
        form = self.problem.structure.free_tables
        assert form is not None  # noqa: S101  (the caller's choice)
        return form

    @property
    def table(self) -> GainTable:
        """The gain table of the solution that climbs, of the best one while bees move."""
        table = self.rounds.table
        assert table is not None  # noqa: S101  (made by `start`)
        return table

    @property
    def best(self) -> Solutions | None:
        """The last of the best solutions; None before the first."""
        return self.table.best if np.isfinite(self.colony.best) else None

    @property
    def quality(self) -> float:
        """The best quality of a bee."""
        return float(self.colony.workspace["qualities"].max())

    @property
    def finished(self) -> bool:
        """Whether all paths have climbed."""
        return 0 < len(self.rounds.paths) == int(self.rounds.at[0])

    def begin(self) -> None:
        """Begin the round that was drawn: the bees are at its hive."""
        from swarmkit_bees.kernel import PASSES

        last = self.colony.workspace
        self.colony.workspace = compiled.new_workspace(self.form, self.plan)
        if last:
            self.colony.workspace["position"][PASSES] = last["position"][PASSES]
        self._make_inputs()

    def restore(self) -> None:
        """Check a state that was not made in this process, and make what is not part of it."""
        check_rounds(self.form, self.plan, self.colony, self.rounds)
        if len(self.rounds.order) and not len(self.rounds.paths):
            self._make_inputs()

    def go_on(self, left: Left, rng: Generator) -> int:
        """Make passes, or climb, until one of the two is through or a pause; return the looks."""
        return self._climb(left.looks) if len(self.rounds.paths) else self._pass(left.looks)

    def end(self) -> None:
        """Return to the best solution."""
        self.table.return_to_best(self.form)
        self.rounds.paths = self.rounds.paths[:0]

    def _make_inputs(self) -> None:
        """Make the kernel's inputs: beside the kept part of the best path, what that adds counts as unary values."""
        from swarmkit_bees.round_kernel import set_free

        unary = self.form.unary
        if len(self.rounds.order) < len(self.form.sizes):
            unary = self.table.values.copy()
            set_free(links_of(self.form), self.table.x, self.rounds.order, unary)
        compiled.make_inputs(self.form, self.plan, self.colony, unary)

    def _pass(self, looks: int) -> int:
        """Make passes; when the paths are complete, take those of the recruiters."""
        from swarmkit.kernels.icm import BEGIN
        from swarmkit_bees.kernel import STEP
        from swarmkit_bees.round_kernel import recruiters_paths

        inputs, rounds = compiled.known_inputs(self.form, self.colony), self.rounds
        assert inputs is not None  # noqa: S101  (made when the round began)
        made = compiled.advance(inputs, self.colony, Left(looks)).looks
        if inputs.workspace.position[STEP] == len(rounds.order):
            paths = np.empty((min(self.rules.recruiters, len(rounds.starts)), len(rounds.order)), np.int64)
            rounds.paths = paths[: recruiters_paths(inputs.workspace, inputs.rules, paths)]
            rounds.sweep, rounds.at = rounds.order.copy(), np.array([0, BEGIN, 0])
        return made

    def _climb(self, looks: int) -> int:
        """Improve the paths of the recruiters, or only score them."""
        from swarmkit_bees.round_kernel import Climbing, climb

        rounds, table = self.rounds, self.table
        paths = rounds.order, rounds.paths, rounds.sweep, rounds.at
        climbing = Climbing(*paths, table.best, rounds.found, table.scores)
        made = climb(links_of(self.form), table.current, climbing, self.improve, table.rng_state, looks)
        self.colony.best = float(table.scores[1])
        return int(made)
