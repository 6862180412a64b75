"""The report as one HTML file, with its figures, its data and the scripts that draw them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from swarmkit.comparison.record import Record, RefusedPair
from swarmkit.comparison.store import StoredExperiment
from swarmkit.contract.errors import MissingError, install_hint
from swarmkit.report.figures import figure_data
from swarmkit.report.rank_diagram import rank_diagram
from swarmkit.report.reproduction import reproduce
from swarmkit.report.tables import (
    MISSING,
    opened_tables,
    overview_rows,
    p_value,
    pair_table,
    rest_of_summary,
    summary_rows,
    untested,
)
from swarmkit.statistics.analysis import Analysis, analyse
from swarmkit.statistics.wording import join_words, quantity
from swarmkit.viewing.inline import CHART, inline, packed

HOME = Path(__file__).parent
"""The folder of the template, the style sheet and the script."""

ROWS = 100
"""The rows of the summary that are in the page from the beginning; the others are appended when they are asked for."""


def need_report() -> None:
    """Raise `MissingError` if the template engine is not installed."""
    if find_spec("jinja2") is None:
        raise MissingError(f"reports need jinja2, which the extra 'report' installs: {install_hint('report')}")


def render_page(template: Path, scripts: Sequence[Path] = (), styles: Sequence[Path] = (), **content: Any) -> str:
    """Return a page in the style of reports, which needs no network: everything is in it, and its policy forbids more.

    Args:
        template: a template of jinja2, which escapes what comes from data; a missing name is an error. It may include
            the templates of reports, and use the filters `number`, `p_value` and `rank_diagram`.
        scripts: files of JavaScript.
        styles: style sheets, after those of reports.
        content: the names that the template uses; `inlined` has scripts, styles and policy.
    """
    need_report()
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader((template.parent, HOME)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    numbers = {"number": lambda value, form=".4g": MISSING if value is None else format(value, form)}
    environment.filters |= numbers | {"p_value": p_value, "rank_diagram": rank_diagram}
    inlined = inline(scripts, [HOME / "style.css", CHART[1], *styles])
    return environment.get_template(template.name).render(inlined=inlined, **content)


def make_page(
    records: Sequence[Record],
    analysis: Analysis | None = None,
    title: str = "",
    experiments: Sequence[StoredExperiment] = (),
) -> str:
    """Return the report of a comparison as one HTML page, which needs no network.

    Args:
        records: the runs, as `compare` and `Store.records` return them.
        analysis: their statistics, if they are computed already.
        title: the title of the page; by default the numbers of methods and instances.
        experiments: the experiments of the store, from `Store.experiments`; the page shows how to run them again and
            which pairs of instance and method were refused.
    """
    need_report()  # before the statistics, which take seconds
    analysis = analysis or analyse(records)
    rows = summary_rows(analysis)
    rest = rest_of_summary(rows[ROWS:])
    return render_page(
        HOME / "page.html.j2",
        scripts=[CHART[0], HOME / "draw.js"],
        title=title
        or f"{quantity(len(analysis.methods), 'method')} on {quantity(len(analysis.instances), 'instance')}",
        found=analysis,  # the name that the template shares with that of the arena
        numbers={method: number for number, method in enumerate(analysis.methods)},
        rows=rows[:ROWS],
        more=len(rows) - ROWS,
        overview=overview_rows(analysis),
        optimum=optimum_sentence(analysis),
        objective=objective(analysis),
        better=direction_sentence(analysis),
        missing=missing_runs(records, [pair for entry in experiments for pair in entry.refused]),
        methods=method_rows(records),
        versions=versions(records),
        reproduction=reproduce(records, experiments),
        pair_table=pair_table,
        untested=untested,
        data=packed({**figure_data(records, analysis), "tables": opened_tables(records, analysis), "rest": rest}),
    )


def objective(analysis: Analysis) -> str:
    """Return what the numbers of all instances are called, `value` where they have different names."""
    names = {entry.objective for entry in analysis.known}
    return names.pop() if len(names) == 1 else "value"


def direction_sentence(analysis: Analysis) -> str:
    """Return which scores and costs are better, as the beginning of a sentence."""
    costs = list(dict.fromkeys(entry.objective for entry in analysis.known if entry.objective != "score"))
    if not costs:
        return "Higher scores are better"
    names = ", ".join(costs)
    return (
        f"Lower is better ({names})"
        if len({entry.objective for entry in analysis.known}) == len(costs)
        else (f"Higher scores are better, of costs ({names}) lower ones")
    )


def optimum_sentence(analysis: Analysis) -> str:
    """Return for how many instances the optimum or a bound is known, as a sentence."""
    if len(analysis.known) == 1:
        return analysis.known[0].words
    optima = sum(entry.optimum for entry in analysis.known)
    bounds = sum(entry.bound is not None and not entry.optimum for entry in analysis.known)
    sentence = f"The optimum is known for {optima} of {quantity(len(analysis.known), 'instance')}"
    return f"{sentence}, a bound for {bounds} more." if bounds else f"{sentence}."


def method_rows(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Return solver, parameters and budget of every method."""
    first = {record.method: record.result for record in reversed(records)}
    return [
        {
            "method": method,
            "solver": first[method].solver,
            "params": {name: json.dumps(value, ensure_ascii=False) for name, value in first[method].params.items()},
            "budget": first[method].budget.model_dump(exclude_none=True),
            "polish": first[method].polish,
        }
        for method in dict.fromkeys(record.method for record in records)
    ]


def versions(records: Sequence[Record]) -> list[tuple[str, str]]:
    """Return packages with their versions; several versions of one package by the number of runs, descending."""
    counts_of: dict[str, Counter[str]] = {}
    for record in records:
        for package, version in record.result.versions.items():
            counts_of.setdefault(package, Counter())[version] += 1
    return [(package, ", ".join(v for v, _ in counts.most_common())) for package, counts in sorted(counts_of.items())]


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
