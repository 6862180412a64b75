"""Tables of texts; those that a page makes when they are opened are data in it, which keeps the page small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from swarmkit.comparison.record import Record
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


def opened_tables(records: Sequence[Record], found: Analysis) -> dict[str, TextTable]:
    """Return the tables that the page makes when they are opened, by name."""
    made = {"running-times": _running_times(found), "seeds": _seeds(records), "nearness": _nearness(found)}
    for number, one in enumerate(found.within):
        pairs = pair_table(one.pairs) if one.pairs else None
        if pairs is not None:
            made[f"tests-{number}"] = pairs
    return made


def pair_table(pairs: Sequence[Pair], nemenyi: Mapping[str, Mapping[str, float]] | None = None) -> TextTable | None:
    """Return the tests of pairs as a table; None if no pair could be tested, which `untested` says in a sentence.

    Args:
        pairs: the pairs, at least one.
        nemenyi: the p-values of Nemenyi's test, by first and second method.
    """
    nothing = bool(untested(pairs))
    if nothing and not nemenyi:
        return None
    tested = any(not pair.reason for pair in pairs)
    columns = [("pair", "row"), (pairs[0].effect_name, "n")]
    columns += [("p", "n"), ("p after Holm", "n")] if tested else []
    columns += [("Nemenyi p", "n")] if nemenyi else []
    columns += [] if nothing else [(f"{pairs[0].test}, in words", "words")]
    rows = []
    for pair in pairs:
        row = [f"{pair.first} \N{EN DASH} {pair.second}", f"{pair.effect:.2f}"]
        row += [p_value(None if pair.reason else p) for p in (pair.p, pair.adjusted)] if tested else []
        row += [p_value(nemenyi[pair.first][pair.second])] if nemenyi else []
        rows.append(row + ([] if nothing else [pair.words]))
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
    found: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for record in records:
        found.setdefault((record.instance, record.method), []).append((record.repetition, record.result.seed))
    rows = [[*key, ", ".join(str(seed) for _, seed in sorted(runs))] for key, runs in found.items()]
    columns = [("instance", ""), ("method", "row"), ("seeds, by repetition", "words")]
    return TextTable(columns=columns, rows=rows, marked=[])


def _nearness(found: Analysis) -> TextTable:
    several = len(found.instances) > 1
    rows = [[one.words] for one in found.known]
    rows += [[f"{one.instance}: {one.words}" if several else one.words] for one in found.nearness]
    return TextTable(columns=[("gaps, in words", "words")], rows=rows, marked=[])


def _running_times(found: Analysis) -> TextTable:
    """Return the expected work to each target, failed runs included."""
    several = len(found.instances) > 1
    named = {one.objective for one in found.known}
    objective = named.pop() if len(named) == 1 else "value"
    rows = [
        [
            *([one.instance] if several else []),
            one.method,
            one.target,
            separated(one.score),
            f"{one.successes}/{one.runs}",
            "not reached" if one.expected is None else f"{one.expected:,.0f} {one.unit}",
        ]
        for one in found.running_times
    ]
    columns = [("method", "row"), ("target", ""), (objective, "n"), ("reached", "n"), ("expected", "n")]
    return TextTable(columns=[*([("instance", "")] if several else []), *columns], rows=rows, marked=[])
