"""Linear constraints over slots: sums of the coefficients of the chosen candidates, within bounds.

A solution chooses one slot (stage and candidate) at each stage. A constraint is a row: the sum of its coefficients over
the chosen slots has to lie between a lower and an upper bound; slots that a row does not name count 0.

>>> seats = capacity([(0, 1), (1, 1), (2, 1)], [3, 4, 5], 8, name="seats")
>>> rows = Constraints.of([2, 2, 2], [seats, exactly([(0, 1), (1, 1), (2, 1)], 2)])
>>> rows.feasible(np.array([[1, 1, 0], [0, 1, 1], [1, 0, 0]])).tolist()
[True, False, False]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from swarmkit.contract.arrays import Bools, Floats, Ints, Solutions
from swarmkit.contract.errors import ProblemError

Choices = Iterable[tuple[int, int]] | Ints
"""Pairs of a stage and a candidate."""

ROUNDING = 1e-7
"""Sums of fractions may pass a bound by this share of their size; whole numbers are summed exactly."""


@dataclass(frozen=True, eq=False)
class Constraint:
    """One row: `lower <= sum of coefficients of the chosen slots <= upper`; a slot that occurs twice counts twice."""

    stages: Ints
    """The stage of each coefficient."""
    candidates: Ints
    """The candidate of each coefficient."""
    coefficients: Floats
    lower: float = -np.inf
    upper: float = np.inf
    name: str = ""

    @classmethod
    def of(
        cls,
        choices: Choices,
        coefficients: ArrayLike = 1.0,
        lower: float = -np.inf,
        upper: float = np.inf,
        name: str = "",
    ) -> Self:
        """Return a row.

        Args:
            choices: pairs of a stage and a candidate.
            coefficients: the coefficient of each, or one for all.
            lower: the least sum.
            upper: the largest sum.
            name: what messages call the row.
        """
        pairs = np.asarray(choices if isinstance(choices, np.ndarray) else list(choices))
        pairs = pairs.reshape(0, 2) if pairs.size == 0 else pairs
        if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.issubdtype(np.asarray(pairs, order="C").dtype, np.integer):
            if pairs.size:
                raise ProblemError(f"{_called(name)}: choices are pairs of a stage and a candidate, both whole numbers")
            pairs = pairs.astype(np.int64)
        try:
            values = np.broadcast_to(np.asarray(coefficients, np.float64), len(pairs))
        except ValueError:
            raise ProblemError(
                f"{_called(name)}: {np.size(coefficients)} coefficients for {len(pairs)} choices; expected one for each"
            ) from None
        stages, candidates = (np.ascontiguousarray(column, np.int64) for column in pairs.T)
        return cls(stages, candidates, np.array(values), float(lower), float(upper), str(name))


Rows = Iterable["Constraint | Rows"]
"""Rows, or sequences of rows."""


@dataclass(frozen=True, eq=False)
class Constraints:
    """Constraints as sparse arrays over the slots of a problem; make them with `Constraints.of`.

    In row r, `slots[indptr[r]:indptr[r + 1]]` are in increasing order, each once, with coefficients other than 0.
    """

    sizes: Ints
    """The number of candidates at each stage."""
    indptr: Ints
    slots: Ints
    coefficients: Floats
    lower: Floats
    upper: Floats
    names: tuple[str, ...]

    @classmethod
    def of(cls, sizes: Sequence[int] | Ints, rows: Rows) -> Self:
        """Return constraints on the slots of a problem.

        Args:
            sizes: the number of candidates at each stage.
            rows: constraints; sequences of them, as `all_different` returns, count as their rows.

        Raises:
            ProblemError: a row names what the problem has not, or its numbers are no bounds; with the row's name.
        """
        counts = np.asarray(sizes, np.int64)
        offsets = np.concatenate([[0], np.cumsum(counts)])
        flat = list(_flatten(rows))
        entries = [_entries(row, number, counts, offsets) for number, row in enumerate(flat)]
        lengths = [len(slots) for slots, _ in entries]
        return cls(
            counts,
            np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64),
            np.concatenate([np.zeros(0, np.int64), *(slots for slots, _ in entries)]),
            np.concatenate([np.zeros(0), *(values for _, values in entries)]),
            np.array([row.lower for row in flat], np.float64),
            np.array([row.upper for row in flat], np.float64),
            tuple(row.name or str(number) for number, row in enumerate(flat)),
        )

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.lower)

    @cached_property
    def offsets(self) -> Ints:
        """The first slot of each stage, and the number of slots."""
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    @cached_property
    def rows(self) -> Ints:
        """The row of each coefficient."""
        return np.repeat(np.arange(len(self)), np.diff(self.indptr))

    @cached_property
    def stages(self) -> Ints:
        """The stage of each coefficient."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)[self.slots]

    @cached_property
    def by_slot(self) -> tuple[Ints, Ints, Floats]:
        """The rows of each slot: where each slot's begin, the rows, and their coefficients."""
        order = np.argsort(self.slots, kind="stable")
        counts = np.bincount(self.slots, minlength=int(self.offsets[-1]))
        indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return indptr, self.rows[order], self.coefficients[order]

    @cached_property
    def whole(self) -> bool:
        """Whether all coefficients and finite bounds are whole numbers, small enough for exact sums."""
        numbers = np.concatenate([self.coefficients, self.lower, self.upper])
        finite = numbers[np.isfinite(numbers)]
        return bool((finite == np.rint(finite)).all() and np.abs(finite).max(initial=0.0) < 2.0**40)

    @cached_property
    def tolerance(self) -> Floats:
        """By how much the sum of each row may pass its bounds: 0 for whole numbers, else what rounding may cost."""
        if self.whole:
            return np.zeros(len(self))
        largest = np.zeros(len(self))
        np.maximum.at(largest, self.rows, np.abs(self.coefficients))
        for bound in (self.lower, self.upper):
            largest = np.maximum(largest, np.where(np.isfinite(bound), np.abs(bound), 0.0))
        return np.asarray(ROUNDING * largest)

    @cached_property
    def _extremes(self) -> tuple[Ints, Ints, Ints, Floats, Floats]:
        """What the stages of each row may add: where each stage's entries begin, rows, stages, the least, the most.

        The entries are sorted by stage. A candidate that the row does not name adds 0.
        """
        n = len(self.sizes)
        keys = self.rows * n + self.stages
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        rows, stages = np.divmod(keys[starts], n) if n else (keys[starts], keys[starts])
        counts = np.diff(starts, append=len(keys))
        least = np.minimum.reduceat(self.coefficients, starts) if len(starts) else np.zeros(0)
        most = np.maximum.reduceat(self.coefficients, starts) if len(starts) else np.zeros(0)
        partial = counts < self.sizes[stages]
        least, most = np.where(partial, np.minimum(least, 0.0), least), np.where(partial, np.maximum(most, 0.0), most)
        order = np.argsort(stages, kind="stable")
        begin = np.searchsorted(stages[order], np.arange(n + 1))
        return begin, rows[order], stages[order], least[order], most[order]

    @cached_property
    def ranges(self) -> tuple[Floats, Floats]:
        """The least and the largest sum that each row can have, whatever the other rows say."""
        _, rows, _, least, most = self._extremes
        low, high = (np.bincount(rows, added, len(self)).astype(np.float64) for added in (least, most))
        return low, high

    @cached_property
    def swing(self) -> Floats:
        """By how much the sum of each row can change, at most, if one stage does."""
        _, rows, _, least, most = self._extremes
        widest = np.zeros(len(self))
        np.maximum.at(widest, rows, most - least)
        return widest

    @cached_property
    def kinds(self) -> dict[str, int]:
        """How many rows there are of each kind, most frequent first: what they have in common decides between methods.

        A row that counts choices (all coefficients are 1) is a `cover` (at least one of them), a `cardinality` (exactly
        so many), `all different` (at most or exactly one choice of several stages), or a `count` (other bounds). Others
        are an `equality`, a `capacity` (coefficients and limit of one sign), or just `linear`.

        >>> Constraints.of([2, 2], [cover([(0, 1), (1, 1)]), all_different([0, 1], [2, 2])]).kinds
        {'all different': 2, 'cover': 1}
        """
        least, most = (np.full(len(self), end) for end in (np.inf, -np.inf))
        np.minimum.at(least, self.rows, self.coefficients)
        np.maximum.at(most, self.rows, self.coefficients)
        counts, equal = (least == 1.0) & (most == 1.0), self.lower == self.upper
        one = counts & (self.upper == 1.0) & ((self.lower <= 0.0) | equal)
        capacity = (np.isinf(self.lower) | np.isinf(self.upper)) & (least * most > 0.0)
        rules = {
            "all different": one & (np.diff(self.indptr) > 1),
            "cover": counts & (self.lower == 1.0) & np.isinf(self.upper),
            "cardinality": counts & equal,
            "count": counts,
            "equality": equal,
            "capacity": capacity,
        }
        names = np.select(list(rules.values()), list(rules), "linear")
        frequency = zip(*np.unique(names, return_counts=True), strict=True)
        return {str(name): int(number) for name, number in sorted(frequency, key=lambda pair: (-pair[1], pair[0]))}

    def impossible(self) -> str | None:
        """Return a sentence about the first row that no solution meets, by its range alone; None if there is none."""
        least, most = self.ranges
        wrong = np.flatnonzero((least > self.upper + self.tolerance) | (most < self.lower - self.tolerance))
        if not len(wrong):
            return None
        r = int(wrong[0])
        low = most[r] < self.lower[r]
        needed = f"at least {self.lower[r]:g}" if low else f"at most {self.upper[r]:g}"
        limit = f"at most {most[r]:g}" if low else f"at least {least[r]:g}"
        return (
            f"constraint '{self.names[r]}' cannot be met: its sum has to be {needed}, and is {limit} whatever is chosen"
        )

    def activities(self, X: Solutions) -> Floats:
        """Return the sum of each row (the columns) for some solutions; stages that are open (-1) count 0.

        Args:
            X: solutions, one per row.
        """
        indptr, rows, coefficients = self.by_slot
        solution, stage = np.nonzero(np.asarray(X) >= 0)
        slots = self.offsets[stage] + np.asarray(X)[solution, stage]
        places, counts = _ranges(indptr, slots)
        keys = np.repeat(solution, counts) * len(self) + rows[places]
        sums = np.bincount(keys, coefficients[places], len(X) * len(self))
        return np.asarray(sums.reshape(len(X), len(self)), np.float64)

    def violations(self, X: Solutions) -> Floats:
        """Return by how much each solution misses the bounds of each row: 0 where the row is met.

        Args:
            X: complete solutions, one per row.
        """
        sums = self.activities(X)
        amount = np.maximum(np.maximum(self.lower - sums, sums - self.upper), 0.0)
        return np.where(amount <= self.tolerance, 0.0, amount)

    def feasible(self, X: Solutions) -> Bools:
        """Return which solutions meet all rows.

        Args:
            X: complete solutions, one per row.
        """
        return np.asarray((self.violations(X) == 0.0).all(axis=1))

    def allowed(self, X: Solutions, stage: int) -> Bools:
        """Return, for each row of X, which candidates of a stage leave each constraint of that stage possible.

        A constraint is possible if its bounds overlap with what its sum can still be: every open stage may add the
        least or the most of its candidates, whatever the other constraints say.

        Args:
            X: solutions, one per row, with -1 at open stages.
            stage: the stage whose candidates are asked for.
        """
        rows, low, high = self._possible_sums(X, stage)
        allowed = np.ones((len(X), int(self.sizes[stage])), bool)
        if not len(rows):
            return allowed
        lower, upper = (self.lower - self.tolerance)[rows], (self.upper + self.tolerance)[rows]
        # The candidates that no row of the stage names add 0 to all of them.
        added = np.zeros((len(rows), allowed.shape[1]))
        begin, end = self.offsets[stage], self.offsets[stage + 1]
        indptr, slot_rows, coefficients = self.by_slot
        part = slice(int(indptr[begin]), int(indptr[end]))
        candidate = np.repeat(np.arange(end - begin), np.diff(indptr[begin : end + 1]))
        added[np.searchsorted(rows, slot_rows[part]), candidate] = coefficients[part]
        for r in range(len(rows)):
            allowed &= (low[:, r, None] + added[r] <= upper[r]) & (high[:, r, None] + added[r] >= lower[r])
        return allowed

    def _possible_sums(self, X: Solutions, stage: int) -> tuple[Ints, Floats, Floats]:
        """Return the rows of a stage, and the least and largest sums that all other stages allow each solution."""
        begin, group_rows, group_stages, least, most = self._extremes
        rows = np.sort(group_rows[begin[stage] : begin[stage + 1]])
        groups, place = self._groups_of(rows)
        stages = group_stages[groups]
        chosen = np.asarray(X)[:, stages]
        slots = self.offsets[stages] + np.maximum(chosen, 0)
        value = self._coefficients_at(np.repeat(rows, np.bincount(place, minlength=len(rows))), slots)
        elsewhere = stages != stage
        low = np.where(chosen >= 0, value, least[groups]) * elsewhere
        high = np.where(chosen >= 0, value, most[groups]) * elsewhere
        starts = np.searchsorted(place, np.arange(len(rows)))
        if not len(rows):
            return rows, np.zeros((len(X), 0)), np.zeros((len(X), 0))
        return rows, np.add.reduceat(low, starts, axis=1), np.add.reduceat(high, starts, axis=1)

    @cached_property
    def _groups_by_row(self) -> tuple[Ints, Ints]:
        rows = self._extremes[1]
        order = np.argsort(rows, kind="stable")
        return np.searchsorted(rows[order], np.arange(len(self) + 1)), order

    def _groups_of(self, rows: Ints) -> tuple[Ints, Ints]:
        """Return the entries of `_extremes` of some rows, and which of these rows each belongs to."""
        indptr, order = self._groups_by_row
        places, counts = _ranges(indptr, rows)
        return order[places], np.repeat(np.arange(len(rows)), counts)

    @cached_property
    def _keys(self) -> Ints:
        # Rows in order, slots in order within a row: these numbers increase.
        return self.rows * int(self.offsets[-1]) + self.slots

    def _coefficients_at(self, rows: Ints, slots: Ints) -> Floats:
        """Return the coefficients of slots (arrays of them) in rows, 0 where a row does not name the slot."""
        keys = rows * int(self.offsets[-1]) + slots
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[at] == keys, self.coefficients[at], 0.0)

    def restrict(self, stages: Ints, candidates: Ints, slots: Ints, sizes: Ints) -> Constraints:
        """Return the constraints on the stages that are left when some are fixed; bounds lose what these add.

        Args:
            stages: the fixed stages.
            candidates: the candidate of each.
            slots: the slots that are left, in increasing order.
            sizes: how many of them each stage that is left has.
        """
        x = np.full((1, len(self.sizes)), -1)
        x[0, stages] = candidates
        constant = self.activities(x)[0]
        place = np.searchsorted(slots, self.slots)
        kept = slots[np.minimum(place, len(slots) - 1)] == self.slots if len(slots) else np.zeros(len(self.slots), bool)
        counts = np.bincount(self.rows[kept], minlength=len(self))
        return Constraints(
            np.asarray(sizes, np.int64),
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            place[kept],
            self.coefficients[kept],
            self.lower - constant,
            self.upper - constant,
            self.names,
        )

    @property
    def arrays(self) -> tuple[Any, ...]:
        """What the constraints say, as arrays: a fingerprint is made of them."""
        return self.indptr, self.slots, self.coefficients, self.lower, self.upper


