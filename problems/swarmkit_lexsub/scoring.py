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
    # Under the gold spelling, and under that with spaces in place of hyphens.
    spellings = {name.replace("-", " "): count for name, count in counts.items()} | dict(counts)
    return sum(spellings.get(answer, 0) for answer in answers) / sum(counts.values())


def mode(counts: Mapping[str, int]) -> str | None:
    """Return the substitute that more annotators gave than any other; None if there is no such one.

    >>> mode({"happy": 3, "glad": 1}), mode({"happy": 2, "glad": 2})
    ('happy', None)
    """
    maximum = max(counts.values(), default=0)
    names = [name for name, count in counts.items() if count == maximum]
    return names[0] if len(names) == 1 else None


def gap(weights: Sequence[float]) -> float:
    """Return the generalised average precision of a ranking, given the gold weight of each candidate in its order.

    >>> gap([3, 1, 0]), gap([0, 3])
    (1.0, 0.5)
    """
    ideal = _mean_precisions(sorted(weights, reverse=True))
    return _mean_precisions(weights) / ideal if ideal else 0.0


def _mean_precisions(weights: Sequence[float]) -> float:
    """Return the sum over all candidates of positive weight of the mean weight from the first one to it."""
    total = precisions = 0.0
    for place, weight in enumerate(weights, 1):
        total += weight
        precisions += total / place if weight > 0 else 0.0
    return precisions


def items_with_two_responses(gold: Mapping[str, Gold]) -> dict[str, Gold]:
    """Return the items that count: those with at least two responses."""
    return {name: item for name, item in gold.items() if sum(item.counts.values()) > 1}


def score_answers(gold: Mapping[str, Gold], answers: Mapping[str, Answer], kind: Literal["best", "oot"]) -> Report:
    """Return precision and recall of the answers, and of their modes.

    Args:
        gold: the gold substitutes by item id.
        answers: the answers by item id; those to other items are ignored.
        kind: the measure.
    """
    credit = best_credit if kind == "best" else oot_credit
    items = items_with_two_responses(gold)
    names = {name: answers[name].substitutes for name in items if name in answers and answers[name].substitutes}
    modes = {name: top for name in items if (top := mode(items[name].counts)) is not None}
    length = 1 if kind == "best" else GUESSES
    hits = [
        any(answer in (top, top.replace("-", " ")) for answer in names[name][:length])
        for name, top in modes.items()
        if name in names
    ]
    return Report(
        kind=kind,
        score=_rates([credit(items[name].counts, substitutes) for name, substitutes in names.items()], len(items)),
        mode=_rates([float(hit) for hit in hits], len(modes)),
        repeated=sum(len(set(substitutes)) < len(substitutes) for substitutes in names.values()),
    )


def _rates(credit: Sequence[float], items: int) -> Rates:
    total = 100 * sum(credit)
    precision = total / len(credit) if credit else 0.0
    return Rates(items=items, attempted=len(credit), precision=precision, recall=total / items if items else 0.0)


def pooled_candidates(gold: Mapping[str, Gold]) -> dict[str, list[str]]:
    """Return the candidates of each item for a ranking: all gold substitutes of its target word, sorted."""
    pools: dict[str, set[str]] = {}
    for item in gold.values():
        pools.setdefault(item.lexelt, set()).update(item.counts)
    return {name: sorted(pools[item.lexelt]) for name, item in gold.items()}


def score_ranking(gold: Mapping[str, Gold], answers: Mapping[str, Answer]) -> float:
    """Return the mean generalised average precision, in percent, over all items that have gold substitutes.

    A candidate that a ranking leaves out comes after all others; an item without a ranking counts 0.
    """
    pools = pooled_candidates(gold)
    precisions = []
    for name, item in gold.items():
        ranking = dict.fromkeys(answers[name].substitutes) if name in answers else {}
        weights = [item.counts.get(candidate, 0) for candidate in ranking if candidate in pools[name]]
        # The worst order of what a ranking leaves out: a candidate of large weight comes last.
        missing = sorted(item.counts.get(candidate, 0) for candidate in pools[name] if candidate not in ranking)
        if item.counts:
            precisions.append(gap(weights + missing) if weights else 0.0)
    return 100 * fmean(precisions) if precisions else 0.0
