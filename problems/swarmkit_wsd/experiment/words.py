"""Where ours differ from the published numbers, and why, in sentences that are made from the measured rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import fmean

from swarmkit_wsd.experiment.measured import Measured
from swarmkit_wsd.experiment.published import AGREEMENT, INSTANCES, TABLE_3, dbees_micro, micro
from swarmkit_wsd.experiment.settings import ANNOTATE, Row
from swarmkit_wsd.experiment.significance import COMPETITORS, DBEES, FIRST
from swarmkit_wsd.experiment.tables import spread

Rows = Mapping[Row, Measured]

OPEN = (
    "What the paper leaves open, and what we took: the unit (a sentence; 'text' is the other), the walk from the hive "
    "(to the end, then to the start; 'dbees wrap' is the other), what decides between senses of equal relatedness "
    "(chance; 'order' is the other), how Lesk is normalised (shared words over the mean length of the glosses), how "
    "qualities are normalised (by the largest), and when iterations end early (never). The appendix is another "
    "algorithm than the text: 'dbees literal'."
)


def sentences(rows: Rows) -> list[str]:
    """Say what the rows show; what was not run is not spoken of."""
    parts = (_twins, _search, _competitors, _frequencies, _readings, _shapes, _proofs, _ours)
    return [*(sentence for part in parts for sentence in part(rows)), OPEN]


def _texts(rows: Rows) -> list[str]:
    return list(next(iter(rows.values())).texts) if rows else []


def _twins(rows: Rows) -> Iterator[str]:
    """Set each published number beside its twin."""
    texts = _texts(rows)
    if rows and set(texts) != set(INSTANCES):
        yield f"These are the texts {', '.join(texts)} alone: all but D-Bees is published of all five together only."
    for system in TABLE_3:
        measured, published = rows.get(system.row), micro(system, texts)
        if measured is None or published is None:
            continue
        macro = f" (its row says {system.f1:.2f}, the mean of its five texts)" if system.averaged == "macro" else ""
        reason = {"MFS": _FIRST, "RS": _RANDOM}.get(system.name, "")
        yield (
            f"{system.name}: {published:.2f} published{macro}, {measured.points:.2f} measured{_spread(measured)} as "
            f"{system.row}: {points(measured.points - published)}.{reason}"
        )


_FIRST = (
    " Published is the first sense of WordNet 2.1, ours that of 3.0; words that 3.0 does not have are left unanswered."
)
_RANDOM = (
    " Ours draws once per word among the senses of its lemma and part of speech in WordNet 3.0; how the published one "
    "was drawn, the paper does not say."
)


def _search(rows: Rows) -> Iterator[str]:
    """Ask whether a better search would make up for what is missing."""
    dbees, exact, published = rows.get(DBEES), rows.get(Row("chain", "viterbi")), dbees_micro(_texts(rows))
    if dbees is None or exact is None or dbees.share is None:
        return
    gained = exact.points - dbees.points
    said = (
        f"Search: D-Bees reaches {dbees.share:.1%} of the best score there is. The best itself (viterbi) has "
        f"{exact.points:.2f} F1, {points(gained, 'D-Bees')}"
    )
    if published is None:
        yield f"{said}."
        return
    missing = published - dbees.points
    verdict = "the score decides, not the search" if abs(gained) < abs(missing) / 2 else "the search matters"
    yield f"{said}, where the published number is {points(missing)}: {verdict}."


def _competitors(rows: Rows) -> Iterator[str]:
    """Tell how near each other the methods are when all maximise the same."""
    there = [rows[Row(DBEES.score, row.method)] for row in COMPETITORS if Row(DBEES.score, row.method) in rows]
    if not there or DBEES not in rows:
        return
    low, high = min(there, key=lambda m: m.points), max(there, key=lambda m: m.points)
    published = [system.f1 for system in TABLE_3 if system.row.method in {measured.method for measured in there}]
    yield (
        f"On the same score the paper's competitors have {low.points:.2f} ({low.method}) to {high.points:.2f} "
        f"({high.method}), D-Bees {rows[DBEES].points:.2f}. Published they are {min(published):.2f} to "
        f"{max(published):.2f}, as other papers give them, whose scores and use of sense order are not D-Bees'."
    )


def _frequencies(rows: Rows) -> Iterator[str]:
    """Tell what sense order and sense counts do."""
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
    """Tell what the readings of the paper do."""
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
        yield f"Against D-Bees as the text has it, in points: {', '.join(found)}."


def _shapes(rows: Rows) -> Iterator[str]:
    """Tell what all pairs do instead of neighbours."""
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
    """Tell where the best is not known."""
    unproved = [row for row, measured in rows.items() if measured.share_of == "best found"]
    if unproved:
        scores = ", ".join(dict.fromkeys(f"'{row.score}'" for row in unproved))
        yield f"Of {scores} no optimum is proved: shares marked ? are of the best score that any run found."


def _ours(rows: Rows) -> Iterator[str]:
    """Tell apart what is ours."""
    annotate, first = rows.get(Row("best", ANNOTATE)), rows.get(FIRST)
    if annotate is None:
        return
    beside = f", {points(annotate.points - first.points, 'the first sense')}" if first else ""
    yield (
        f"'{ANNOTATE}' is ours and not a method of the paper: glosses and sense counts, weighed on Senseval-2, then a "
        f"climb. {annotate.points:.2f}{beside}; the annotators agree on {AGREEMENT:.2f}."
    )
    exact = rows.get(Row("best", "toulbar2"))
    if exact is not None and exact.share_of == "optimum":
        yield f"The optimum of that score, proved by toulbar2, has {exact.points:.2f}."


def points(difference: float, other: str = "") -> str:
    """Write a difference of percentages.

    >>> points(-1.234, "published"), points(0.0, "published"), points(2)
    ('1.23 points less than published', 'the same as published', '2.00 points more')
    """
    if abs(difference) < 0.005:
        return f"the same{other and f' as {other}'}"
    return f"{abs(difference):.2f} points {'more' if difference > 0 else 'less'}{other and f' than {other}'}"


def _spread(measured: Measured) -> str:
    written = spread(measured.f1)
    return f" ({written} over {len(measured.runs)} seeds)" if written else ""
