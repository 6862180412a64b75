"""Problems with linear constraints as programs of 0-1 columns: the slots, and the products of pairs of slots.

A stage of two candidates is one column, 1 for the second; a stage of more has a column for each, which sum to 1. The
table of an edge between two-valued stages is a product of two columns; any other has a column for each entry, whose
sums over a stage are the columns of the other stage (the local polytope).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from swarmkit import Constraints, Floats, Ints, Pairwise, Problem

MOST_PAIRS = 20_000
"""The most entries of tables that are made columns: the relaxations of larger problems say nothing in time."""

Terms = dict[int, float]
"""Coefficients of columns."""


@dataclass
class Linearisation:
    """A program to minimise: costs, rows `lower <= coefficients · columns <= upper`, and which columns are integral."""

    sizes: Ints
    costs: list[float] = field(default_factory=list)
    integral: list[int] = field(default_factory=list)
    constant: float = 0.0
    indptr: list[int] = field(default_factory=lambda: [0])
    columns: list[int] = field(default_factory=list)
    coefficients: list[float] = field(default_factory=list)
    lower: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)
    column_of: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    """The column of each slot; -1 where the stage has no other candidate."""
    sign: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    """1 where a slot is its column, -1 where it is 1 minus its column, 0 where it is 1."""
    whole: bool = False
    """Whether all costs are whole numbers."""

    @property
    def plain(self) -> dict[str, Any]:
        """The program as lists."""
        names = ("costs", "integral", "indptr", "columns", "coefficients", "lower", "upper")
        return {name: getattr(self, name) for name in names}

    @property
    def entries(self) -> int:
        """The number of coefficients."""
        return len(self.costs) + len(self.columns)

    def solution(self, answer: list[int]) -> Ints:
        """Return a solution of the problem: of each stage the slot whose column is 1, else the first."""
        chosen = np.append(np.array(answer), 0)[self.column_of] * (self.sign > 0)
        offsets = np.cumsum(self.sizes) - self.sizes
        x = np.zeros(len(self.sizes), np.int64)
        slots = np.flatnonzero(chosen == 1)
        stages = np.searchsorted(offsets, slots, side="right") - 1
        x[stages] = slots - offsets[stages]
        return x

    def bound(self, answer: float) -> float:
        """Return a bound on the cost as one on the score: of whole costs the next whole number."""
        bound = self.constant - answer
        return float(np.floor(bound + 1e-6 * max(1.0, abs(bound)) ** 0.5)) if self.whole else bound

    def add_column(self, cost: float = 0.0, integral: bool = True) -> int:
        """Return a new column."""
        self.costs.append(cost)
        self.integral.append(int(integral))
        return len(self.costs) - 1

    def add_row(self, terms: Terms, lower: float = -np.inf, upper: float = np.inf) -> None:
        """Add a row."""
        self.columns.extend(terms)
        self.coefficients.extend(terms.values())
        self.indptr.append(len(self.columns))
        self.lower.append(float(lower))
        self.upper.append(float(upper))


def linearise(problem: Problem) -> Linearisation:
    """Return a problem with tables, whose score is maximised, as a program of minimal cost."""
    form = problem.structure.pairwise
    assert form is not None  # noqa: S101  (others are refused)
    program = Linearisation(form.sizes)
    _add_slots(program, form)
    if problem.structure.distinct:
        for candidate in range(int(form.sizes[0])):
            slots = form.offsets[:-1] + candidate
            _add_sum(program, slots, np.ones(len(slots)), -np.inf, 1.0)
    rows = problem.structure.linear
    if rows is not None:
        _add_rows(program, rows)
    for k in range(len(form.edges)):
        _add_edge(program, form, k)
    numbers = np.array([*program.costs, program.constant])
    program.whole = bool((numbers == np.rint(numbers)).all() and np.abs(numbers).sum() < 2.0**50)
    return program


def pair_entries(form: Pairwise) -> int:
    """Return the number of entries of all edges' tables."""
    return int((form.sizes[form.edges[:, 0]] * form.sizes[form.edges[:, 1]]).sum())


