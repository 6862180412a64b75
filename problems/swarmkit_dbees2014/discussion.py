"""The discussion: where our numbers differ from the published ones, and why, in sentences made from the rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import fmean

from swarmkit_dbees2014.measurement import Measured
from swarmkit_dbees2014.published import AGREEMENT, INSTANCES, TABLE_3, dbees_micro, micro
from swarmkit_dbees2014.settings import ANNOTATE, Row
from swarmkit_dbees2014.significance import COMPETITORS, DBEES, FIRST
from swarmkit_dbees2014.tables import limits

Rows = Mapping[Row, Measured]

OPEN = (
    "What the paper leaves open, and our choice: the unit (a sentence; 'text' has the alternative), the walk from the "
    "hive (to the end, then to the start; 'dbees wrap' has the alternative), which of equally related senses is chosen "
    "(a random one; 'order' has the alternative), the normalisation of Lesk (shared words over the mean length of the "
    "glosses) and of qualities (by the largest), and when iterations end early (never). The appendix describes another "
    "algorithm than the text: 'dbees literal'."
)


def sentences(rows: Rows) -> list[str]:
    """Return the sentences for the rows that were measured."""
    parts = (_twins, _search, _competitors, _frequencies, _readings, _shapes, _proofs, _ours)
    return [*(sentence for part in parts for sentence in part(rows)), OPEN]


def _texts(rows: Rows) -> list[str]:
    return list(next(iter(rows.values())).texts) if rows else []


def _twins(rows: Rows) -> Iterator[str]:
    """Compare each published number with the corresponding row."""
    texts = _texts(rows)
    if rows and set(texts) != set(INSTANCES):
        yield f"Only the texts {', '.join(texts)} were run: all methods but D-Bees are published for all five together."
    for system in TABLE_3:
        measured, published = rows.get(system.row), micro(system, texts)
        if measured is None or published is None:
            continue
        macro = f" (its row has {system.f1:.2f}, the mean of its five texts)" if system.averaged == "macro" else ""
        reason = {"MFS": _FIRST, "RS": _RANDOM}.get(system.name, "")
        yield (
            f"{system.name}: {published:.2f} published{macro}, {measured.points:.2f} measured{_limits(measured)} as "
            f"{system.row}: {points(measured.points - published)}.{reason}"
        )


_FIRST = " Published is the first sense of WordNet 2.1, ours that of 3.0; words that are not in 3.0 have no answer."
_RANDOM = (
    " Ours draws once per word among the senses of its lemma and part of speech in WordNet 3.0; the paper "
    "does not say how the published ones were drawn."
)


def _search(rows: Rows) -> Iterator[str]:
    """Compare what a better search would gain with the difference to the published number."""
    dbees, exact, published = rows.get(DBEES), rows.get(Row("chain", "viterbi")), dbees_micro(_texts(rows))
    if dbees is None or exact is None or dbees.share is None:
        return
    gained = exact.points - dbees.points
    said = (
        f"Search: D-Bees reaches {dbees.share:.1%} of the optimal score. The optimum (viterbi) has "
        f"{exact.points:.2f} F1, {points(gained, 'D-Bees')}"
    )
    if published is None:
        yield f"{said}."
        return
    missing = published - dbees.points
    verdict = "the score decides, not the search" if abs(gained) < abs(missing) / 2 else "the search matters"
    yield f"{said}, where the published number is {points(missing)}: {verdict}."


def _competitors(rows: Rows) -> Iterator[str]:
    """Compare the paper's competitors on the same score."""
    there = [rows[Row(DBEES.score, row.method)] for row in COMPETITORS if Row(DBEES.score, row.method) in rows]
    if not there or DBEES not in rows:
        return
    low, high = min(there, key=lambda m: m.points), max(there, key=lambda m: m.points)
    published = [system.f1 for system in TABLE_3 if system.row.method in {measured.method for measured in there}]
    yield (
        f"On the same score the paper's competitors have {low.points:.2f} ({low.method}) to {high.points:.2f} "
        f"({high.method}), D-Bees {rows[DBEES].points:.2f}. Published they are {min(published):.2f} to "
        f"{max(published):.2f}, taken from papers whose scores and use of sense order differ from D-Bees'."
    )


