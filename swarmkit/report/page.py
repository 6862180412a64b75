"""The report as one HTML file: numbers, words, drawings and what draws them, and nothing from elsewhere."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from swarmkit.comparison.record import Record
from swarmkit.contract.errors import MissingError
from swarmkit.report.figures import figure_data
from swarmkit.report.holes import holes
from swarmkit.report.ranks import diagram
from swarmkit.report.reproduction import reproduce
from swarmkit.report.tables import NOTHING, overview_rows, summary_rows
from swarmkit.statistics.analysis import Analysis, analyse
from swarmkit.statistics.finding import counted, listed

HOME = Path(__file__).parent
NEEDED = ("jinja2", "plotly", "scipy", "scikit_posthocs")


def need_report() -> None:
    """Say what a report misses, before anything is computed."""
    if missing := [module for module in NEEDED if find_spec(module) is None]:
        names = listed([module.replace("_", "-") for module in missing])
        raise MissingError(f"reports need {names}, which the extra 'report' brings: pip install 'pyswarmkit[report]'")


def make_page(records: Sequence[Record], analysis: Analysis | None = None, title: str = "") -> str:
    """Write the whole report."""
    need_report()
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from plotly.offline import get_plotlyjs

    found = analysis or analyse(records)
    environment = Environment(
        loader=FileSystemLoader(HOME), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"number": _number, "chance": _chance}
    return environment.get_template("page.html.j2").render(
        title=title or f"{counted(len(found.methods), 'method')} on {counted(len(found.instances), 'instance')}",
        found=found,
        rows=summary_rows(found),
        overview=overview_rows(found),
        known=known(found),
        holes=holes(records),
        diagram=diagram(found.across) if found.across else None,
        methods=method_rows(records),
        versions=versions(records),
        seeds=seeds(records),
        again=reproduce(records),
        style=(HOME / "style.css").read_text(encoding="utf-8"),
        script=(HOME / "draw.js").read_text(encoding="utf-8"),
        plotly=get_plotlyjs(),
        data=as_script(figure_data(records, found)),
    )


def as_script(data: Any) -> str:
    r"""Write JSON that no parser of HTML takes for anything else.

    >>> as_script(["</script>"])
    '["\\u003c/script\\u003e"]'
    """
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def known(found: Analysis) -> str:
    """Say of how many instances the optimum, or at least a bound, is known."""
    if len(found.known) == 1:
        return found.known[0].words
    optima = sum(one.optimum for one in found.known)
    bounds = sum(one.bound is not None and not one.optimum for one in found.known)
    said = f"The optimum is known for {optima} of {counted(len(found.known), 'instance')}"
    return f"{said}, a bound for {bounds} more." if bounds else f"{said}."


def method_rows(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Give every method's solver, parameters and budget."""
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
    """Give the versions of everything that was used; several of one package are all named, the most used first."""
    seen: dict[str, Counter[str]] = {}
    for record in records:
        for package, version in record.result.versions.items():
            seen.setdefault(package, Counter())[version] += 1
    return [(package, ", ".join(v for v, _ in counts.most_common())) for package, counts in sorted(seen.items())]


def seeds(records: Sequence[Record]) -> list[tuple[str, str, str]]:
    """Give the seeds of every method on every instance, in the order of the repetitions."""
    found: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for record in records:
        found.setdefault((record.instance, record.method), []).append((record.repetition, record.result.seed))
    return [(*key, ", ".join(str(seed) for _, seed in sorted(runs))) for key, runs in found.items()]


def _number(value: float | None, form: str = ".4g") -> str:
    return NOTHING if value is None else format(value, form)


def _chance(p: float | None) -> str:
    return NOTHING if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"
