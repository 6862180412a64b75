"""Expressions: arrays of weighted sums of terms; comparisons of them are constraints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from swarmkit.contract.arrays import Floats, Ints
from swarmkit.contract.constraints import Constraint
from swarmkit.contract.errors import ProblemError
from swarmkit.modelling.terms import Products, Terms, check_finite


class Expression:
    """An array of sums; `+`, `-`, `*`, `@`, `sum` and indices work as those of numpy, with numbers and each other.

    A product of two sums is pairwise: it belongs into the objective. Comparing with `<=`, `>=` and `==` makes
    constraints for `Model.add`.
    """

    __array_ufunc__ = None  # numpy's arrays leave operators to this class

    def __init__(self, terms: Terms, rows: Any, shape: tuple[int, ...]) -> None:
        self._terms, self._rows, self.shape = terms, rows, shape

    @classmethod
    def of_terms(cls, terms: Terms, numbers: Ints, weights: ArrayLike = 1.0) -> Expression:
        """Return an array of terms with weights, in the shape of their numbers."""
        from scipy.sparse import csr_array  # it takes long to import

        size = numbers.size
        values = np.broadcast_to(np.asarray(weights, np.float64), numbers.shape).ravel()
        check_finite(values, "an expression")
        rows = csr_array((values, (np.arange(size), numbers.ravel())), shape=(size, terms.count))
        return Expression(terms, rows, numbers.shape)

    def __len__(self) -> int:
        """Return the length of the first axis."""
        if not self.shape:
            raise TypeError("an expression that is one sum has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Expression]:
        return (self[at] for at in range(len(self)))

    def __getitem__(self, key: Any) -> Expression:
        """Return elements, chosen as those of an array."""
        index = np.asarray(np.arange(int(np.prod(self.shape))).reshape(self.shape)[key])
        return self._gather(index)

    def sum(self, axis: int | tuple[int, ...] | None = None) -> Expression:
        """Return the sum of all elements, or of those along some axes."""
        from scipy.sparse import csr_array

        size = int(np.prod(self.shape))
        kept = np.sum(np.zeros(self.shape), axis=axis, keepdims=True).shape
        group = np.broadcast_to(np.arange(int(np.prod(kept))).reshape(kept), self.shape).ravel()
        adding = csr_array((np.ones(size), (group, np.arange(size))), shape=(int(np.prod(kept)), size))
        return Expression(self._terms, adding @ self._rows, np.sum(np.zeros(self.shape), axis=axis).shape)

    def __add__(self, other: Expression | ArrayLike) -> Expression:
        left, right = self._broadcast(other)
        return Expression(self._terms, left._aligned() + right._aligned(), left.shape)

    def __neg__(self) -> Expression:
        return Expression(self._terms, -self._rows, self.shape)

    def __sub__(self, other: Expression | ArrayLike) -> Expression:
        return self + (-(other if isinstance(other, Expression) else np.asarray(other)))

    def __rsub__(self, other: ArrayLike) -> Expression:
        return -self + other

    def __mul__(self, other: Expression | ArrayLike) -> Expression:
        left, right = self._broadcast(other)
        if isinstance(other, Expression):
            return left._times(right)
        return left._scaled(np.broadcast_to(np.asarray(other, np.float64), left.shape).ravel())

    def __truediv__(self, other: ArrayLike) -> Expression:
        return self * (1.0 / np.asarray(other, np.float64))

    __radd__ = __add__
    __rmul__ = __mul__

    def __matmul__(self, other: Expression | ArrayLike) -> Expression:
        if isinstance(other, Expression):
            return (self * other).sum()
        return self.__rmatmul__(np.asarray(other).T)

    def __rmatmul__(self, other: ArrayLike) -> Expression:
        from scipy.sparse import csr_array

        weights = np.asarray(other, np.float64)
        check_finite(weights, "a matrix")
        if len(self.shape) != 1 or weights.ndim not in (1, 2) or weights.shape[-1] != self.shape[0]:
            raise ProblemError(f"@ of shapes {weights.shape} and {self.shape}; expected (n,) or (k, n), and (n,)")
        rows = csr_array(np.atleast_2d(weights)) @ self._rows
        return Expression(self._terms, rows, weights.shape[:-1])

    def __le__(self, other: Expression | ArrayLike) -> Comparison:
        return Comparison(self - other, -np.inf, 0.0)

    def __ge__(self, other: Expression | ArrayLike) -> Comparison:
        return Comparison(self - other, 0.0, np.inf)

    def __eq__(self, other: Expression | ArrayLike) -> Comparison:  # type: ignore[override]  # a constraint
        return Comparison(self - other, 0.0, 0.0)

    def __ne__(self, other: object) -> NoReturn:
        raise ProblemError("sums cannot be compared with != : say <=, >= or ==, or compare choices")

    def __lt__(self, other: object) -> NoReturn:
        raise ProblemError("sums cannot be compared with < and > : say <= or >=")

    __gt__ = __lt__

    def __bool__(self) -> NoReturn:
        raise ProblemError("an expression is neither true nor false: its value depends on the solution")

    @property
    def weights(self) -> Floats:
        """The weight of each term in an expression that is one sum."""
        if self.shape:
            raise ProblemError(f"an objective is one number, got an array of {self.shape}: add it up (.sum())")
        return np.asarray(self._aligned().toarray()[0], np.float64)

    def _aligned(self) -> Any:
        """Return the rows over all terms there are by now."""
        self._rows.resize((self._rows.shape[0], self._terms.count))
        return self._rows

    def _gather(self, index: Ints) -> Expression:
        return Expression(self._terms, self._rows[index.ravel()], index.shape)

    def _scaled(self, factors: Floats) -> Expression:
        from scipy.sparse import diags_array

        check_finite(factors, "a factor")
        return Expression(self._terms, diags_array(factors).tocsr() @ self._rows, self.shape)

    def _broadcast(self, other: Expression | ArrayLike) -> tuple[Expression, Expression]:
        """Return both sides as expressions of one shape; numbers become multiples of the constant."""
        if not isinstance(other, Expression):
            try:
                values = np.asarray(other, np.float64)
            except (TypeError, ValueError):
                raise ProblemError(f"an expression with {other!r}: expected a number or an expression") from None
            other = Expression.of_terms(self._terms, np.zeros(values.shape, np.int64), values)
        if other._terms is not self._terms:
            raise ProblemError("an expression of two models: expected variables of one")
        try:
            shape = np.broadcast_shapes(self.shape, other.shape)
        except ValueError:
            raise ProblemError(f"arrays of {self.shape} and {other.shape} do not fit together") from None
        left, right = (
            side
            if side.shape == shape
            else side._gather(np.broadcast_to(np.arange(int(np.prod(side.shape))).reshape(side.shape), shape))
            for side in (self, other)
        )
        return left, right

    def _times(self, other: Expression) -> Expression:
        """Return the products of the elements of two expressions of one shape, each a sum of products of slots."""
        from scipy.sparse import csr_array

        left, right = self._aligned().tocsr(), other._aligned().tocsr()
        counts = np.diff(right.indptr)
        element = np.repeat(np.arange(left.shape[0]), np.diff(left.indptr))
        # Each entry of the left side meets all entries of the same row on the right.
        repeats = counts[element]
        a = np.repeat(np.arange(len(element)), repeats)
        ends = np.cumsum(repeats)
        b = np.arange(len(a)) + np.repeat(right.indptr[element] - ends + repeats, repeats)
        values, a, b, element = left.data[a] * right.data[b], left.indices[a], right.indices[b], element[a]
        slot_of = self._terms.slot_of
        linear = (a == 0) | (b == 0)
        if ((slot_of[a] < 0) & (a > 0)).any() or ((slot_of[b] < 0) & (b > 0)).any():
            raise ProblemError("a product of more than two choices: expected a product of two sums; see Model.term")
        both = ~linear
        first = self._terms.reserve(int(both.sum()))
        self._terms.products.append(Products(first, slot_of[a[both]], slot_of[b[both]]))
        columns = np.maximum(a, b)  # with the constant, number 0: the other one
        columns[both] = first + np.arange(both.sum())
        rows = csr_array((values, (element, columns)), shape=(left.shape[0], self._terms.count))
        return Expression(self._terms, rows, self.shape)


class Comparison:
    """Constraints that have not been added to a model: each element of an expression within bounds."""

    def __init__(self, expression: Expression, lower: float, upper: float) -> None:
        self.expression, self.lower, self.upper = expression, lower, upper

    def __bool__(self) -> NoReturn:
        raise ProblemError(
            "a comparison of expressions is neither true nor false: pass it to Model.add; instead of a <= x <= b, "
            "add a <= x and x <= b"
        )

    def constraints(self, name: str) -> list[Constraint]:
        """Return a row for each element; with several elements their numbers follow the name."""
        terms, rows = self.expression._terms, self.expression._aligned()
        rows.sum_duplicates()
        slots = terms.slot_of
        stage_of, offsets = terms.stage_of, terms.offsets
        constraints = []
        for at, place in enumerate(np.ndindex(self.expression.shape)):
            part = slice(rows.indptr[at], rows.indptr[at + 1])
            columns, values = rows.indices[part], rows.data[part]
            constant = float(values[columns == 0].sum())
            chosen, values = slots[columns[columns > 0]], values[columns > 0]
            if (chosen < 0).any():
                raise ProblemError(
                    f"constraint '{name}' has products or functions of choices; expected a sum of weighted choices"
                )
            label = f"{name}[{', '.join(map(str, place))}]" if place else name
            stages = stage_of[chosen]
            lower, upper = self.lower - constant, self.upper - constant
            constraints.append(Constraint(stages, chosen - offsets[stages], values, lower, upper, label))
        return constraints