def _frequencies(rows: Rows) -> Iterator[str]:
    """Report the effect of sense order and of sense counts."""
    published = dbees_micro(_texts(rows))
    for score, what in (("order", "sense order (the first of equals)"), ("counts", "sense counts")):
        for method in ("dbees", "dbees literal", "viterbi"):
            after, before = rows.get(Row(score, method)), rows.get(Row("chain", method))
            if after is None or before is None:
                continue
            said = f"With {what}, {method} has {after.points:.2f} instead of {before.points:.2f}: "
            said += points(after.points - before.points)
            if published is not None and method != "viterbi":
                said += f", and {points(after.points - published, 'published')}"
            yield f"{said}."


def _readings(rows: Rows) -> Iterator[str]:
    """Report the effect of other readings of the paper."""
    plain = rows.get(DBEES)
    readings = {"the appendix": Row("chain", "dbees literal"), "the other walk": Row("chain", "dbees wrap")}
    readings |= {
        "one chain through the text": Row("text", "dbees"),
        "a vote of ten runs": Row("chain", "vote of 10 dbees"),
    }
    if plain is None:
        return
    found = [f"{name} {rows[row].points - plain.points:+.2f}" for name, row in readings.items() if row in rows]
    if found:
        yield f"Differences to D-Bees as the text describes it, in points: {', '.join(found)}."


def _shapes(rows: Rows) -> Iterator[str]:
    """Report the effect of all pairs instead of neighbours."""
    names = [row.method for row in rows if row.score == "global" and Row("chain", row.method) in rows]
    if names:
        told = [
            f"{name} {rows[Row('chain', name)].points:.2f} to {rows[Row('global', name)].points:.2f}" for name in names
        ]
        mean = fmean(rows[Row("global", name)].points - rows[Row("chain", name)].points for name in names)
        yield (
            f"All pairs of a text instead of neighbours in a sentence, the same measure: {', '.join(told)}; on average "
            f"{points(mean)}."
        )


def _proofs(rows: Rows) -> Iterator[str]:
    """Name the scores whose optimum is not known."""
    unproved = [row for row, measured in rows.items() if measured.share_of == "best found"]
    if unproved:
        scores = ", ".join(dict.fromkeys(f"'{row.score}'" for row in unproved))
        yield f"No optimum of {scores} is proved: percentages marked ? refer to the best score that any run found."


def _ours(rows: Rows) -> Iterator[str]:
    """Report the row of `wsd annotate`, which is not a method of the paper."""
    annotate, first = rows.get(Row("best", ANNOTATE)), rows.get(FIRST)
    if annotate is None:
        return
    beside = f", {points(annotate.points - first.points, 'the first sense')}" if first else ""
    yield (
        f"'{ANNOTATE}' is ours and not a method of the paper: glosses and sense counts, weighted on Senseval-2, then "
        f"local search. {annotate.points:.2f}{beside}; the annotators agree on {AGREEMENT:.2f}."
    )
    exact = rows.get(Row("best", "toulbar2"))
    if exact is not None and exact.share_of == "optimum":
        yield f"The optimum of that score, proved by toulbar2, has {exact.points:.2f}."


def points(difference: float, other: str = "") -> str:
    """Format a difference of percentages.

    >>> points(-1.234, "published"), points(0.0, "published"), points(2)
    ('1.23 points less than published', 'the same as published', '2.00 points more')
    """
    if abs(difference) < 0.005:
        return f"the same{other and f' as {other}'}"
    return f"{abs(difference):.2f} points {'more' if difference > 0 else 'less'}{other and f' than {other}'}"


def _limits(measured: Measured) -> str:
    written = limits(measured.f1)
    return f" ({written} over {len(measured.runs)} seeds)" if written else ""