def _ranges(indptr: Ints, which: Ints) -> tuple[Ints, Ints]:
    """Return the places `indptr[i]` to `indptr[i + 1]` of some i one after another, and how many each i has."""
    counts = np.diff(indptr)[which]
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) + np.repeat(indptr[:-1][which] - ends + counts, counts), counts


def _flatten(rows: Rows) -> Iterable[Constraint]:
    for row in rows:
        if isinstance(row, Constraint):
            yield row
        elif isinstance(row, Iterable) and not isinstance(row, str):
            yield from _flatten(row)
        else:
            raise ProblemError(f"constraints are rows made by at_most, capacity or Constraint.of, got {row!r}")


def _called(name: str, number: int | None = None) -> str:
    return f"constraint '{name or number}'" if name or number is not None else "constraint"


def _entries(row: Constraint, number: int, sizes: Ints, offsets: Ints) -> tuple[Ints, Floats]:
    """Return the slots of a row in increasing order, each once, and their coefficients.

    Raises:
        ProblemError: the row names what the problem has not, or has no bounds.
    """
    name = _called(row.name, number)
    stages, candidates = np.asarray(row.stages, np.int64), np.asarray(row.candidates, np.int64)
    values = np.asarray(row.coefficients, np.float64)
    if not stages.shape == candidates.shape == values.shape or stages.ndim != 1:
        raise ProblemError(f"{name}: expected as many stages as candidates and coefficients")
    wrong = np.flatnonzero((stages < 0) | (stages >= len(sizes)))
    if len(wrong):
        raise ProblemError(f"{name}: there is no stage {stages[wrong[0]]}; stages are 0 to {len(sizes) - 1}")
    wrong = np.flatnonzero((candidates < 0) | (candidates >= sizes[stages]))
    if len(wrong):
        stage = stages[wrong[0]]
        raise ProblemError(
            f"{name}: stage {stage} has no candidate {candidates[wrong[0]]}; its candidates are 0 to {sizes[stage] - 1}"
        )
    if not np.isfinite(values).all():
        raise ProblemError(f"{name}: coefficients must be finite, got {values[~np.isfinite(values)][0]}")
    if not row.lower <= row.upper or row.lower == np.inf or row.upper == -np.inf:
        raise ProblemError(f"{name}: no sum is at least {row.lower:g} and at most {row.upper:g}")
    slots, place = np.unique(offsets[stages] + candidates, return_inverse=True)
    total = np.bincount(place.ravel(), values, len(slots)) if len(slots) else np.zeros(0)
    return slots[total != 0.0], total[total != 0.0]


