"""Tables of texts; those that a page makes when they are opened are data in it, which keeps the page small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from swarmkit.comparison.record import Record, by_pair
from swarmkit.report.tables import MISSING, Cell
from swarmkit.statistics.analysis import Analysis
from swarmkit.statistics.pairwise_tests import Pair
from swarmkit.statistics.wording import separated


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
    columns = [("pair", "row"), (pairs[0].effect_name, "n")]
    columns += [("p", "n"), ("p after Holm", "n")] if any_test else []
    columns += [("Nemenyi p", "n")] if nemenyi else []
    columns += [] if no_test else [(f"{pairs[0].test}, in words", "words")]
    rows = []
    for pair in pairs:
        row = [f"{pair.first} \N{EN DASH} {pair.second}", f"{pair.effect:.2f}"]
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
    return [[_cell(cell) for cell in row.values()] for row in rows]


def _cell(cell: Cell) -> Any:
    return [cell.text, cell.order, cell.best] if cell.best or cell.order is not None else cell.text


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
            separated(entry.score),
            f"{entry.successes}/{entry.runs}",
            "not reached" if entry.expected is None else f"{entry.expected:,.0f} {entry.unit}",
        ]
        for entry in analysis.running_times
    ]
    columns = [("method", "row"), ("target", ""), (objective, "n"), ("reached", "n"), ("expected", "n")]
    return TextTable(columns=[*([("instance", "")] if several else []), *columns], rows=rows, marked=[])
