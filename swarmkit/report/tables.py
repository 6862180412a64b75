"""Tables of a comparison: for the page, in Markdown, and in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from statistics import mean, median
from typing import Any, TypedDict

from swarmkit.comparison.record import Record, by_pair
from swarmkit.comparison.summary import metrics_that_differ
from swarmkit.contract.notebook import figure
from swarmkit.contract.result import shown
from swarmkit.statistics.analysis import Analysis
from swarmkit.statistics.optimum import OptimumGap, reaches
from swarmkit.statistics.pairwise_tests import Pair
from swarmkit.statistics.summary import Summary

MISSING = "\N{EN DASH}"
"""The text of a missing number."""


@dataclass(frozen=True)
class Cell:
    """A cell of a table."""

    text: str
    value: float | str | None = None
    """The value that the column is sorted by."""
    best: bool = False
    """Whether the text is bold."""
    order: float | None = None
    """The number that the page sorts by where the text does not begin with it."""


def number(value: float | None, form: str = "") -> Cell:
    """Return the cell of a number in a format, a dash for None.

    >>> number(1234567.0, ",.0f").text, number(None).text == MISSING
    ('1,234,567', True)
    """
    return Cell(MISSING) if value is None else Cell(format(value, form) if form else figure(value), value)


def summary_rows(analysis: Analysis) -> list[dict[str, Cell]]:
    """Return a row per instance and method; columns without any value are left out."""
    near = {(entry.instance, entry.method): entry for entry in analysis.nearness}
    best = _best_medians(analysis.summaries)
    metrics = metrics_that_differ((entry.instance, entry.metrics) for entry in analysis.summaries)
    rows = [
        _row(s, near.get((s.instance, s.method)), best.get(s.instance))
        | {name: number(s.metrics.get(name)) for name in metrics}
        for s in analysis.summaries
    ]
    # A column that says nothing of any row is left out: gaps where no optimum is known, for instance.
    empty = {name for name in rows[0] if all(row[name].value is None for row in rows)}
    alone = {"instance"} if len(analysis.instances) == 1 else set()
    alone |= {"objective"} if all(s.objective == "score" for s in analysis.summaries) else set()
    return [{name: cell for name, cell in row.items() if name not in empty | alone} for row in rows]


def overview_rows(analysis: Analysis) -> list[dict[str, Cell]]:
    """Return a row per method over all instances, the best rank first; no rows for a single instance."""
    if analysis.across is None:
        return []
    best = _best_medians(analysis.summaries)
    ranks = analysis.across.ranks
    ordered = sorted(analysis.methods, key=lambda m: ranks.get(m, inf))
    rows = [_overview(analysis, method, best) for method in ordered]
    empty = {name for name in rows[0] if all(row[name].value is None for row in rows)}
    return [{name: cell for name, cell in row.items() if name not in empty} for row in rows]


def _overview(analysis: Analysis, method: str, best: Mapping[str, float]) -> dict[str, Cell]:
    entries = [entry for entry in analysis.summaries if entry.method == method]
    leads = sum(_leads(entry, best.get(entry.instance)) for entry in entries)
    near = [entry for entry in analysis.nearness if entry.method == method]
    shares = [entry.share for entry in near if entry.share is not None and entry.optimum]
    # Gaps to optima and to bounds, which are above optima by an unknown distance, have no common mean.
    to_optima, to_bounds = ([e.gap for e in near if e.gap is not None and e.optimum == kind] for kind in (True, False))
    target_shares = [
        entry.share[-1] for entry in analysis.distributions if (entry.method, entry.unit) == (method, analysis.unit)
    ]
    return {
        "method": Cell(method, method),
        "average rank": number(analysis.across.ranks.get(method) if analysis.across else None, ".2f"),
        "best median": _share(leads, len(entries)),
        "targets reached": number(target_shares[0], ".0%"),
        "share of optimum": number(mean(shares) if shares else None, ".2%"),
        "median gap to optima": number(median(to_optima) if to_optima else None, ".3%"),
        "median gap to bounds": number(median(to_bounds) if to_bounds else None, ".3%"),
        "seconds": number(median(entry.seconds for entry in entries), ".3g"),
    }


def _best_medians(summaries: Sequence[Summary]) -> dict[str, float]:
    """Return the best median of each instance: the highest score, the lowest cost."""
    best: dict[str, float] = {}
    for entry in summaries:
        if entry.median.value is not None:
            choose = max if entry.objective == "score" else min
            best[entry.instance] = choose(entry.median.value, best.get(entry.instance, entry.median.value))
    return best


def _leads(entry: Summary, best: float | None) -> bool:
    """Whether a method's median is the best one of its instance, up to rounding."""
    if entry.median.value is None or best is None:
        return False
    return reaches(shown(entry.objective, entry.median.value), shown(entry.objective, best))


