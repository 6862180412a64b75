"""Whether a candidate becomes the default: the gain on test instances after Holm, and no family that gets worse."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from retuning.candidates import EQUAL, Measured
from swarmkit.statistics.pairwise_tests import holm
from swarmkit.tuning.outcome import signed_rank

LEVEL = 0.05
"""The p-value below which a difference is one."""


class Verdict(NamedTuple):
    """What the test instances say about a candidate."""

    label: str
    changes: Mapping[str, Any]
    train_gap: float | None
    """None where no setting was better than the default on the training instances."""
    measured: Sequence[Measured]
    p: float | None = None
    holm: float | None = None

    @property
    def gap(self) -> float:
        """The mean gap to the default on the test instances."""
        return fmean(one.gap for one in self.measured) if self.measured else 0.0

    @property
    def seconds(self) -> float:
        """CPU time of the candidate's runs as a multiple of the default's."""
        same_looks = [one for one in self.measured if one.budget != EQUAL]
        default, candidate = (sum(one.seconds[at] for one in same_looks) for at in (0, 1))
        return candidate / default if default else 1.0

    @property
    def families(self) -> dict[tuple[str, str], list[float]]:
        """The gaps by family and budget."""
        found = defaultdict(list)
        for one in self.measured:
            found[one.family, one.budget].append(one.gap)
        return dict(found)

    @property
    def worse(self) -> list[str]:
        """The families, with their budgets, in which the candidate is worse than the default."""
        return [
            f"{name} ({budget})"
            for (name, budget), gaps in self.families.items()
            if fmean(gaps) > 0 and (signed_rank(gaps) or 1.0) < LEVEL
        ]

    @property
    def better(self) -> bool:
        """Whether the gain holds, and no family is worse."""
        return self.holm is not None and self.holm < LEVEL and self.gap < 0 and not self.worse


def tested(found: Sequence[Verdict]) -> list[Verdict]:
    """Return the verdicts with p-values: Wilcoxon on the mean gaps of the instances, Holm over all solvers."""
    ps = [signed_rank(list(by_instance(one).values())) if one.measured else None for one in found]
    return [one._replace(p=p, holm=corrected) for one, p, corrected in zip(found, ps, holm(ps), strict=True)]


def by_instance(verdict: Verdict) -> dict[str, float]:
    """Return the mean gap of each test instance over the budgets."""
    gaps = defaultdict(list)
    for one in verdict.measured:
        gaps[one.instance].append(one.gap)
    return {name: fmean(own) for name, own in gaps.items()}


def table(found: Sequence[Verdict]) -> str:
    """Return the verdicts as a table in Markdown."""
    head = "| solver | candidate | train gap | test gap | p | Holm p | CPU time | families that get worse | holds |"
    return "\n".join([head, "|---|---|---|---|---|---|---|---|---|", *(_row(one) for one in tested(found))])


def _row(one: Verdict) -> str:
    if one.train_gap is None:
        return f"| {one.label} | none is better than the default in training | | | | | | | no |"
    changes = " ".join(f"`{name}={value}`" for name, value in one.changes.items())
    ps = (f"{p:.2g}" if p is not None else "" for p in (one.p, one.holm))
    worse = ", ".join(one.worse) or "none"
    cells = [one.label, changes, f"{one.train_gap:+.2%}", f"{one.gap:+.2%}", *ps, f"{one.seconds:.1f} times", worse]
    return f"| {' | '.join(cells)} | {'yes' if one.better else 'no'} |"
