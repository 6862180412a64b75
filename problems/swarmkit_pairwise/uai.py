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
from swarmkit_pairwise.network import LARGEST, Network, Tables, read_scope, read_sizes

EXPECTED = "a UAI file: MARKOV, the numbers of values of the variables, the factors' variables, then their tables"


def read_uai(path: str | Path) -> Network:
    """Read a network in the UAI format, with factors of at most two variables."""
    numbers = Numbers(path, EXPECTED)
    kind = numbers.word("the kind of network")
    if kind.upper() not in ("MARKOV", "BAYES"):
        numbers.wrong(f"{quoted(kind)}; expected {EXPECTED}")
    n = numbers.whole(1, LARGEST, "the number of variables")
    sizes = read_sizes(numbers, n, LARGEST, "the number of values of a variable")
    m = numbers.whole(0, 1 << 40, "the number of factors")
    scopes = [read_scope(numbers, f"factor {number}", n) for number in range(m)]
    tables = Tables(sizes)
    for number, scope in enumerate(scopes):
        entries = int(np.prod(sizes[list(scope)]))
        count = numbers.whole(0, 1 << 40, f"the number of entries of factor {number}")
        if count != entries:
            numbers.wrong(f"{count:,} entries of factor {number}; expected {entries:,}, as its variables have")
        values = numbers.take(entries, f"factor {number}")
        if values.min() < 0:
            numbers.wrong_word(entries - int(np.argmax(values < 0)), f"{values.min():g}; expected no negative number")
        with np.errstate(divide="ignore"):  # the logarithm of 0 is the infinite cost of what is forbidden
            tables.add(scope, 0.0 - np.log(values))
    numbers.end(f"{m:,} factors")
    network = tables.network(plain_name(path).stem, f"{kind.upper()} network")
    return network._replace(negated=True, measure="log of the product", violation="zeros")
