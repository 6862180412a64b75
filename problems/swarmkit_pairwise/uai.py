"""The UAI competitions' format of Markov and Bayesian networks: the product of factors is maximised.

    MARKOV (or BAYES)
    n, then the number of values of each variable
    m, then for each factor its arity and variables
    for each factor the number of its entries, then the entries, the last variable changing fastest

Costs are minus the natural logarithms of the entries; an entry of 0 is a forbidden combination.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from swarmkit import Numbers, plain_name, quoted
from swarmkit_pairwise.network import LARGEST, MOST_ENTRIES, Network, Tables

EXPECTED = "a UAI file: MARKOV, the numbers of values of the variables, the factors' variables, then their tables"


def read_uai(path: str | Path) -> Network:
    """Read a network in the UAI format, with factors of at most two variables."""
    numbers = Numbers(path, EXPECTED)
    kind = numbers.word("the kind of network")
    if kind.upper() not in ("MARKOV", "BAYES"):
        numbers.wrong(f"{quoted(kind)}; expected {EXPECTED}")
    n = numbers.whole(1, LARGEST, "the number of variables")
    sizes = numbers.wholes(n, LARGEST, "the number of values of a variable")
    if not sizes.all():
        numbers.wrong(f"variable {int(np.argmin(sizes))} has no value; expected at least 1")
    if sizes.sum() > MOST_ENTRIES:
        numbers.wrong(f"more than {MOST_ENTRIES:,} values; expected fewer")
    m = numbers.whole(0, 1 << 40, "the number of factors")
    scopes = [_scope(numbers, number, n) for number in range(m)]
    tables = Tables(sizes)
    for number, scope in enumerate(scopes):
        entries = int(np.prod(sizes[list(scope)]))
        stated = numbers.whole(0, 1 << 40, f"the number of entries of factor {number}")
        if stated != entries:
            numbers.wrong(f"{stated:,} entries of factor {number}; expected {entries:,}, as its variables have")
        values = numbers.take(entries, f"factor {number}")
        if values.min() < 0:
            numbers.wrong_word(entries - int(np.argmax(values < 0)), f"{values.min():g}; expected no negative number")
        with np.errstate(divide="ignore"):
            tables.add(scope, 0.0 - np.log(values))
    numbers.end(f"{m:,} factors")
    made = tables.network(plain_name(path).stem, f"{kind.upper()} network")
    return made._replace(negated=True, measure="log of the product", violation="zeros")


def _scope(numbers: Numbers, number: int, n: int) -> tuple[int, ...]:
    """Return the variables of a factor."""
    arity = float(numbers.take(1, f"the arity of factor {number}")[0])
    if arity not in (0, 1, 2):
        numbers.wrong(f"factor {number} has the arity {arity:g}; expected 0, 1 or 2: only pairwise problems are read")
    scope = tuple(numbers.wholes(int(arity), n - 1, f"a variable of factor {number}").tolist())
    if len(set(scope)) < len(scope):
        numbers.wrong(f"factor {number} has variable {scope[0]} twice; expected different ones")
    return scope
