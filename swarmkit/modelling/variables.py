"""Variables of a model: arrays of choices, subsets and sequences, with the names of their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from swarmkit.contract.arrays import Ints, Solutions
from swarmkit.contract.errors import ProblemError
from swarmkit.modelling.expression import Expression
from swarmkit.modelling.terms import Lookups, Terms, check_finite


class Choices:
    """An array of choices, each of one of the same values.

    `x == value` is 1 where a choice takes the value and 0 elsewhere; `x == y` compares the choices of two arrays.
    Indices work as those of numpy.
    """

    __array_ufunc__ = None  # numpy's arrays leave operators to this class

    def __init__(self, terms: Terms, stages: Ints, values: Sequence[Any], name: str) -> None:
        self._terms, self.stages, self.name = terms, stages, name
        self.options = tuple(values)
        self._numbers = {value: number for number, value in enumerate(self.options)}
        if len(self._numbers) < len(self.options):
            raise ProblemError(f"{name}: two of its values are equal; expected different ones")

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array."""
        return self.stages.shape

    def __len__(self) -> int:
        """Return the length of the first axis."""
        return len(self.stages)

    def __iter__(self) -> Iterator[Choices]:
        return (self[at] for at in range(len(self)))

    def __getitem__(self, key: Any) -> Choices:
        """Return some of the choices, as an array's elements."""
        return Choices(self._terms, np.asarray(self.stages[key]), self.options, self.name)

    def __eq__(self, other: Any) -> Expression:  # type: ignore[override]  # a term
        if isinstance(other, Choices):
            if other.options != self.options:
                raise ProblemError(f"'{self.name}' and '{other.name}' have different values: they cannot be compared")
            return self.lookup(np.eye(len(self.options)), other)
        numbers = self._number(other)
        stages, numbers = np.broadcast_arrays(self.stages, numbers)
        return Expression.of_terms(self._terms, self._terms.slots[self._terms.offsets[stages] + numbers])

    def __ne__(self, other: Any) -> Expression:  # type: ignore[override]  # a term
        return -self.__eq__(other) + 1.0

    def lookup(self, table: ArrayLike, other: Choices | None = None) -> Expression:
        """Return what a table says of each choice, or of each pair of choices.

        Args:
            table: a number for each value, in the last axis, the same for all choices or one row for each; beside
                other choices, a row for each value and in it a number for each of the other's values.
            other: choices of the same shape.
        """
        numbers, m = np.asarray(table, np.float64), len(self.options)
        check_finite(numbers, f"a table of '{self.name}'")
        if other is None:
            try:
                numbers = np.broadcast_to(numbers, (*self.shape, m))
            except ValueError:
                raise ProblemError(
                    f"a table of {numbers.shape} for '{self.name}': expected {m} numbers, or {(*self.shape, m)}"
                ) from None
            slots = self._terms.offsets[self.stages][..., None] + np.arange(m)
            return Expression.of_terms(self._terms, self._terms.slots[slots], numbers).sum(axis=-1)
        if numbers.shape != (m, len(other.options)):
            raise ProblemError(
                f"a table of {numbers.shape} for '{self.name}' and '{other.name}': expected {(m, len(other.options))}, "
                "a row for each value"
            )
        a, b = np.broadcast_arrays(self.stages, other.stages)
        first = self._terms.reserve(a.size)
        self._terms.lookups.append(Lookups(first, a.ravel(), b.ravel(), numbers))
        return Expression.of_terms(self._terms, first + np.arange(a.size).reshape(a.shape))

    def read(self, solution: Solutions | Sequence[int]) -> Any:
        """Return the values that a solution chooses, as a list (of lists, where the array has more axes)."""
        chosen = np.asarray(solution)[self.stages]
        values = np.empty(len(self.options), object)
        values[:] = self.options
        return values[chosen].tolist() if chosen.shape else values[int(chosen)]

    def describe(self, x: Solutions) -> list[Mapping[str, Any]]:
        """Return a row for each choice of a solution."""
        rows: list[Mapping[str, Any]] = []
        for place in np.ndindex(self.shape):
            label = f"{self.name}[{', '.join(map(str, place))}]"
            rows.append({"variable": label, "value": self.options[x[self.stages[place]]]})
        return rows

    def _number(self, value: Any) -> Ints:
        """Return the number of a value, or of each of an array of values."""
        values = np.asarray(value, object) if isinstance(value, list | np.ndarray | range) else None
        try:
            if values is None:
                return np.asarray(self._numbers[value])
            return np.array([self._numbers[each] for each in values.ravel()], np.int64).reshape(values.shape)
        except (KeyError, TypeError) as error:
            some = ", ".join(map(repr, self.options[:5])) + (", …" if len(self.options) > 5 else "")
            wrong = error.args[0] if isinstance(error, KeyError) else value
            raise ProblemError(f"'{self.name}' has no value {wrong!r}; its values are {some}") from None


class Subset(Expression):
    """A subset of some items: 1 for each item that is in it and 0 for each other one, as an array."""

    def __init__(self, terms: Terms, stages: Ints, items: Sequence[Any], name: str) -> None:
        whole = Expression.of_terms(terms, terms.slots[terms.offsets[stages] + 1])
        super().__init__(terms, whole._rows, whole.shape)
        self.stages, self.items, self.name = stages, tuple(items), name

    def read(self, solution: Solutions | Sequence[int]) -> list[Any]:
        """Return the items that a solution has in the subset."""
        chosen = np.asarray(solution)[self.stages]
        return [item for item, inside in zip(self.items, chosen, strict=True) if inside]

    def describe(self, x: Solutions) -> list[Mapping[str, Any]]:
        """Return a row for each item in the subset."""
        return [{"variable": self.name, "value": item} for item in self.read(x)]
