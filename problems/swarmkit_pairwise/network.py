"""Cost networks: variables, a constant, costs of single values and tables of costs between pairs of variables."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from swarmkit import Floats, Ints, Numbers, Pairwise

LARGEST = 1_000_000
"""The largest number of variables, and of values of one of them."""

MOST_ENTRIES = 100_000_000
"""The largest number of entries of all tables, and of values of all variables: 800 MB."""


class Network(NamedTuple):
    """A problem that was read: costs to minimise, in which forbidden combinations are infinite."""

    name: str
    kind: str
    """What it is, for people: 'WCSP'."""
    sizes: Ints
    """The number of values of each variable."""
    unary: Floats
    """The cost of each value of each variable, variable after variable."""
    edges: Ints
    """The two variables of each table."""
    starts: Ints
    weights: Floats
    flat: Floats
    """The tables, row after row; the cost of edge e is weights[e] times an entry of the table at starts[e]."""
    constant: float = 0.0
    negated: bool = False
    """Whether the file states values to maximise, of which these costs are the negatives."""
    measure: str = "cost"
    """What the total is called in the field."""
    violation: str = "violated"
    """What a forbidden combination in a solution is called."""
    variables: tuple[str, ...] = ()
    """The names of the variables; numbered from 0 if there are none."""
    values: tuple[tuple[str, ...], ...] = ()
    """The names of the values of each variable, or of all variables; numbered from 0 if there are none."""
    bound: float = math.inf
    """Total costs from here on are forbidden."""

    @property
    def forbidden(self) -> int:
        """The number of entries that are infinite."""
        return int(np.isinf(self.unary).sum() + np.isinf(self.flat).sum())


@dataclass
class Tables:
    """Collects functions of at most two variables; those of the same variables are added up.

    Args:
        sizes: the number of values of each variable.
    """

    sizes: Ints
    constant: float = 0.0
    unary: Floats = field(init=False)
    tables: dict[tuple[int, int], Floats] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.offsets = np.concatenate([[0], np.cumsum(self.sizes)])
        self.unary = np.zeros(int(self.offsets[-1]))

    def add(self, scope: tuple[int, ...], costs: Floats) -> None:
        """Add the costs of all combinations of values of the variables in `scope`, the last one changing fastest."""
        if len(scope) == 0:
            self.constant += float(costs[0])
        elif len(scope) == 1:
            self.unary[self.offsets[scope[0]] : self.offsets[scope[0] + 1]] += costs
        else:
            i, j = scope
            # One table for each pair, whichever of the two variables a function names first.
            table = costs.reshape(self.sizes[i], self.sizes[j])
            key, table = ((i, j), table) if i < j else ((j, i), table.T)
            self.tables[key] = self.tables[key] + table if key in self.tables else np.array(table)

    def network(self, name: str, kind: str) -> Network:
        """Return the network of all functions that were added."""
        edges = np.array(list(self.tables), np.int64).reshape(-1, 2)
        lengths = self.sizes[edges[:, 0]] * self.sizes[edges[:, 1]]
        flat = np.concatenate([np.empty(0), *(table.ravel() for table in self.tables.values())])
        starts, weights = np.cumsum(lengths) - lengths, np.ones(len(edges))
        return Network(name, kind, self.sizes, self.unary, edges, starts, weights, flat, self.constant)


def apply_bound(network: Network, bound: float) -> Network:
    """Return a network in which what cannot be part of a total cost below a bound is forbidden.

    An entry is forbidden if it reaches the bound together with the least of all other tables. If no total can be below
    the bound, nothing is.
    """
    parts = [part for group in _parts(network) for part in group]
    least = [float(part.min()) for part in parts]
    total = network.constant + sum(least)  # the least that is possible, if all tables could have their minimum
    if total < bound < np.inf:
        for part, smallest in zip(parts, least, strict=True):
            part[part - smallest + total >= bound] = np.inf
    return network._replace(bound=bound)


def read_sizes(numbers: Numbers, n: int, highest: int, size_name: str) -> Ints:
    """Return the numbers of values of n variables, each from 1 to `highest`; `size_name` is one of them in errors."""
    sizes = numbers.wholes(n, highest, size_name)
    if not sizes.all():
        numbers.wrong(f"the domain of variable {int(np.argmin(sizes))} is empty; expected at least 1 value")
    if sizes.sum() > MOST_ENTRIES:
        numbers.wrong(f"more than {MOST_ENTRIES:,} values; expected fewer")
    return sizes


def read_scope(numbers: Numbers, owner: str, n: int) -> tuple[int, ...]:
    """Return the variables of a function or factor: their number, 0 to 2, then each of them, all different.

    Args:
        numbers: the numbers of the file, at the arity.
        owner: the function, for messages: `factor 3`.
        n: the number of variables.
    """
    arity = float(numbers.take(1, f"the arity of {owner}")[0])
    if arity not in (0, 1, 2):
        numbers.wrong(f"{owner} has the arity {arity:g}; expected 0, 1 or 2: only pairwise problems are read")
    scope = tuple(numbers.wholes(int(arity), n - 1, f"a variable of {owner}").tolist())
    if len(set(scope)) < len(scope):
        numbers.wrong(f"{owner} has variable {scope[0]} twice; expected different ones")
    return scope


def hard_penalty(network: Network) -> float:
    """Return a finite cost that stands for infinite ones: a solution that pays it is worse than any that does not.

    It is 1 more than the sum of all tables' ranges, so no sum of finite costs makes up for it; if no cost is negative
    and the file states a smaller bound on total costs, it is this bound.
    """
    stages, tables = _parts(network)
    finite = [costs for part in (*tables, *stages) if len(costs := part[np.isfinite(part)])]
    ranges = sum((float(costs.max() - costs.min()) for costs in finite), 0.0) + 1.0
    positive = all(costs.min() >= 0 for costs in finite) and network.constant >= 0
    return min(ranges, network.bound) if positive else ranges


def _parts(network: Network) -> tuple[list[Floats], list[Floats]]:
    """Return views of the costs of each variable, and of each table."""
    ends = np.cumsum(network.sizes).tolist()
    stages = [network.unary[begin:end] for begin, end in itertools.pairwise([0, *ends])]
    lengths = network.sizes[network.edges[:, 0]] * network.sizes[network.edges[:, 1]]
    places = zip(network.starts.tolist(), (network.starts + lengths).tolist(), strict=True)
    return stages, [network.flat[begin:end] for begin, end in places]


def form_of(network: Network) -> Pairwise:
    """Return the network as tables: of costs, or of their negatives where the file states values to maximise.

    The constant is part of the values of the first variable. An infinite cost becomes the smallest finite one of its
    table plus `hard_penalty`.
    """
    if network.forbidden:
        hard = hard_penalty(network)
        network = network._replace(unary=network.unary.copy(), flat=network.flat.copy())
        for part in itertools.chain(*_parts(network)):
            infinite = np.isinf(part)
            part[infinite] = hard + part[~infinite].min(initial=0.0 if infinite.all() else np.inf)
    sign = -1.0 if network.negated else 1.0
    unary = sign * network.unary
    unary[: network.sizes[0]] += sign * network.constant
    # Adding 0.0 makes -0.0 a plain 0.
    weights = sign * network.weights
    return Pairwise(network.sizes, unary + 0.0, network.edges, network.starts, weights, network.flat)