def _add_slots(program: Linearisation, form: Pairwise) -> None:
    """Add the columns of all slots, and rows by which those of a stage sum to 1."""
    program.column_of, program.sign = np.full(len(form.unary), -1), np.zeros(len(form.unary), np.int64)
    for stage, size in enumerate(form.sizes.tolist()):
        part = slice(int(form.offsets[stage]), int(form.offsets[stage + 1]))
        values = form.unary[part]
        if size <= 2:
            program.constant += float(values[0])
        if size == 2:
            program.column_of[part] = program.add_column(float(values[0] - values[1]))
            program.sign[part] = -1, 1
        elif size > 2:
            columns = [program.add_column(-float(value)) for value in values]
            program.column_of[part], program.sign[part] = columns, 1
            program.add_row(dict.fromkeys(columns, 1.0), 1.0, 1.0)


def _terms(program: Linearisation, slots: Ints, values: Floats) -> tuple[Terms, float]:
    """Return a sum over slots as a sum over columns and a constant."""
    terms: Terms = {}
    columns, signed = program.column_of[slots], values * program.sign[slots]
    for column, value in zip(columns.tolist(), signed.tolist(), strict=True):
        if column >= 0:
            terms[column] = terms.get(column, 0.0) + value
    return terms, float(values[program.sign[slots] <= 0].sum())


def _add_sum(program: Linearisation, slots: Ints, values: Floats, lower: float, upper: float) -> None:
    terms, constant = _terms(program, slots, values)
    program.add_row(terms, lower - constant, upper - constant)


def _add_rows(program: Linearisation, rows: Constraints) -> None:
    for row in range(len(rows)):
        part = slice(int(rows.indptr[row]), int(rows.indptr[row + 1]))
        lower, upper = float(rows.lower[row]), float(rows.upper[row])
        _add_sum(program, rows.slots[part], rows.coefficients[part], lower, upper)


def _add_edge(program: Linearisation, form: Pairwise, k: int) -> None:
    """Add the table of an edge, by products of columns or by a column for each entry."""
    i, j = form.edges[k].tolist()
    m, n = int(form.sizes[i]), int(form.sizes[j])
    start = int(form.starts[k])
    table = form.weights[k] * form.flat[start : start + m * n].reshape(m, n)
    first, second = int(form.offsets[i]), int(form.offsets[j])
    if m == n == 2:
        _add_product(program, int(program.column_of[first + 1]), int(program.column_of[second + 1]), table)
        return
    entries = np.array([[program.add_column(-float(value), integral=False) for value in row] for row in table])
    for candidate in range(m):
        _link(program, entries[candidate], np.array([first + candidate]))
    for candidate in range(n):
        _link(program, entries[:, candidate], np.array([second + candidate]))


def _link(program: Linearisation, entries: Ints, slot: Ints) -> None:
    """Add a row: some entries sum to what their slot is."""
    terms, constant = _terms(program, slot, -np.ones(1))
    program.add_row(dict.fromkeys(entries.tolist(), 1.0) | terms, -constant, -constant)


def _add_product(program: Linearisation, a: int, b: int, table: Floats) -> None:
    """Add a table of two columns: linear terms, and a product that is bounded from the side that its cost pulls to."""
    program.constant += float(table[0, 0])
    program.costs[a] -= float(table[1, 0] - table[0, 0])
    program.costs[b] -= float(table[0, 1] - table[0, 0])
    weight = float(table[1, 1] - table[1, 0] - table[0, 1] + table[0, 0])
    if weight > 0.0:
        product = program.add_column(-weight, integral=False)
        program.add_row({product: 1.0, a: -1.0}, upper=0.0)
        program.add_row({product: 1.0, b: -1.0}, upper=0.0)
    elif weight < 0.0:
        product = program.add_column(-weight, integral=False)
        program.add_row({product: 1.0, a: -1.0, b: -1.0}, lower=-1.0)
