"""The paper's tables with our rows beside the published ones, made from the measured rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from swarmkit.statistics import Interval
from swarmkit_dbees2014.measurement import RowMeasurement
from swarmkit_dbees2014.published import AGREEMENT, ARTICLES, TABLE_3, dbees_micro, whole_words
from swarmkit_dbees2014.rows import Row
from swarmkit_dbees2014.significance import RowComparison
from swarmkit_dbees2014.word_senses import Task

Table = list[dict[str, str]]
SOURCE_PAPER = "published"


def table_1() -> Table:
    """Return the paper's Table 1, and beside it which numbers of right words Table 2 implies."""
    rows = []
    for text, article in ARTICLES.items():
        counts = whole_words(article)
        rows.append(
            {
                "text": text,
                "domain": article.domain,
                "words": str(article.words),
                "annotated": str(article.annotated),
                "published recall": f"{article.recall:.2f}",
                "right words implied": f"{article.recall * article.annotated / 100:.2f}",
                "in whole words": "none" if counts is None else f"{counts[1]} of {counts[0]}",
            }
        )
    words, annotated = (str(sum(getattr(a, name) for a in ARTICLES.values())) for name in ("words", "annotated"))
    total = {"text": "all", "domain": f"annotators agree on {AGREEMENT} %", "words": words, "annotated": annotated}
    return [*rows, total | {"published recall": "", "right words implied": "", "in whole words": ""}]


def random_baselines(task: Task) -> Table:
    """Return the expectations of random answers: a coarse cluster, and a fine sense, drawn for each word."""
    clusters = task.random_clusters()
    shares = {} if clusters is None else {"a coarse cluster of the word; unlisted words are right": clusters}
    shares["a sense of the word in WordNet 3.0"] = task.random_fine()
    return [{"drawn for each word": name, "% right, expected": f"{100 * value:.2f}"} for name, value in shares.items()]


def table_2(rows: Mapping[Row, RowMeasurement], texts: Sequence[str]) -> Table:
    """Return the rows of Table 2, F1 of every text; of the published methods only D-Bees has it."""
    # The paper has the F1 of each text and their mean; the micro F1 follows from these and the numbers of words.
    paper = {text: f"{ARTICLES[text].f1:.2f}" if text in ARTICLES else "" for text in texts}
    means = {"macro": f"{TABLE_3[0].f1:.2f}", "interval": "", "micro": f"{dbees_micro():.2f}"}
    table = [{"block": SOURCE_PAPER, "method": "D-Bees", **paper, **means}]
    for row, measurement in rows.items():
        of_texts = {text: percent(measurement.texts[text]) for text in texts}
        macro, f1 = measurement.macro_f1, measurement.f1
        means = {"macro": percent(macro), "interval": limits(macro), "micro": percent(f1)}
        table.append({"block": row.block, "method": row.method, **of_texts, **means})
    return table


def table_3(rows: Mapping[Row, RowMeasurement]) -> Table:
    """Return the rows of Table 3: rates of all words, but in D-Bees' published row means of the texts."""
    table = []
    for system in TABLE_3:
        is_macro = system.averaged == "macro"
        table.append(
            {
                "block": SOURCE_PAPER,
                "method": f"{system.name} (macro)" if is_macro else system.name,
                "uses": "",
                "runs": "",
                **{name: f"{getattr(system, name):.2f}" for name in ("attempted", "precision", "recall")},
                "F1": f"({dbees_micro():.2f})" if is_macro else f"{system.f1:.2f}",
                "interval": "",
                "macro": f"{system.f1:.2f}" if is_macro else "",
                "% of best": "",
                "% not first": "",
                "seconds": "",
                "published": "",
            }
        )
    return [*table, *(_cells(row, measurement) for row, measurement in rows.items())]


def _cells(row: Row, measurement: RowMeasurement) -> dict[str, str]:
    twin = next((f"{system.f1:.2f}" for system in TABLE_3 if row == system.row), "")
    mark = "" if measurement.share_of == "optimum" else "?"
    return {
        "block": row.block,
        "method": row.method,
        "uses": measurement.uses,
        "runs": str(len(measurement.runs)),
        **{name: f"{100 * getattr(measurement, name):.2f}" for name in ("attempted", "precision", "recall")},
        "F1": percent(measurement.f1),
        "interval": limits(measurement.f1),
        "macro": percent(measurement.macro_f1),
        "% of best": "" if measurement.share is None else f"{100 * measurement.share:.1f}{mark}",
        "% not first": f"{100 * measurement.differing:.1f}",
        "seconds": f"{measurement.seconds:.2f}",
        "published": twin,
    }


def tests(comparisons: Sequence[RowComparison]) -> Table:
    """Return the tests as rows: the difference, and p-values alone and after Holm's correction."""
    return [
        {
            "first": test.first,
            "second": test.second,
            "difference": f"{100 * (test.bootstrap.difference or 0.0):.2f}",
            "words: p (McNemar)": _p(test.mcnemar.p),
            "after Holm": _p(test.adjusted),
            "runs: A12": f"{test.runs.effect:.2f}",
            "runs: p": _p(test.runs.p),
            "p after Holm": _p(test.runs_adjusted),
            "by": test.runs.test,
        }
        for test in comparisons
    ]


def _p(p: float | None) -> str:
    return "" if p is None else f"{p:.2g}"


def readings(rows: Mapping[Row, RowMeasurement]) -> str:
    """Return the sentence on how many rows of D-Bees were run, and which of them beats the first sense."""
    first = rows.get(Row("chain", "first"))
    dbees = {row: measurement for row, measurement in rows.items() if row.method.split()[0] == "dbees"}
    if first is None or not dbees:
        return ""
    best = max(dbees, key=lambda row: dbees[row].points)
    better = sum(measurement.points > first.points for measurement in dbees.values())
    return (
        f"Rows of D-Bees: {len(dbees)}; more F1 than the first sense ({first.points:.2f}) have {better or 'none'} of "
        f"them. The best is {best}, {dbees[best].points:.2f}."
    )


def percent(value: Interval) -> str:
    """Format a mean in percent."""
    return "" if value.value is None else f"{100 * value.value:.2f}"


def limits(value: Interval) -> str:
    """Format the limits of an interval over the repetitions in percent; empty if they are equal."""
    if value.low is None or value.high is None or value.low == value.high:
        return ""
    return f"{100 * value.low:.2f} to {100 * value.high:.2f}"