def at_most(choices: Choices, bound: float, name: str = "") -> Constraint:
    """Return a row: at most so many of some choices are made.

    Args:
        choices: pairs of a stage and a candidate.
        bound: the largest number of them.
        name: what messages call the row.
    """
    return Constraint.of(choices, upper=bound, name=name)


def at_least(choices: Choices, bound: float, name: str = "") -> Constraint:
    """Return a row: at least so many of some choices are made.

    Args:
        choices: pairs of a stage and a candidate.
        bound: the least number of them.
        name: what messages call the row.
    """
    return Constraint.of(choices, lower=bound, name=name)


def exactly(choices: Choices, bound: float, name: str = "") -> Constraint:
    """Return a row: exactly so many of some choices are made.

    Args:
        choices: pairs of a stage and a candidate.
        bound: the number of them.
        name: what messages call the row.
    """
    return Constraint.of(choices, lower=bound, upper=bound, name=name)


def capacity(choices: Choices, weights: ArrayLike, limit: float, name: str = "") -> Constraint:
    """Return a row: the weights of the choices that are made sum to a limit at most.

    Args:
        choices: pairs of a stage and a candidate.
        weights: the weight of each choice, or one for all.
        limit: the largest sum.
        name: what messages call the row.
    """
    return Constraint.of(choices, weights, upper=limit, name=name)


