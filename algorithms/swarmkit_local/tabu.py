"""Tabu search: `tabu`.

Glover, F., Lü, Z. and Hao, J.-K. 2010. Diversification-driven tabu search for unconstrained binary quadratic problems.
4OR 8(3). Hertz, A. and de Werra, D. 1987. Using tabu search techniques for graph coloring. Computing 39: candidates of
stages in conflict alone are changed. Wang, Y., Lü, Z., Glover, F. and Hao, J.-K. 2012. Path relinking for unconstrained
binary quadratic programming. European Journal of Operational Research 223(3). Glover, F. 1989. Tabu search, part I.
ORSA Journal on Computing 1(3): without tables, the best of a sample of moves (`sampled_tabu.py`).

Not in these papers: short rounds, interchangeable candidates matched before a path is walked, and "in conflict" for any
tables: a stage is optimal if its candidate has the highest value that any of its candidates can have.
"""

from __future__ import annotations

from typing import Annotated, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.random import Generator
from pydantic import Field

from swarmkit import (
    NO_STEP,
    Floats,
    Ints,
    Pairwise,
    Problem,
    Settings,
    Solutions,
    Solver,
    StepResult,
    Suitability,
    random_solutions,
)
from swarmkit.search import TableNeighbourhood, links_of, rng_state, warm_up
from swarmkit_local import kernels
from swarmkit_local.sampled_tabu import SampledTabu, Tenure
from swarmkit_local.tabu_state import BLOCK, TabuState

MOST_INTERCHANGEABLE = 256
"""The most candidates whose renaming is worth while to look for."""


