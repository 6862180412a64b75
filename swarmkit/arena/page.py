"""The verdict as one HTML file, which needs no network and runs no script."""

from __future__ import annotations

from pathlib import Path

from swarmkit.arena.rules import RULES
from swarmkit.arena.verdict import Verdict
from swarmkit.report.page import HOME as REPORT
from swarmkit.report.page import template_environment
from swarmkit.report.rank_diagram import rank_diagram
from swarmkit.report.tables import MISSING
from swarmkit.viewing.inline import CHART, inline

HOME = Path(__file__).parent
"""The folder of the template and the style sheet."""


def make_page(verdict: Verdict) -> str:
    """Return the verdict as a page.

    Args:
        verdict: what `enter` returned.
    """
    standing = verdict.standing
    return (
        template_environment(HOME, REPORT)
        .get_template("verdict.html.j2")
        .render(
            verdict=verdict,
            found=standing,
            rules=RULES,
            diagram=rank_diagram(standing.across) if standing else None,
            numbers={method: int(method != verdict.solver) for method in standing.across.methods} if standing else {},
            rows=_score_rows(verdict),
            inlined=inline([], [REPORT / "style.css", CHART[1], HOME / "verdict.css"]),
        )
    )


def _score_rows(verdict: Verdict) -> list[tuple[str, list[str]]]:
    """Return the scores of all methods on each instance, the best marked with a star."""
    methods = verdict.standing.across.methods if verdict.standing else []
    found = {(match.instance, match.method): match.score for match in verdict.matches}
    rows = []
    for instance in dict.fromkeys(match.instance for match in verdict.matches):
        scores = [found.get((instance, method)) for method in methods]
        best = max((score for score in scores if score is not None), default=None)
        texts = [MISSING if score is None else f"{score:.5g}{'*' if score == best else ''}" for score in scores]
        rows.append((instance, texts))
    return rows