def _row(entry: Summary, near: OptimumGap | None, best: float | None) -> dict[str, Cell]:
    middle = entry.median.value
    leads = _leads(entry, best)
    failed = entry.runs - entry.feasible
    return {
        "instance": Cell(entry.instance, entry.instance),
        "method": Cell(entry.method, entry.method),
        "objective": Cell(entry.objective, entry.objective),
        "runs": Cell(f"{entry.runs:,}{', all the same' if entry.constant else ''}", entry.runs, order=entry.runs),
        "median": Cell(number(middle).text, middle, leads),
        "95 % interval": _interval(entry),
        "mean": number(entry.mean.value),
        "deviation": number(entry.deviation, ".3g"),
        "best": number(entry.best),
        "worst": number(entry.worst),
        "infeasible": number(failed or None, ","),
        "gap to optimum": number(near.gap if near and near.optimum else None, ".3%"),
        "optimum hit": _share(near.hits, near.runs) if near and near.optimum else Cell(MISSING),
        "gap to bound": number(near.gap if near and not near.optimum else None, ".3%"),
        "looks": _work(entry.looks, entry.looks_limit),
        "evaluations": _work(entry.evaluations, entry.evaluations_limit),
        "seconds": number(entry.seconds, ".3g"),
    }


def _work(work: float, limit: int | None) -> Cell:
    """Return the work of a run; with its limit where the run left more than a tenth of it unused."""
    unused = f" of {limit:,}" if limit is not None and work < 0.9 * limit else ""
    return Cell(f"{work:,.0f}{unused}", work, order=work if unused else None) if work else Cell(MISSING)


def _share(part: int, whole: int) -> Cell:
    return Cell(f"{part}/{whole}", part / whole, order=round(part / whole, 6))


def _interval(entry: Summary) -> Cell:
    low, high = entry.median.low, entry.median.high
    if low is None or high is None:
        return Cell(MISSING)
    return Cell(f"{figure(low)} {MISSING} {figure(high)}", high - low, order=float(f"{high - low:.6g}"))


def markdown_table(analysis: Analysis) -> str:
    """Return the summary as a Markdown table, with the best medians in bold and the main result below."""
    rows = summary_rows(analysis)
    head = [_line(map(_markdown, rows[0])), _line("---" if _is_text(name) else "---:" for name in rows[0])]
    body = [_line(f"**{_markdown(c.text)}**" if c.best else _markdown(c.text) for c in row.values()) for row in rows]
    return "\n".join([*head, *body, "", _markdown(analysis.words), ""])


def latex_table(analysis: Analysis) -> str:
    """Return the summary as a LaTeX table, which needs the package booktabs; the best medians are bold."""
    rows = summary_rows(analysis)
    shape = "".join("l" if _is_text(name) else "r" for name in rows[0])
    body = [
        " & ".join(rf"\textbf{{{_latex(c.text)}}}" if c.best else _latex(c.text) for c in row.values()) + r" \\"
        for row in rows
    ]
    head = " & ".join(map(_latex, rows[0])) + r" \\"
    lines = [rf"\begin{{tabular}}{{{shape}}}", r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]
    return "\n".join(["% \\usepackage{booktabs}", *lines, ""])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _is_text(name: str) -> bool:
    return name in {"instance", "method", "objective"}


MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~])")
LATEX: Mapping[str, str] = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    MISSING: "--",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "\n": " ",
} | {character: f"\\{character}" for character in "&%$#_{}"}


def _markdown(text: str) -> str:
    r"""Escape the special characters of Markdown and of HTML.

    >>> print(_markdown("a|b_<c>"))
    a\|b\_\<c\>
    """
    return MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def _latex(text: str) -> str:
    r"""Escape the special characters of LaTeX.

    >>> print(_latex("50% of a_b"))
    50\% of a\_b
    """
    return "".join(LATEX.get(character, character) for character in text)


class TextTable(TypedDict):
    """A table as the page and its script read it."""

    columns: list[tuple[str, str]]
    """Names and kinds: `row` (what the row is about), `n` (numbers), `words` (sentences), or empty."""
    rows: list[list[str]]
    marked: list[int]
    """The numbers of the rows that are marked."""


