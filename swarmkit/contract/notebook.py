"""HTML for notebooks: what `_repr_html_` of results, problems and comparisons is made of. Everything is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any


def figure(value: float) -> str:
    """Return a score or metric as text: at most six digits, but the integer part of a large number whole.

    >>> figure(-5790651.0), figure(0.123456789), figure(1000000684.5), figure(25.33227)
    ('-5,790,651', '0.123457', '1,000,000,684', '25.3323')
    """
    is_large = 1e5 <= abs(value) < 2**53 or value == int(value)
    return f"{value:,.0f}" if is_large and abs(value) < 2**53 else f"{value:,.6g}"


def paragraph(text: str) -> str:
    """Return a paragraph.

    >>> paragraph("a < b")
    '<p>a &lt; b</p>'
    """
    return f"<p>{escape(text)}</p>"


def heading(text: str) -> str:
    """Return a line in bold."""
    return f"<p><b>{escape(text)}</b></p>"


def table(rows: Sequence[Mapping[str, Any]], limit: int = 20) -> str:
    """Return rows as a table with the columns of the first row; of more than `limit`, the number of the others.

    >>> table([{"a": 1, "b": "<"}])
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>&lt;</td></tr></tbody></table>'
    """
    if not rows:
        return ""
    columns = list(rows[0])
    head = _row("th", columns)
    body = "".join(_row("td", (cell(row.get(column)) for column in columns)) for row in rows[:limit])
    rest = paragraph(f"… and {len(rows) - limit:,} more") if len(rows) > limit else ""
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>{rest}"


def cell(value: Any) -> str:
    """Return a value as text for a table; nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool | str):
        return str(value)
    return figure(float(value)) if isinstance(value, int | float) else str(value)


def _row(tag: str, cells: Iterable[Any]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(str(text))}</{tag}>' for text in cells)}</tr>"


def problem_html(problem: Any) -> str:
    """Return a problem as HTML: its name, stages, candidates and structure."""
    sizes = [int(size) for size in problem.sizes]
    least, largest = min(sizes, default=0), max(sizes, default=0)
    shows_cost = problem.direction == "maximise" and problem.cost_name and problem.optimum is not None
    facts = {
        "stages": len(sizes),
        "candidates": f"{least:,}" if least == largest else f"{least:,} to {largest:,}",
        "structure": problem.structure.words,
        "objective": f"{problem.objective}, {'maximised' if problem.objective == 'score' else 'minimised'}",
        "optimum": 0.0 - problem.optimum if shows_cost else problem.optimum,
    }
    name = problem.origin.name if problem.origin else type(problem).__name__
    caption = problem.view().caption
    return f"{heading(name)}{paragraph(caption) if caption else ''}{table([facts])}"
