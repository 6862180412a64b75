"""The measures of SemEval-2007 task 10, from their definitions, and generalised average precision.

With H the multiset of the annotators' substitutes of an item, A the system's answers and f the number of annotators
who gave a substitute (McCarthy & Navigli 2007):

    best = Σ_{a in A} f(a) / (|A| |H|)          oot = Σ_{a in A} f(a) / |H|, at most ten answers

Precision is the mean over the items that were answered, recall over all items with two responses or more.
`mode` counts the items with a single most frequent substitute: it is the first answer (best), or one of the answers
(oot). As in the organisers' scorer, repeated answers of `oot` count repeatedly, and a hyphen of the gold may be a
space.

Generalised average precision of a ranking of candidates with gold weights x_1, x_2, …, the best possible order being
y_1, y_2, … (Kishida 2005; Thater, Fürstenau & Pinkal 2010), with I(x) = 1 for x > 0, otherwise 0:

    GAP = Σ_i I(x_i) mean(x_1 … x_i) / Σ_i I(y_i) mean(y_1 … y_i)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Literal

from pydantic import BaseModel, ConfigDict

from swarmkit_lexsub.task_files import Answer, Gold

GUESSES = 10
"""The answers of `oot` that count."""


class Rates(BaseModel):
    """Precision and recall, in percent, of some items."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    items: int
    attempted: int
    precision: float
    recall: float


class Report(BaseModel):
    """The score of an answers file by `best` or `oot`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["best", "oot"]
    score: Rates
    mode: Rates
    """Over the items that have a mode."""
    repeated: int
    """Items with a repeated answer, which `oot` rewards."""


def best_credit(counts: Mapping[str, int], answers: Sequence[str]) -> float:
    """Return the `best` score of an item, in [0, 1].

    >>> best_credit({"happy": 3, "glad": 1}, ["happy"]), best_credit({"happy": 3, "glad": 1}, ["glad", "sad"])
    (0.75, 0.125)
    """
    return _shares(counts, answers) / len(answers) if answers else 0.0


def oot_credit(counts: Mapping[str, int], answers: Sequence[str]) -> float:
    """Return the `oot` score of an item; it exceeds 1 only if an answer is repeated.

    >>> oot_credit({"happy": 3, "glad": 1}, ["sad", "glad", "happy"])
    1.0
    """
    return _shares(counts, answers[:GUESSES])


def _shares(counts: Mapping[str, int], answers: Sequence[str]) -> float:
    spelled = _spellings(counts)
    return sum(spelled.get(answer, 0) for answer in answers) / sum(counts.values())


def _spellings(counts: Mapping[str, int]) -> dict[str, int]:
    """Return the counts under the gold spelling, and under that with spaces in place of hyphens."""
    return {name.replace("-", " "): count for name, count in counts.items()} | dict(counts)


def mode(counts: Mapping[str, int]) -> str | None:
    """Return the substitute that more annotators gave than any other; None if there is no such one.

    >>> mode({"happy": 3, "glad": 1}), mode({"happy": 2, "glad": 2})
    ('happy', None)
    """
    most = max(counts.values(), default=0)
    found = [name for name, count in counts.items() if count == most]
    return found[0] if len(found) == 1 else None


def gap(weights: Sequence[float]) -> float:
    """Return the generalised average precision of a ranking, given the gold weight of each candidate in its order.

    >>> gap([3, 1, 0]), gap([0, 3])
    (1.0, 0.5)
    """
    ideal = _mean_precisions(sorted(weights, reverse=True))
    return _mean_precisions(weights) / ideal if ideal else 0.0


def _mean_precisions(weights: Sequence[float]) -> float:
    """Return the sum over all candidates of positive weight of the mean weight from the first one to it."""
    total = found = 0.0
    for place, weight in enumerate(weights, 1):
        total += weight
        found += total / place if weight > 0 else 0.0
    return found


def scored(gold: Mapping[str, Gold]) -> dict[str, Gold]:
    """Return the items that are scored: those with at least two responses."""
    return {name: one for name, one in gold.items() if sum(one.counts.values()) > 1}


def score_answers(gold: Mapping[str, Gold], answers: Mapping[str, Answer], kind: Literal["best", "oot"]) -> Report:
    """Return precision and recall of the answers, and of their modes.

    Args:
        gold: the gold substitutes by item id.
        answers: the answers by item id; those to other items are ignored.
        kind: the measure.
    """
    credit = best_credit if kind == "best" else oot_credit
    items = scored(gold)
    given = {name: answers[name].substitutes for name in items if name in answers and answers[name].substitutes}
    modes = {name: top for name in items if (top := mode(items[name].counts)) is not None}
    looked_at = 1 if kind == "best" else GUESSES
    hits = {name: _hits(modes[name], given[name][:looked_at]) for name in modes if name in given}
    repeated = sum(len(set(own)) < len(own) for own in given.values())
    earned = [credit(items[name].counts, own) for name, own in given.items()]
    return Report(
        kind=kind,
        score=_rates(earned, len(items)),
        mode=_rates([float(hit) for hit in hits.values()], len(modes)),
        repeated=repeated,
    )


def _hits(top: str, answers: Sequence[str]) -> bool:
    return any(answer in (top, top.replace("-", " ")) for answer in answers)


def _rates(credit: Sequence[float], items: int) -> Rates:
    total = 100 * sum(credit)
    precision = total / len(credit) if credit else 0.0
    return Rates(items=items, attempted=len(credit), precision=precision, recall=total / items if items else 0.0)


def pooled_candidates(gold: Mapping[str, Gold]) -> dict[str, list[str]]:
    """Return the candidates of each item for a ranking: all gold substitutes of its target word, sorted."""
    pools: dict[str, set[str]] = {}
    for one in gold.values():
        pools.setdefault(one.lexelt, set()).update(one.counts)
    return {name: sorted(pools[one.lexelt]) for name, one in gold.items()}


def score_ranking(gold: Mapping[str, Gold], answers: Mapping[str, Answer]) -> float:
    """Return the mean generalised average precision, in percent, over all items that have gold substitutes.

    A candidate that a ranking leaves out comes after all others; an item without a ranking counts 0.
    """
    pools = pooled_candidates(gold)
    found = []
    for name, one in gold.items():
        ranked = dict.fromkeys(answers[name].substitutes) if name in answers else {}
        weights = [one.counts.get(given, 0) for given in ranked if given in pools[name]]
        left_out = sorted(one.counts.get(given, 0) for given in pools[name] if given not in ranked)
        if one.counts:
            found.append(gap(weights + left_out) if weights else 0.0)
    return 100 * fmean(found) if found else 0.0
