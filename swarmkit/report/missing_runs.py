"""Methods without runs on some instances, with the reason where the solver refused."""

from __future__ import annotations

from collections.abc import Sequence

from swarmkit.comparison.record import Record, RefusedPair
from swarmkit.statistics.wording import join_words

NAME_LIMIT = 5
"""Instances up to which all are named in a sentence."""


def missing_runs(records: Sequence[Record], refusals: Sequence[RefusedPair]) -> list[str]:
    """Return a sentence for each method without runs on some instances, one for each reason.

    Args:
        records: the runs of the report.
        refused: the pairs of instance and method that a solver refused.
    """
    reasons = {(pair.instance, pair.method): pair.reason for pair in refusals}
    there = {(record.instance, record.method) for record in records}
    instances = dict.fromkeys([record.instance for record in records] + [pair.instance for pair in refusals])
    methods = dict.fromkeys([record.method for record in records] + [pair.method for pair in refusals])
    sentences = []
    for method in methods:
        by_reason: dict[str, list[str]] = {}
        for instance in instances:
            if (instance, method) not in there:
                by_reason.setdefault(reasons.get((instance, method), ""), []).append(instance)
        for reason, missing in by_reason.items():
            sentences.append(f"{method} has no runs on {_join_few(missing)}{f': {reason}' if reason else ''}.")
    return sentences


def _join_few(names: list[str]) -> str:
    """Join a few names, and count the rest if there are many.

    >>> _join_few(["a", "b", "c", "d", "e", "f"])
    'a, b, c and 3 other instances'
    """
    rest = [f"{len(names) - 3} other instances"] if len(names) > NAME_LIMIT else []
    return join_words([*names[:3], *rest] if rest else names)
