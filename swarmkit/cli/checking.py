"""The conformance kit on the command line: `check`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from swarmkit.cli.listing import find_offers
from swarmkit.cli.options import JsonOption, OptionsOption, ParamsOption, parse_settings
from swarmkit.cli.show import print_json
from swarmkit.contract.errors import UsageError

if TYPE_CHECKING:
    from swarmkit.testing import Report


def check(
    name: Annotated[str, typer.Argument(help="A problem or a solver.")],
    options: OptionsOption = None,
    params: ParamsOption = None,
    examples: Annotated[
        int | None, typer.Option(min=1, help="Cases per check: 10 for a problem, 3 for a solver and family.")
    ] = None,
    as_document: JsonOption = False,
) -> None:
    """Check that a problem or solver fulfils its contract; exit code 1 if it does not.

    Example: swarmkit check icm
    """
    kinds = [kind for kind, _ in find_offers(name) if kind in ("problem", "solver")]
    if not kinds:
        raise UsageError(f"'{name}' is neither a problem nor a solver; only these have a contract to check")
    reports = [_report(kind, name, options, params, examples) for kind in kinds]
    if as_document:
        print_json([{"subject": r.subject, "outcomes": [asdict(o) for o in r.outcomes]} for r in reports])
    else:
        print("\n".join(map(str, reports)))
    if any(report.of("failed") for report in reports):
        raise typer.Exit(1)


def _report(kind: str, name: str, options: list[str] | None, params: list[str] | None, examples: int | None) -> Report:
    from swarmkit.plugins.factory import make_problem, make_solver
    from swarmkit.testing import ConformanceError, check_problem, check_solver
    from swarmkit.testing.kit import EXAMPLES, SOLVER_EXAMPLES

    try:
        if kind == "problem":
            return check_problem(make_problem(name, **parse_settings(options, "-P")), examples=examples or EXAMPLES)
        return check_solver(make_solver(name, **parse_settings(params, "-A")), examples=examples or SOLVER_EXAMPLES)
    except ConformanceError as error:
        return error.report