class Tabu(Solver[TabuState | SampledTabu]):
    """Tabu search: the best change that is not tabu; on tables in rounds that begin between good solutions."""

    reference = (
        "Glover, Lü & Hao 2010, Diversification-driven tabu search for unconstrained binary quadratic problems, 4OR 8"
    )

    class Params(Settings):
        """Tenure, rounds and elite; values ours."""

        tenure: Annotated[int, Field(ge=0, le=10**6)] = 40
        """The shortest tabu tenure in moves; it counts as a quarter of all moves at most."""
        spread: Annotated[int, Field(ge=1, le=10**6)] = 40
        """The number of different tabu tenures, one of which is drawn for each move."""
        patience: Annotated[float, Field(gt=0, le=10**6)] = 0.5
        """A round ends if it has not improved in this many times as many moves as there are, at least 100."""
        elite: Annotated[int, Field(ge=2, le=1000)] = 16
        """Good solutions between which paths lead."""
        kick: Annotated[int, Field(ge=1, le=10**6)] = 10
        """Random changes where two good solutions differ at fewer stages than this."""

    params: Params

    def suits(self, problem: Problem) -> Suitability | None:
        """Suit tables, binary ones most."""
        if not has_gains(problem):
            return None
        if problem.structure.binary is not None:
            return Suitability(1.0, "all stages are binary", nanoseconds=1.0)
        return Suitability(0.7, "it has tables, whose gains are kept", nanoseconds=2.0)

    def prepare(self, problem: Problem) -> None:
        """Compile the kernels and lay out the tables."""
        if not has_gains(problem):
            warm_up(problem)
            return
        warm_up(problem, kernels.tabu, kernels.tabu_moves)
        tables_of(TableNeighbourhood(problem).form)

    def start(self, problem: Problem, rng: Generator) -> TabuState | SampledTabu:
        """Draw a solution; nothing is tabu."""
        if not has_gains(problem):
            return SampledTabu.start(problem)
        x, form, elite = random_solutions(problem, 1, rng)[0], TableNeighbourhood(problem).form, self.params.elite
        tables, n, colours = tables_of(form), len(x), interchangeable(form)
        entries, stages = len(tables.stage), len(tables.ceiling)
        blocks = -(-entries // BLOCK)
        state = TabuState(
            x=np.zeros(n, np.int64),
            gains=np.zeros(entries),
            open=np.zeros(entries),
            maxima=np.zeros(blocks),
            stale=np.ones(blocks, np.int64),
            until=np.zeros(entries, np.int64),
            present=np.zeros(stages),
            optimal=np.zeros(stages, np.int64),
            solutions=np.zeros((4, n), np.int64),
            scores=np.full(4, -np.inf),
            counters=np.zeros(10, np.int64),
            tabu=np.zeros(entries, np.int64),
            rng_state=rng_state(rng),
            members=np.zeros((elite, n), np.int64),
            member_scores=np.zeros(elite),
            overlap=np.zeros((colours, colours), np.int64),
            label=np.zeros(colours, np.int64),
        )
        self._begin(problem, state, x)
        return state

    def inject(
        self, problem: Problem, state: TabuState | SampledTabu, X: Solutions, scores: Floats, rng: Generator
    ) -> int:
        """Let the given solutions join the elite, and begin a round at the best of them if it is the best known.

        At the start of a run the elite is then filled from around that one, not from random solutions.
        """
        if isinstance(state, SampledTabu):
            state.inject(X, scores)
            return 0
        x = np.array(X, np.int64)
        for k in np.argsort(-scores, kind="stable"):
            kernels.tabu.join(state, x[k], float(scores[k]))
        best = int(np.argmax(scores))
        if scores[best] > state.scores[3]:
            # Only at the start: later the elite has solutions of the search's own.
            state.counters[kernels.tabu.AROUND] |= state.counters[kernels.tabu.NOW] == 0
            self._begin(problem, state, x[best])
        return len(problem.sizes)

    def snapshot(self, state: TabuState | SampledTabu) -> dict[str, Any]:
        """Return the current solution, and how many moves are tabu."""
        if isinstance(state, SampledTabu):
            return state.snapshot()
        return {"current": state.x, "tabu moves": int((state.until > state.counters[0]).sum())}

    def steps(self, problem: Problem, state: TabuState | SampledTabu, rng: Generator, count: int) -> StepResult:
        """Make the best admissible move, `count` times; at the end of a round, begin another."""
        if isinstance(state, SampledTabu):
            tenure, total = self._tenure(len(state.until)), NO_STEP
            for _ in range(count):
                total = total.plus(state.step(problem, tenure, rng)._replace(steps=1))
            return total
        tables = tables_of(TableNeighbourhood(problem).form)
        looks = kernels.tabu.iterate(tables, state, self._rules(state), count)
        return StepResult(state.solutions[3], float(state.scores[3]), int(looks), count)

    def _begin(self, problem: Problem, state: TabuState, x: Solutions) -> None:
        """Begin a round at a solution, which becomes the incumbent."""
        form, x = TableNeighbourhood(problem).form, np.array(x, np.int64)
        score = float(form.score(x[None])[0])
        kernels.tabu.begin_round(tables_of(form), state, x, score)
        state.solutions[3], state.scores[3] = x, score

    def _rules(self, state: TabuState) -> kernels.tabu.Rules:
        tenure = self._tenure(len(state.gains))
        kick = min(self.params.kick, len(state.x))
        return kernels.tabu.Rules(patience=tenure.patience, tenure=tenure.shortest, spread=tenure.spread, kick=kick)

    def _tenure(self, entries: int) -> Tenure:
        """Return the tenure and the patience for a number of moves."""
        # With more tabu moves than a quarter of all, small problems would have hardly a move left.
        params, quarter = self.params, max(1, entries // 4)
        patience = max(100, int(params.patience * entries))
        return Tenure(min(params.tenure, quarter), min(params.spread, quarter), patience)


def has_gains(problem: Problem) -> bool:
    """Whether a table of gains is kept: there are tables, and every combination of candidates is a solution."""
    return problem.structure.tables is not None and not problem.structure.distinct


_LAYOUTS: WeakKeyDictionary[Pairwise, kernels.tabu_moves.Tables] = WeakKeyDictionary()


def tables_of(form: Pairwise) -> kernels.tabu_moves.Tables:
    """Return the tables of a form as kernels read them, laid out once: couplings where they are binary, else links."""
    from swarmkit.kernels.compiling import read_only

    if form not in _LAYOUTS:
        binary, empty, no_stages = bool((form.sizes == 2).all()), np.empty(0), np.empty(0, np.int64)
        couplings = _couplings(form) if binary else (empty, no_stages, no_stages, empty)
        stage = np.repeat(np.arange(len(form.sizes)), 1 if binary else form.sizes)
        free, ceiling = np.flatnonzero(form.sizes > 1), empty if binary else _ceiling(form)
        tables = kernels.tabu_moves.Tables(*couplings, links_of(form), form.unary, stage, free, ceiling)
        _LAYOUTS[form] = read_only(tables)
    return _LAYOUTS[form]


def interchangeable(form: Pairwise) -> int:
    """Return the number of candidates if they may be renamed at all stages at once (colours, sides of a cut), else 0.

    >>> interchangeable(Pairwise.of([3, 3], [(0, 1, -np.eye(3))]))
    3
    >>> interchangeable(Pairwise.of([2, 2], [(0, 1, np.eye(2))], unary=[0, 1, 0, 0]))
    0
    """
    m = int(form.sizes[0])
    if (form.sizes != m).any() or m > MOST_INTERCHANGEABLE:
        return 0
    unary, diagonal = form.unary.reshape(-1, m), np.eye(m, dtype=bool)
    tables = (form.flat[start : start + m * m].reshape(m, m) for start in np.unique(form.starts))
    # One value on the diagonal of each table, and one elsewhere.
    alike = (np.array_equal(table, np.where(diagonal, table[0, 0], table[0, -1])) for table in tables)
    return m if (unary == unary[:, :1]).all() and all(alike) else 0


def _couplings(form: Pairwise) -> tuple[Floats, Ints, Ints, Floats]:
    """Return binary tables as field, indptr, neighbour and coupling; edges between the same two stages are added up."""
    n, (i, j) = len(form.sizes), form.edges.T
    table = form.flat[form.starts[:, None] + np.arange(4)] * form.weights[:, None]  # rows (00, 01, 10, 11)
    unary = form.unary.reshape(n, 2)
    field = unary[:, 1] - unary[:, 0]
    np.add.at(field, i, table[:, 2] - table[:, 0])
    np.add.at(field, j, table[:, 1] - table[:, 0])
    # Per edge, f(x, y) = constant + field_x · x + field_y · y + coupling · x · y.
    coupling = table[:, 0] + table[:, 3] - table[:, 1] - table[:, 2]
    keys = np.concatenate([i, j]) * n + np.concatenate([j, i])
    pairs, place = np.unique(keys, return_inverse=True)
    sums = np.bincount(place, np.tile(coupling, 2), len(pairs)).astype(float)  # whole numbers where there are no edges
    stage, neighbour = np.divmod(pairs[sums != 0], n)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(stage, minlength=n))])
    return field, indptr, np.ascontiguousarray(neighbour), sums[sums != 0]


def _ceiling(form: Pairwise) -> Floats:
    """Return, for each stage, an upper bound on the value of its candidates beside whatever the others take."""
    highest = form.unary.copy()
    half = form.half_edges
    stage = np.repeat(np.arange(len(form.sizes)), np.diff(half.indptr))
    for h, i in enumerate(stage.tolist()):  # what the best candidate of each neighbour adds
        j, m = half.neighbour[h], form.sizes[i]
        where = half.start[h] + np.arange(m)[:, None] * half.stride[h] + np.arange(form.sizes[j]) * half.far_stride[h]
        highest[form.offsets[i] : form.offsets[i + 1]] += (half.weight[h] * form.flat[where]).max(axis=1)
    return np.maximum.reduceat(highest, form.offsets[:-1])
