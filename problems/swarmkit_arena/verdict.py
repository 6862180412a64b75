"""The verdict of the arena: refused with reasons, or accepted with its standing among the bundled solvers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from swarmkit.report import render_page
from swarmkit.statistics import (
    Pair,
    SeveralInstances,
    compare_over_instances,
    complete_blocks,
    join_words,
    make_scores,
    quantity,
    wilcoxon_pairs,
)
from swarmkit_arena.contest import CPU_SECONDS, EVALUATIONS, Match
from swarmkit_arena.rules import RULES, Reason

HOME = Path(__file__).parent
"""The folder of the template and the style sheet of the page."""


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
    # One run per instance: the instances are the blocks of all tests.
    scores = make_scores((match.instance, match.method, match.score) for match in matches)
    across = compare_over_instances(scores)
    pairs = wilcoxon_pairs(complete_blocks(scores), against=name)
    better = [pair.second for pair in pairs if pair.better == name]
    worse = [pair.second for pair in pairs if pair.better == pair.second]
    rank = across.ranks[name]
    return Standing(
        rank=rank,
        methods=len(across.methods),
        pairs=pairs,
        better=better,
        worse=worse,
        families=[_in_family(matches, family, name) for family in dict.fromkeys(match.family for match in matches)],
        across=across,
        words=_sentence(rank, len(across.methods), len(across.instances), better, worse),
    )


def _in_family(matches: Sequence[Match], family: str, name: str) -> FamilyStanding:
    """Return the standing of a method in a family."""
    here = [match for match in matches if match.family == family]
    ranks = compare_over_instances(make_scores((match.instance, match.method, match.score) for match in here)).ranks
    tables = here[0].cpu_seconds is not None
    return FamilyStanding(
        family=family,
        budget=f"{CPU_SECONDS:g} CPU seconds" if tables else f"{EVALUATIONS:,} evaluations",
        instances=len({match.instance for match in here}),
        rank=ranks[name],
        methods=len(ranks),
        best=min(ranks, key=lambda method: ranks[method]),
    )


def _sentence(rank: float, methods: int, instances: int, better: Sequence[str], worse: Sequence[str]) -> str:
    open_pairs = methods - 1 - len(better) - len(worse)
    sentences = [f"Over {quantity(instances, 'instance')} its mean rank is {rank:.1f} of {methods}."]
    if better:
        sentences.append(f"It is better than {join_words(better)}.")
    if worse:
        sentences.append(f"{join_words(worse)} {'is' if len(worse) == 1 else 'are'} better.")
    if open_pairs:
        sentences.append(f"From {quantity(open_pairs, 'other')} it was not shown to differ.")
    return " ".join(sentences)


def make_page(verdict: Verdict) -> str:
    """Return the verdict as one HTML file, which needs no network and runs no script.

    Args:
        verdict: what `enter` returned.
    """
    standing = verdict.standing
    methods = standing.across.methods if standing else []
    return render_page(
        HOME / "verdict.html.j2",
        styles=[HOME / "verdict.css"],
        verdict=verdict,
        found=standing,
        rules=RULES,
        numbers={method: int(method != verdict.solver) for method in methods},
        rows=_score_rows(verdict.matches, methods),
    )


def _score_rows(matches: Sequence[Match], methods: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return the scores of methods on each instance, the best marked with a star, a dash where there is none."""
    scores = {(match.instance, match.method): match.score for match in matches}
    rows = []
    for instance in dict.fromkeys(match.instance for match in matches):
        values = [scores.get((instance, method)) for method in methods]
        best = max((value for value in values if value is not None), default=None)
        texts = ["\N{EN DASH}" if value is None else f"{value:.5g}{'*' if value == best else ''}" for value in values]
        rows.append((instance, texts))
    return rows
