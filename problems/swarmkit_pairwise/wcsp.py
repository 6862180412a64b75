"""toulbar2's WCSP format: cost functions as lists of tuples.

    name n largest-domain m upper-bound
    the size of each domain
    for each function: arity, its variables, default cost, number of tuples, then the tuples, each with its cost

Total costs of at least the upper bound are forbidden. Variables and values are numbered from 0.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from swarmkit import Floats, Numbers, plain_name, quoted
from swarmkit_pairwise.network import LARGEST, MOST_ENTRIES, Network, Tables, apply_bound, read_scope, read_sizes

EXPECTED = "a WCSP: 'name n domain m bound', the sizes of n domains, then m cost functions"


def read_wcsp(path: str | Path) -> Network:
    """Read a file in the WCSP format, with functions of at most two variables."""
    numbers = Numbers(path, EXPECTED)
    name = numbers.word("the name")
    n = numbers.whole(1, LARGEST, "the number of variables")
    largest = numbers.whole(1, LARGEST, "the size of the largest domain")
    m = numbers.whole(0, 1 << 40, "the number of functions")
    bound = float(numbers.take(1, "the upper bound")[0])
    sizes = read_sizes(numbers, n, largest, "the size of a domain")
    tables = Tables(sizes)
    entries = 0
    for number in range(m):
        scope = read_scope(numbers, f"function {number}", n)
        entries += int(np.prod(sizes[list(scope)])) if len(scope) == 2 else 0
        if entries > MOST_ENTRIES:
            numbers.wrong(f"function {number} needs more than {MOST_ENTRIES:,} entries with those before it")
        tables.add(scope, _costs(numbers, number, scope, tables))
    numbers.end(f"{m:,} functions")
    return apply_bound(tables.network(plain_name(path).stem, f"WCSP {name}"), bound)


def _costs(numbers: Numbers, number: int, scope: tuple[int, ...], tables: Tables) -> Floats:
    """Return the costs of all combinations of a function's variables; those that are not listed have the default."""
    default = float(numbers.take(1, f"the default cost of function {number}")[0])
    if default == -1:  # as toulbar2 marks a function that is named instead of listed
        rule = quoted(numbers.word("the name of a rule"))
        numbers.wrong(f"function {number} is given by a rule, {rule}; expected a list of tuples with their costs")
    count = numbers.whole(0, 1 << 40, f"the number of tuples of function {number}")
    sizes, width = tables.sizes[list(scope)], len(scope) + 1
    rows = numbers.take(count * width, f"the tuples of function {number}").reshape(count, width)
    values = rows[:, :-1]
    invalid = np.flatnonzero(((values != np.floor(values)) | (values < 0) | (values >= sizes)).any(axis=1))
    if len(invalid):
        words = " ".join(f"{value:g}" for value in values[invalid[0]])
        highest = " ".join(str(size - 1) for size in sizes)
        numbers.wrong_word(rows.size - int(invalid[0]) * width, f"the tuple {words}; expected at most {highest}")
    costs = np.full(int(np.prod(sizes)), default)
    if len(scope):
        # If a tuple is listed twice, the last one counts.
        costs[np.ravel_multi_index(tuple(values.astype(np.int64).T), tuple(sizes.tolist()))] = rows[:, -1]
    return costs
