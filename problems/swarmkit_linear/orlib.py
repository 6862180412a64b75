"""Files of the OR-Library: set covering, multidimensional knapsacks, generalised assignment.

J.E. Beasley (1990). OR-Library: distributing test problems by electronic mail. J. of the Operational Research Society
41(11), 1069-1072. All are whole numbers one after another, whatever the line breaks.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from swarmkit import Floats, Ints, Numbers, UsageError, read_text

LARGEST = 1_000_000
"""The largest number of rows, columns, items or jobs."""

MOST = 50_000_000
"""The most entries of a table."""


Problem = TypeVar("Problem")


class Covering(NamedTuple):
    """Columns with costs, and the columns that cover each row: `columns[indptr[r]:indptr[r + 1]]`."""

    costs: Floats
    indptr: Ints
    columns: Ints


class Knapsacks(NamedTuple):
    """Profits of items, weights (a row for each capacity), capacities, and the best profit known."""

    profits: Floats
    weights: Floats
    capacities: Floats
    best: float | None = None


class Agents(NamedTuple):
    """Costs and loads of each job (columns) with each agent (rows), and the capacities of the agents."""

    costs: Floats
    loads: Floats
    capacities: Floats


def read_covering(path: str | Path) -> Covering:
    """Read a set covering problem: rows, columns, costs; for each row the number of its columns, and these from 1."""
    numbers = Numbers(
        path, "a set covering file of the OR-Library: rows and columns, costs, then the columns of each row"
    )
    rows = numbers.whole(1, LARGEST, "the number of rows")
    columns = numbers.whole(1, LARGEST, "the number of columns")
    costs = numbers.take(columns, "the costs")
    covering, lengths = [], []
    for row in range(1, rows + 1):
        count = numbers.whole(1, columns, f"the number of columns that cover row {row}")
        covering.append(np.unique(_numbered(numbers, count, columns, f"a column of row {row}")))
        lengths.append(len(covering[-1]))
    numbers.end(f"{rows:,} rows")
    return Covering(costs, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), np.concatenate(covering))


def read_knapsack(path: str | Path, number: int) -> Knapsacks:
    """Read one of the knapsack problems of a file, counted from 1.

    The file has their number; for each, items, capacities and the best profit (0: unknown), profits, a row of weights
    for each capacity, and the capacities.
    """
    numbers = Numbers(path, "knapsack problems of the OR-Library: their number, then items, capacities, best profit …")
    count = numbers.whole(1, LARGEST, "the number of problems")
    problems = []
    for at in range(1, count + 1):
        n = numbers.whole(1, LARGEST, f"the number of items of problem {at}")
        m = numbers.whole(1, MOST // n, f"the number of capacities of problem {at}")
        best = float(numbers.take(1, f"the best profit of problem {at}")[0])
        profits = numbers.take(n, f"the profits of problem {at}")
        weights = numbers.take(n * m, f"the weights of problem {at}").reshape(m, n)
        problems.append(Knapsacks(profits, weights, numbers.take(m, f"the capacities of problem {at}"), best or None))
    numbers.end(f"{count:,} problems")
    return _chosen(path, problems, number)


def read_agents(path: str | Path, number: int) -> Agents:
    """Read one of the assignment problems of a file, counted from 1.

    The file has their number, which may be missing if it is one; for each, agents and jobs, a row of costs and then a
    row of loads for each agent, and the capacities.
    """
    expected = "assignment problems of the OR-Library: their number, then agents, jobs, costs, loads, capacities"
    text = read_text(path, expected)
    numbers = Numbers(path, expected, text=text)
    # Files of one problem may leave the number of problems out: the count of words says so.
    count = 1 if _is_single(text) else numbers.whole(1, LARGEST, "the number of problems")
    problems = []
    for at in range(1, count + 1):
        m = numbers.whole(1, LARGEST, f"the number of agents of problem {at}")
        n = numbers.whole(1, MOST // m, f"the number of jobs of problem {at}")
        costs, loads = (numbers.take(m * n, f"the {of} of problem {at}").reshape(m, n) for of in ("costs", "loads"))
        problems.append(Agents(costs, loads, numbers.take(m, f"the capacities of problem {at}")))
    numbers.end(f"{count:,} problems")
    return _chosen(path, problems, number)


def _is_single(text: str) -> bool:
    words = text.split()
    if len(words) < 2 or not (words[0].isdecimal() and words[1].isdecimal()):
        return False
    m, n = int(words[0]), int(words[1])
    return len(words) == 2 + 2 * m * n + m


def _numbered(numbers: Numbers, count: int, highest: int, of: str) -> Ints:
    """Return the next numbers, from 1 in the file, as numbers from 0."""
    values = numbers.wholes(count, highest, of)
    if (values == 0).any():
        numbers.wrong_word(count - int(np.argmin(values)), f"0 as {of}; expected a whole number from 1 to {highest:,}")
    return values - 1


def _chosen(path: str | Path, problems: list[Problem], number: int) -> Problem:
    if number > len(problems):
        raise UsageError(f"{path} has {len(problems)} problems; number={number} is not one of them.")
    return problems[number - 1]
