"""The pairwise form of a problem: values of single candidates, and tables between pairs of stages.

    score(x) = Σ_i unary[i, x_i] + Σ_e weight_e · table_e[x_i, x_j]        for edges e = (i, j)

Word sense disambiguation, travelling salesman, quadratic assignment, graph colouring and MaxCut all have this form,
and the compiled kernels work on it. A *slot* is a (stage, candidate) pair; slots are numbered consecutively, stage by
stage. Tables are stored row after row in one flat array; edges with the same start share one (all edges of a TSP: the
distances).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from swarmkit.contract.arrays import Floats, Ints
from swarmkit.contract.errors import ProblemError

ROW_LIMIT = 1 << 26
"""Contiguous rows are laid out up to this number of entries (512 MiB); larger tables are read where they are."""

_BLOCK = 1 << 22
"""Largest temporary array in entries: bounds memory when many solutions are scored at once."""

_LAYOUT = {
    "sizes": np.int64,
    "unary": np.float64,
    "edges": np.int64,
    "starts": np.int64,
    "weights": np.float64,
    "flat": np.float64,
}
"""The element types that kernels take."""


class HalfEdges(NamedTuple):
    """Every edge from the side of each of its stages, sorted by stage (CSR).

    Half-edges `indptr[i]:indptr[i+1]` belong to stage i; with candidate c there and d at the neighbour, the value is
    `weight · flat[start + c · stride + d · far_stride]`.
    """

    indptr: Ints
    neighbour: Ints
    start: Ints
    stride: Ints
    far_stride: Ints
    weight: Floats


class Rows(NamedTuple):
    """The values of half-edges, weights included, with a contiguous row for each candidate of the neighbour.

    With d at the neighbour, half-edge h adds `data[start[h] + d·m : start[h] + (d+1)·m]` to its stage's m candidates.
    """

    start: Ints
    data: Floats


class Links(NamedTuple):
    """Half-edges as the gain table reads them: runs of values that a stage's candidate adds to its neighbours' slots.

    Runs `indptr[i]:indptr[i+1]` belong to stage i, sorted by slot; a run is a row (to, length, start, stride,
    far_stride, j) of `runs`. With candidate c at the stage it adds `weight · flat[start + c · stride + d · far_stride]`
    to slot `to + d`, for each d below its length; stage j begins at slot `to`.
    """

    offsets: Ints
    indptr: Ints
    runs: Ints
    weights: Floats
    flat: Floats


@dataclass(frozen=True, eq=False)
class Pairwise:
    """A problem as tables. It is immutable: what is derived from it is computed once and cached.

    Args:
        sizes: the number of candidates at each stage.
        unary: the value of each slot.
        edges: the two stages of each edge.
        starts: where the table of each edge begins in `flat`.
        weights: the weight of each edge.
        flat: all tables, row after row.
        distinct: whether stages must take different candidates.
    """

    sizes: Ints
    unary: Floats
    edges: Ints = field(default_factory=lambda: np.empty((0, 2), np.int64))
    starts: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    weights: Floats = field(default_factory=lambda: np.empty(0))
    flat: Floats = field(default_factory=lambda: np.empty(0))
    distinct: bool = False

    @classmethod
    def of(
        cls,
        sizes: ArrayLike,
        edges: Iterable[Sequence[Any]] = (),
        unary: ArrayLike | None = None,
        *,
        distinct: bool = False,
    ) -> Pairwise:
        """Return the form of some edges; a table that several edges are given is stored once.

        Args:
            sizes: the number of candidates at each stage.
            edges: (i, j, table) or (i, j, table, weight), with a row of the table for each candidate of stage i.
            unary: the value of each slot; 0 by default.
            distinct: whether stages must take different candidates.

        >>> Pairwise.of([2, 2], [(0, 1, np.eye(2), 3.0)]).score(np.array([[1, 1], [0, 1]]))
        array([3., 0.])
        """
        sizes = np.asarray(sizes, np.int64)
        pairs: list[tuple[int, int]] = []
        starts: list[int] = []
        weights: list[float] = []
        tables: list[Floats] = []
        places: dict[int, tuple[int, Any]] = {}  # with a reference to each table, so that no id is reused
        size = 0
        for i, j, source, *weight in edges:
            # By identity: comparing tables would cost more than storing some of them twice.
            if id(source) not in places:
                table = np.asarray(source, np.float64)
                places[id(source)] = (size, source)
                tables.append(table.ravel())
                size += table.size
            _fits(np.shape(source), sizes, i, j)
            pairs.append((i, j))
            starts.append(places[id(source)][0])
            weights.append(weight[0] if weight else 1.0)
        return cls(
            sizes=sizes,
            unary=np.zeros(int(sizes.sum())) if unary is None else np.asarray(unary, np.float64),
            edges=np.array(pairs, np.int64).reshape(-1, 2),
            starts=np.array(starts, np.int64),
            weights=np.array(weights, np.float64),
            flat=np.concatenate(tables) if tables else np.empty(0),
            distinct=distinct,
        )

    def __post_init__(self) -> None:
        for name, kind in _LAYOUT.items():  # an array that has its type already is not copied
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), kind))
        i, j = self.edges.T
        inside = ((self.edges >= 0) & (self.edges < len(self.sizes))).all()
        ends = self.starts + (self.sizes[i] * self.sizes[j] if inside else 0)
        wrong = {
            "one unary value per slot": self.unary.shape != (int(self.sizes.sum()),),
            "one start and one weight per edge": not len(self.edges) == len(self.starts) == len(self.weights),
            "edges between two different stages that exist": not inside or (i == j).any(),
            "tables inside the flat array": (self.starts < 0).any() or (ends > len(self.flat)).any(),
            "finite values": not all(np.isfinite(a).all() for a in (self.unary, self.weights, self.flat)),
        }
        for expected, fails in wrong.items():
            if fails:
                raise ProblemError(f"a pairwise form needs {expected}")

    @cached_property
    def offsets(self) -> Ints:
        """The first slot of each stage, and the number of slots as the last entry."""
        return np.concatenate([[0], np.cumsum(self.sizes)])

    @cached_property
    def negated(self) -> Pairwise:
        """The form whose scores are minus these; the tables themselves are shared."""
        return replace(self, unary=0.0 - self.unary, weights=-self.weights)

    @cached_property
    def shared(self) -> bool:
        """Whether several edges share a table."""
        return len(np.unique(self.starts)) < len(self.starts)

    @cached_property
    def half_edges(self) -> HalfEdges:
        """The half-edges, sorted by stage and neighbour."""
        i, j = self.edges.T
        stage, neighbour = np.concatenate([i, j]), np.concatenate([j, i])
        # lexsort is stable: edges between the same two stages stay in the order in which they were given.
        order = np.lexsort((neighbour, stage))
        columns = self.sizes[j]
        unit = np.ones_like(columns)
        count = np.bincount(stage, minlength=len(self.sizes))
        return HalfEdges(
            indptr=np.concatenate([[0], np.cumsum(count)]),
            neighbour=neighbour[order],
            start=np.concatenate([self.starts, self.starts])[order],
            stride=np.concatenate([columns, unit])[order],
            far_stride=np.concatenate([unit, columns])[order],
            weight=np.concatenate([self.weights, self.weights])[order],
        )

    @cached_property
    def expandable(self) -> bool:
        """Whether every half-edge can have its values in a contiguous block: no table is shared, and they fit."""
        half = self.half_edges
        # Counted before anything is allocated: the rows of a large problem may exceed the memory.
        entries = np.repeat(self.sizes, np.diff(half.indptr)) @ self.sizes[half.neighbour]
        return not self.shared and bool(entries <= ROW_LIMIT)

    @cached_property
    def rows(self) -> Rows | None:
        """The half-edges' values as contiguous rows; None if tables are shared or the rows would not fit."""
        if not self.expandable:
            return None
        half = self.half_edges
        stage_sizes = np.repeat(self.sizes, np.diff(half.indptr))
        lengths = stage_sizes * self.sizes[half.neighbour]
        start = np.concatenate([[0], np.cumsum(lengths)])
        data = np.empty(start[-1])
        for h, m in enumerate(stage_sizes):
            block = self.flat[half.start[h] : half.start[h] + lengths[h]]
            table = block.reshape(m, -1).T if half.far_stride[h] == 1 else block.reshape(-1, m)
            # Weights are multiplied in once here, so that kernels add rows without them.
            np.multiply(table, half.weight[h], out=data[start[h] : start[h + 1]].reshape(-1, m))
        return Rows(start[:-1], data)

    def score(self, X: NDArray[Any]) -> Floats:
        """Return the scores of complete solutions, one per row."""
        total: Floats = np.ascontiguousarray(self.unary[self.offsets[:-1] + X]).sum(axis=1)
        step = max(1, _BLOCK // max(1, len(X)))
        for begin in range(0, len(self.edges), step):
            part = slice(begin, begin + step)
            i, j = self.edges[part].T
            # Contiguous, so that a row is summed up in the same order alone and in a batch.
            values = np.ascontiguousarray(self.flat[self.starts[part] + X[:, i] * self.sizes[j] + X[:, j]])
            total += np.einsum("ke,e->k", values, self.weights[part])  # a product by BLAS would wake its threads
        return total

    def marginals(self, X: NDArray[Any], stage: int) -> Floats:
        """Return the value of each candidate at a stage beside the candidates chosen at other stages.

        Args:
            X: solutions, one per row; -1 marks a stage that is still open, which adds nothing.
            stage: the stage whose candidates are valued.
        """
        half, m = self.half_edges, int(self.sizes[stage])
        run = slice(half.indptr[stage], half.indptr[stage + 1])
        neighbours = X[:, half.neighbour[run]]
        candidates = np.arange(m)
        unary = self.unary[self.offsets[stage] : self.offsets[stage + 1]]
        if self.rows is not None:
            where = (self.rows.start[run] + neighbours * m)[:, :, None] + candidates
            # Open stages read entry 0, which is multiplied by 0 below.
            values = (
                self.rows.data[np.where(neighbours[:, :, None] < 0, 0, where)] if where.size else np.zeros(where.shape)
            )
            return np.asarray(unary + np.einsum("ked,ke->kd", values, (neighbours >= 0).astype(float)))
        where = (half.start[run] + neighbours * half.far_stride[run])[:, :, None] + candidates * half.stride[run][
            :, None
        ]
        values = self.flat[np.where(neighbours[:, :, None] < 0, 0, where)] if where.size else np.zeros(where.shape)
        return np.asarray(unary + np.einsum("ked,ke->kd", values, (neighbours >= 0) * half.weight[run]))

    def gains(self, X: NDArray[Any], stage: int) -> Floats:
        """Return, for each row, the change of score if the stage took each candidate (`distinct`: swapped with it).

        Args:
            X: complete solutions, one per row.
            stage: the stage that changes.
        """
        value = self.marginals(X, stage)
        gain: Floats = value - np.take_along_axis(value, X[:, stage, None], axis=1)
        return gain + self._holders_gains(X, stage) if self.distinct else gain

    def _holders_gains(self, X: NDArray[Any], stage: int) -> Floats:
        """Return the gain at the stage that has each candidate if it took this stage's candidate in exchange."""
        half, target = self.half_edges, X[:, stage, None]
        current = X[:, np.repeat(np.arange(len(self.sizes)), np.diff(half.indptr))]
        beside = X[:, half.neighbour]

        def value(candidate: Any, neighbour: Any) -> Any:
            return half.weight * self.flat[half.start + candidate * half.stride + neighbour * half.far_stride]

        change = value(target, beside) - value(current, beside)
        # Edges between the two stages: each side was valued as if the other stayed the same, which is corrected here.
        common = value(target, current) - value(target, target) - value(current, current) + value(current, target)
        change += np.where(half.neighbour == stage, common, 0.0)
        first = self.offsets[:-1]
        total = _sums(change, half.indptr) + self.unary[first + target] - self.unary[first + X]
        # The stage itself is no other stage: its own gain is counted by the caller.
        total[:, stage] = 0.0
        gain = np.zeros((len(X), int(self.sizes[stage])))
        np.put_along_axis(gain, X, total, axis=1)
        return gain


def _sums(values: Floats, indptr: Ints) -> Floats:
    """Return the sum of the columns of each stage; 0 for a stage without any."""
    # reduceat needs an entry behind the last stage, and returns one value for an empty stage, which is replaced.
    table = np.concatenate([values, np.zeros((len(values), 1))], axis=1)
    return np.asarray(np.where(np.diff(indptr) > 0, np.add.reduceat(table, indptr[:-1], axis=1), 0.0))


def _fits(shape: tuple[int, ...], sizes: Ints, i: int, j: int) -> None:
    if not (0 <= i < len(sizes) and 0 <= j < len(sizes)):
        raise ProblemError(f"edge ({i}, {j}) names a stage that does not exist; stages are 0 to {len(sizes) - 1}")
    if shape != (sizes[i], sizes[j]):
        raise ProblemError(f"the table of edge ({i}, {j}) is {shape}, expected {(int(sizes[i]), int(sizes[j]))}")
