"""The problem `pairwise`: a cost network that was read from a file of the field."""

from __future__ import annotations

import warnings
from pkgutil import resolve_name
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from swarmkit import FileName, PairwiseProblem, Settings, UsageError, View, plain_name
from swarmkit_pairwise.network import Network, form_of

Format = Literal["uai", "wcsp", "cfn", "coo", "qubo", "json"]
Vartype = Literal["BINARY", "SPIN"]

READERS = {
    "uai": "swarmkit_pairwise.uai:read_uai",
    "wcsp": "swarmkit_pairwise.wcsp:read_wcsp",
    "cfn": "swarmkit_pairwise.cfn:read_cfn",
    "coo": "swarmkit_pairwise.bqm:read_coo",
    "qubo": "swarmkit_pairwise.bqm:read_coo",
    "json": "swarmkit_pairwise.bqm:read_json",
}
"""The function that reads each format."""

PROVED_OPTIMA = {("CELAR6-SUB0", 16): 159.0}
"""Proved optima of published problems, by name and number of variables."""


class PairwiseOptions(Settings):
    """A file, and how it is read."""

    file: FileName
    """A UAI network (.uai), toulbar2's WCSP or CFN (.wcsp, .cfn), or a binary quadratic model in dimod's COO (.coo,
    .qubo) or JSON (.json); compressed (.gz, .xz) or not."""
    format: Format | None = None
    """The format of the file; by default its suffix says it."""
    vartype: Vartype | None = None
    """The values of the variables of a COO file, 0 and 1 or -1 and +1; by default its header says it, else BINARY."""
    optimum: float | None = None
    """The best value that is possible: a cost, or a score to maximise; by default the proved one of a known problem."""


class CostNetwork(PairwiseProblem):
    """Choose a value for each variable: stages are variables, candidates values; the sum of all costs is minimised.

    Where a file states what is to be maximised (UAI networks), the score is the negative of that sum.
    """

    Options = PairwiseOptions
    reference = "S. de Givry et al. (2005). Existential arc consistency. IJCAI-05, 84-89 (toulbar2 and its formats)."

    def __init__(self, network: Network, optimum: float | None = None) -> None:
        self.network = network
        # Without infinite costs there is nothing to count, and no column for it.
        self.has_forbidden = network.forbidden > 0
        super().__init__(form_of(network))
        if not network.negated:
            self.direction, self.cost_name = "minimise", network.measure
        self.optimum = PROVED_OPTIMA.get((network.name, len(network.sizes))) if optimum is None else optimum

    @classmethod
    def build(cls, options: Any) -> Self:
        """Read the file."""
        return cls(_read(options), options.optimum)

    def view(self) -> View:
        """Return the caption."""
        network = self.network
        return View(f"{network.kind}: {len(network.sizes):,} variables, {len(network.edges):,} pairs")

    def describe(self, x: NDArray[Any]) -> list[dict[str, Any]]:
        """Return each variable with its value, by name where the file has names."""
        return [
            {"variable": self._variable(stage), "value": self._value(stage, int(value))}
            for stage, value in enumerate(x)
        ]

    def metrics(self, x: NDArray[Any]) -> dict[str, float]:
        """Return the total, named as in the field; if anything is forbidden, the number of violations beside it."""
        network = self.network
        metrics = {network.measure: float(self.form.score(x[None])[0])}
        if self.has_forbidden:
            metrics[network.violation] = float(self.count_violations(x))
        if self.optimum is not None:
            metrics["optimum"] = self.optimum
        return metrics

    def count_violations(self, x: NDArray[Any]) -> int:
        """Return the number of forbidden values and pairs of values in a solution."""
        network = self.network
        i, j = network.edges.T
        costs = network.unary[self.form.offsets[:-1] + x]
        pair_costs = network.flat[network.starts + x[i] * network.sizes[j] + x[j]]
        return int(np.isinf(costs).sum() + np.isinf(pair_costs).sum())

    def violated(self, x: NDArray[Any]) -> int:
        """Return the number of violations; deprecated: `count_violations(x)`."""
        warnings.warn("CostNetwork.violated is deprecated: call count_violations(x)", DeprecationWarning, stacklevel=2)
        return self.count_violations(x)

    def _variable(self, stage: int) -> str | int:
        return self.network.variables[stage] if self.network.variables else stage

    def _value(self, stage: int, value: int) -> str | int:
        names = self.network.values
        return value if not names else names[stage if len(names) > 1 else 0][value]


def _read(options: PairwiseOptions) -> Network:
    """Return the network in the file, which is read by the format's reader."""
    kind = options.format or plain_name(options.file).suffix.lower().removeprefix(".")
    if kind not in READERS:
        formats = ", ".join(f".{name}" for name in READERS)
        raise UsageError(f"{options.file}: its suffix is none of {formats}; expected one of them, or -P format=…")
    if options.vartype is not None and kind not in ("coo", "qubo"):
        raise UsageError("problem 'pairwise': 'vartype' goes with a COO file (.coo, .qubo)")
    arguments = {} if options.vartype is None else {"vartype": options.vartype}
    network: Network = resolve_name(READERS[kind])(options.file, **arguments)
    return network
