"""Families of drawn instances, to tune on and to check on, and the solvers with the families that they serve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from swarmkit.tuning import Instance


class Family(NamedTuple):
    """A kind of problem: two sizes or layouts to tune on, and a third that only the check has."""

    problem: str
    known: Sequence[Mapping[str, Any]]
    unseen: Mapping[str, Any]
    draw: str = "seed"
    """The option that makes instances differ."""
    smallest: int = 0
    """What is added to the numbers of the instances to get its values."""

    def training(self, draws: int) -> list[Instance]:
        """Return two instances of each known kind, or `draws` times as many."""
        return [self._drawn(kind, seed) for kind in self.known for seed in range(1, 1 + 2 * draws)]

    def test(self, draws: int) -> list[Instance]:
        """Return three others of each known kind and two of the unseen one, or `draws` times as many."""
        known = [self._drawn(kind, seed) for kind in self.known for seed in range(51, 51 + 3 * draws)]
        return [*known, *(self._drawn(self.unseen, seed) for seed in range(71, 71 + 2 * draws))]

    def _drawn(self, kind: Mapping[str, Any], seed: int) -> Instance:
        return Instance(self.problem, {**kind, self.draw: self.smallest + seed})


FAMILIES: Mapping[str, Family] = {
    "tsp": Family("tsp", [{"n": 60}, {"n": 150, "layout": "clustered"}], {"n": 300}),
    "qap": Family("qap", [{"n": 20}, {"n": 35, "layout": "uniform"}], {"n": 50}),
    "maxcut": Family(
        "maxcut",
        [{"n": 200}, {"n": 400, "layout": "torus", "weights": "signs"}],
        {"n": 100, "density": 0.5, "weights": "signs"},
    ),
    "colouring": Family(
        "colouring",
        [{"n": 125, "density": 0.3, "colours": 8}, {"n": 200, "density": 0.1, "colours": 4}],
        {"n": 250, "layout": "geometric", "density": 0.1, "colours": 8},
    ),
    "synthetic": Family("synthetic", [{"n": 100}, {"n": 250, "window": 10}], {"n": 500, "polysemy": 4}),
    "chain": Family(
        "synthetic",
        [{"n": 150, "window": 1, "polysemy": 8}, {"n": 60, "window": 1, "polysemy": 12}],
        {"n": 400, "window": 1, "polysemy": 6},
    ),
    "flowshop": Family(
        "flowshop", [{"jobs": 30, "machines": 5}, {"jobs": 60, "machines": 10}], {"jobs": 100, "machines": 20}
    ),
    "bits": Family("ioh", [{"function": 18}, {"function": 25}], {"function": 19}, "n", 40),
}
"""By name. A chain is what a text is to word sense disambiguation; flow shops and functions of bits (IOHprofiler's 18,
25 and 19: autocorrelations, NK landscapes, a ring of spins, of different lengths) are nothing but scores. The graphs
have too few colours, so that no solver reaches a cost of 0, of which no share can be computed."""

EVERYWHERE = tuple(FAMILIES)
FREE_TABLES = ("maxcut", "colouring", "synthetic", "chain")


class Checked(NamedTuple):
    """A solver whose defaults are checked."""

    solver: str
    families: Sequence[str] = EVERYWHERE
    only: Sequence[str] = ()
    """The parameters that are tuned; by default all with a range."""
    fixed: Mapping[str, Any] | None = None
    candidate: Mapping[str, Any] | None = None
    """A candidate that is checked as it is: a milder form of one that was tuned."""
    before: Mapping[str, Any] | None = None
    """The default that candidates were checked against, where it has changed since."""

    @property
    def draws(self) -> int:
        """How often instances are drawn: the fewer families, the more of each, so that a difference can be shown."""
        return max(1, len(FAMILIES) // (2 * len(self.families)))

    def training(self) -> list[Instance]:
        """Return the training instances of all its families."""
        return [one for name in self.families for one in FAMILIES[name].training(self.draws)]

    def test(self) -> list[Instance]:
        """Return the test instances of all its families."""
        return [one for name in self.families for one in FAMILIES[name].test(self.draws)]


BEES = ("moves", "recruiters", "tries", "most_bees", "local_search", "segment", "walk", "normalise", "reset_passes")

ANTS = ("variant", "ants", "alpha", "beta", "candidates", "local_search", "p_best", "greed", "wear")

CHECKED: Mapping[str, Checked] = {
    "tour-ga": Checked("tour-ga", ["tsp"], before={"initial": "nearest", "local_search": "none"}),
    "robust-tabu": Checked("robust-tabu", ["qap"]),
    "tabu": Checked("tabu", FREE_TABLES),
    "ils": Checked("ils"),
    "annealing": Checked("annealing"),
    "sa": Checked("sa", only=["hot", "chains"]),
    "ga": Checked("ga"),
    "ga, no local search": Checked("ga", fixed={"local_search": "none"}),
    "ga, population alone": Checked("ga", only=["population"]),
    "ga, population of 20": Checked("ga", only=["population"], candidate={"population": 20}),
    "tsp-aco": Checked("tsp-aco", only=ANTS),
    "bco": Checked("bco", fixed={"iterations": 1_000_000}),
    "dbees": Checked("dbees", only=BEES, fixed={"iterations": 1_000_000}),
    "aca": Checked("aca", fixed={"odour": "nests"}),
    "aca, life kept": Checked("aca", fixed={"odour": "nests", "life": 25}),
}
"""By label. Parameters that choose another method, or another reading of a paper, are left out. `iterations` of bees is
a budget, not a default to tune: it is set so that all settings spend the same looks. The cooling of `sa` is that of its
paper, and how long a run is follows from it: it stays."""
