"""The verdict of the arena: refused with reasons, or accepted with its standing among the bundled solvers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from swarmkit.arena.contest import CPU_SECONDS, EVALUATIONS, Match
from swarmkit.arena.rules import Reason
from swarmkit.contract.arrays import Floats
from swarmkit.statistics.pairwise_tests import Pair, wilcoxon_pairs
from swarmkit.statistics.scores import Scores, complete_blocks, merge_ties
from swarmkit.statistics.several_instances import SeveralInstances, compare_over_instances
from swarmkit.statistics.wording import join_words, quantity


class Gate(BaseModel):
    """What a submission had to pass, and what came of it."""

    model_config = ConfigDict(frozen=True)

    name: str
    passed: bool
    words: str
    seconds: float


class FamilyStanding(BaseModel):
    """How a submission did on one family."""

    model_config = ConfigDict(frozen=True)

    family: str
    budget: str
    instances: int
    rank: float
    """Its mean rank on these instances, 1 is the best."""
    methods: int
    best: str
    """The method with the best mean rank."""


class Standing(BaseModel):
    """The standing of a submission among the bundled solvers."""

    model_config = ConfigDict(frozen=True)

    rank: float
    """Its mean rank over all instances, 1 is the best."""
    methods: int
    pairs: list[Pair]
    """Wilcoxon's signed-rank test against each rival, after Holm's correction; effects are rank-biserial."""
    better: list[str]
    """The rivals that it is significantly better than."""
    worse: list[str]
    """The rivals that are significantly better."""
    families: list[FamilyStanding]
    across: SeveralInstances
    """Ranks, Friedman's test and the critical difference of all methods."""
    words: str


class Verdict(BaseModel):
    """The verdict; the names of the fields are the keys of the JSON."""

    model_config = ConfigDict(frozen=True)

    solver: str
    source: str
    """The file, or `installed`."""
    sha256: str | None
    """The hash of the file."""
    accepted: bool
    reasons: list[Reason] = Field(default_factory=list)
    """Why it is refused."""
    gates: list[Gate] = Field(default_factory=list)
    refused_families: dict[str, str] = Field(default_factory=dict)
    """The families that the solver cannot do, with its reasons."""
    standing: Standing | None = None
    matches: list[Match] = Field(default_factory=list)
    seed: int
    """The seed of the instances, which was hidden until now: with it the same contest can be repeated."""
    without_network: bool
    """Whether the system could take the network from the solver's process."""
    version: str
    seconds: float
    cpu_seconds: float

    @property
    def words(self) -> str:
        """The verdict in a few sentences."""
        if not self.accepted:
            rules = list(dict.fromkeys(reason.rule for reason in self.reasons))
            return f"{self.solver} is refused ({join_words(rules)})."
        return f"{self.solver} is accepted. {self.standing.words if self.standing else ''}".strip()


def make_standing(matches: Sequence[Match], name: str) -> Standing:
    """Return the standing of a method among the others.

    Args:
        matches: all runs.
        name: the method.
    """
    scores = _scores(matches)
    blocks = complete_blocks(scores)
    across = compare_over_instances(scores)
    pairs = wilcoxon_pairs(blocks, against=name)
    better = [pair.second for pair in pairs if pair.better == name]
    worse = [pair.second for pair in pairs if pair.better == pair.second]
    rank = across.ranks[name]
    return Standing(
        rank=rank,
        methods=len(blocks.methods),
        pairs=pairs,
        better=better,
        worse=worse,
        families=_families(matches, name),
        across=across,
        words=_sentence(rank, len(blocks.methods), len(blocks.instances), better, worse),
    )


def _scores(matches: Sequence[Match]) -> Scores:
    instances = tuple(dict.fromkeys(match.instance for match in matches))
    methods = tuple(dict.fromkeys(match.method for match in matches))
    runs: dict[tuple[str, str], Floats] = {}
    for instance in instances:
        here = [match for match in matches if match.instance == instance]
        values = merge_ties(np.array([-np.inf if match.score is None else match.score for match in here]))
        runs |= {(instance, match.method): values[i : i + 1] for i, match in enumerate(here)}
    return Scores(instances, methods, runs)


def _families(matches: Sequence[Match], name: str) -> list[FamilyStanding]:
    found = []
    for family in dict.fromkeys(match.family for match in matches):
        here = [match for match in matches if match.family == family]
        ranks = compare_over_instances(_scores(here)).ranks
        tables = here[0].cpu_seconds is not None
        found.append(
            FamilyStanding(
                family=family,
                budget=f"{CPU_SECONDS:g} CPU seconds" if tables else f"{EVALUATIONS:,} evaluations",
                instances=len({match.instance for match in here}),
                rank=ranks[name],
                methods=len(ranks),
                best=min(ranks, key=lambda method: ranks[method]),
            )
        )
    return found


def _sentence(rank: float, methods: int, instances: int, better: Sequence[str], worse: Sequence[str]) -> str:
    others = methods - 1 - len(better) - len(worse)
    parts = [f"Over {quantity(instances, 'instance')} its mean rank is {rank:.1f} of {methods}."]
    if better:
        parts.append(f"It is better than {join_words(better)}.")
    if worse:
        parts.append(f"{join_words(worse)} {'is' if len(worse) == 1 else 'are'} better.")
    if others:
        parts.append(f"From {quantity(others, 'other')} it was not shown to differ.")
    return " ".join(parts)
