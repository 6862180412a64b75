"""The problem `pairwise`: a cost network that was read from a file of the field."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from swarmkit import FileName, PairwiseProblem, Settings, UsageError, View, plain_name
from swarmkit_pairwise.network import Network, form_of

Format = Literal["uai", "wcsp", "cfn", "coo", "qubo", "json"]
Vartype = Literal["BINARY", "SPIN"]

PROVED = {("CELAR6-SUB0", 16): 159.0}
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
        self.has_forbidden = network.forbidden > 0
        super().__init__(form_of(network))
        if not network.negated:
            self.direction, self.cost_name = "minimise", network.measure
        self.optimum = PROVED.get((network.name, len(network.sizes))) if optimum is None else optimum

    @classmethod
    def build(cls, options: Any) -> Self:
        """Read the file."""
        return cls(_reader(options)(options.file), options.optimum)

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
        found = {network.measure: float(self.form.score(x[None])[0])}
        if self.has_forbidden:
            found[network.violation] = float(self.violated(x))
        if self.optimum is not None:
            found["optimum"] = self.optimum
        return found

    def violated(self, x: NDArray[Any]) -> int:
        """Return the number of forbidden values and pairs of values in a solution."""
        network = self.network
        i, j = network.edges.T
        own = network.unary[self.form.offsets[:-1] + x]
        between = network.flat[network.starts + x[i] * network.sizes[j] + x[j]]
        return int(np.isinf(own).sum() + np.isinf(between).sum())

    def _variable(self, stage: int) -> str | int:
        return self.network.variables[stage] if self.network.variables else stage

    def _value(self, stage: int, value: int) -> str | int:
        names = self.network.values
        return value if not names else names[stage if len(names) > 1 else 0][value]


def _reader(options: PairwiseOptions) -> Callable[[str], Network]:
    """Return what reads the file's format."""
    chosen = options.format or plain_name(options.file).suffix.lower().removeprefix(".")
    if options.vartype is not None and chosen not in ("coo", "qubo"):
        raise UsageError("problem 'pairwise': 'vartype' goes with a COO file (.coo, .qubo)")
    if chosen == "uai":
        from swarmkit_pairwise.uai import read_uai

        return read_uai
    if chosen == "wcsp":
        from swarmkit_pairwise.wcsp import read_wcsp

        return read_wcsp
    if chosen == "cfn":
        from swarmkit_pairwise.cfn import read_cfn

        return read_cfn
    if chosen in ("coo", "qubo"):
        from swarmkit_pairwise.coo import read_coo

        return partial(read_coo, vartype=options.vartype)
    if chosen == "json":
        from swarmkit_pairwise.bqm_json import read_json

        return read_json
    known = ", ".join(f".{name}" for name in get_args(Format))
    raise UsageError(f"{options.file}: its suffix is none of {known}; expected one of them, or -P format=…")