def opened_tables(records: Sequence[Record], analysis: Analysis) -> dict[str, TextTable]:
    """Return the tables that the page makes when they are opened, by name."""
    tables = {"running-times": _running_times(analysis), "seeds": _seeds(records), "nearness": _nearness(analysis)}
    for number, entry in enumerate(analysis.within):
        pairs = pair_table(entry.pairs) if entry.pairs else None
        if pairs is not None:
            tables[f"tests-{number}"] = pairs
    return tables


def pair_table(pairs: Sequence[Pair], nemenyi: Mapping[str, Mapping[str, float]] | None = None) -> TextTable | None:
    """Return the tests of pairs as a table; None if no pair could be tested, which `untested` says in a sentence.

    Args:
        pairs: the pairs, at least one.
        nemenyi: the p-values of Nemenyi's test, by first and second method.
    """
    no_test = bool(untested(pairs))
    if no_test and not nemenyi:
        return None
    any_test = any(not pair.reason for pair in pairs)
    columns = [("pair", "row"), (pairs[0].effect_name, "n"), ("n (untied)", "n")]
    columns += [("p", "n"), (f"p after Holm for {pairs[0].family} pairs", "n")] if any_test else []
    columns += [("Nemenyi p", "n")] if nemenyi else []
    columns += [] if no_test else [(f"{' or '.join(dict.fromkeys(p.test for p in pairs))}, in words", "words")]
    rows = []
    for pair in pairs:
        n = " against ".join(map(str, pair.n if pair.effect_name == "A12" else pair.n[:1]))
        row = [f"{pair.first} \N{EN DASH} {pair.second}", f"{pair.effect:.2f}", f"{n} ({pair.untied:,})"]
        row += [p_value(None if pair.reason else p) for p in (pair.p, pair.adjusted)] if any_test else []
        row += [p_value(nemenyi[pair.first][pair.second])] if nemenyi else []
        rows.append(row + ([] if no_test else [pair.words]))
    return TextTable(columns=columns, rows=rows, marked=[k for k, pair in enumerate(pairs) if pair.better])


def untested(pairs: Sequence[Pair]) -> str:
    """Return why none of several pairs could be tested; empty if some were, or there is only one."""
    reasons = list(dict.fromkeys(pair.reason for pair in pairs if pair.reason))
    if len(pairs) < 2 or any(not pair.reason for pair in pairs):
        return ""
    return f"{pairs[0].test}, {'every pair' if len(reasons) == 1 else 'the pairs'}: {'; '.join(reasons)}."


def p_value(p: float | None) -> str:
    """Return a p-value as text.

    >>> p_value(0.0004), p_value(0.0321)
    ('< 0.001', '0.032')
    """
    return MISSING if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def rest_of_summary(rows: Sequence[Mapping[str, Cell]]) -> list[list[Any]]:
    """Return rows of the summary as texts; a cell that is bold or sorted by a number of its own as a list with that."""
    return [
        [[c.text, c.order, c.best] if c.best or c.order is not None else c.text for c in row.values()] for row in rows
    ]


def _seeds(records: Sequence[Record]) -> TextTable:
    seeds = {pair: sorted((r.repetition, r.result.seed) for r in runs) for pair, runs in by_pair(records).items()}
    rows = [[*pair, ", ".join(str(seed) for _, seed in order)] for pair, order in seeds.items()]
    columns = [("instance", ""), ("method", "row"), ("seeds, by repetition", "words")]
    return TextTable(columns=columns, rows=rows, marked=[])


def _nearness(analysis: Analysis) -> TextTable:
    several = len(analysis.instances) > 1
    rows = [[entry.words] for entry in analysis.known]
    rows += [[f"{entry.instance}: {entry.words}" if several else entry.words] for entry in analysis.nearness]
    return TextTable(columns=[("gaps, in words", "words")], rows=rows, marked=[])


def _running_times(analysis: Analysis) -> TextTable:
    """Return the expected work to each target, failed runs included."""
    several = len(analysis.instances) > 1
    objectives = {entry.objective for entry in analysis.known}
    objective = objectives.pop() if len(objectives) == 1 else "value"
    rows = [
        [
            *([entry.instance] if several else []),
            entry.method,
            entry.target,
            figure(entry.score),
            f"{entry.successes}/{entry.runs}",
            "not reached" if entry.expected is None else f"{entry.expected:,.0f} {entry.unit}",
        ]
        for entry in analysis.running_times
    ]
    columns = [("method", "row"), ("target", ""), (objective, "n"), ("reached", "n"), ("expected", "n")]
    return TextTable(columns=[*([("instance", "")] if several else []), *columns], rows=rows, marked=[])