def cover(choices: Choices, name: str = "") -> Constraint:
    """Return a row: at least one of some choices is made.

    Args:
        choices: pairs of a stage and a candidate.
        name: what messages call the row.
    """
    return at_least(choices, 1, name)


def all_different(stages: Iterable[int], sizes: Sequence[int] | Ints, name: str = "") -> list[Constraint]:
    """Return rows by which some stages take different candidates: each candidate at most once among them.

    Where there are as many candidates as stages each is taken exactly once, and the rows say so.

    Args:
        stages: the stages that must differ; the whole problem need not be `distinct`.
        sizes: the number of candidates at each stage of the problem.
        name: what messages call the rows, followed by the candidate.
    """
    group = np.asarray(list(stages), np.int64)
    counts = np.asarray(sizes, np.int64)
    if len(group) and not ((group >= 0) & (group < len(counts))).all():
        raise ProblemError(f"{_called(name)}: all_different names a stage beyond 0 to {len(counts) - 1}")
    most = int(counts[group].max(initial=0))
    lower = 1.0 if len(group) == most else -np.inf
    label = name or "all different"
    return [
        Constraint.of([(int(i), c) for i in group if c < counts[i]], 1.0, lower, 1.0, f"{label} {c}")
        for c in range(most)
    ]


def implies(choice: tuple[int, int], consequence: tuple[int, int], name: str = "") -> Constraint:
    """Return a row: if the first choice is made, so is the second.

    Args:
        choice: a stage and a candidate.
        consequence: a stage and a candidate.
        name: what messages call the row.
    """
    return Constraint.of([choice, consequence], [1.0, -1.0], upper=0.0, name=name)
