"""The paper's Tables 2 and 3 with our rows beside the published ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from swarmkit.statistics import Interval
from swarmkit_dbees2014.measurement import Measured
from swarmkit_dbees2014.published import TABLE_2, TABLE_3, dbees_micro
from swarmkit_dbees2014.settings import Row

PUBLISHED = "published"


def table_2(rows: Mapping[Row, Measured], texts: Sequence[str]) -> list[dict[str, str]]:
    """Return the rows of Table 2, F1 of every text; of the published methods only D-Bees has it."""
    paper = {text: f"{TABLE_2[text].f1:.2f}" if text in TABLE_2 else "" for text in texts}
    table = [
        {
            "score": PUBLISHED,
            "method": "D-Bees",
            **paper,
            "macro": f"{TABLE_3[0].f1:.2f}",
            "interval": "",
            "micro": f"{dbees_micro():.2f}",
        }
    ]
    for row, measured in rows.items():
        of_texts = {text: percent(measured.texts[text]) for text in texts}
        means = {
            "macro": percent(measured.macro_f1),
            "interval": limits(measured.macro_f1),
            "micro": percent(measured.f1),
        }
        table.append({"score": row.score, "method": row.method, **of_texts, **means})
    return table


def table_3(rows: Mapping[Row, Measured]) -> list[dict[str, str]]:
    """Return the rows of Table 3: rates of all words, but in D-Bees' published row means of the texts."""
    return [*_published(), *(_measured(row, measured) for row, measured in rows.items())]


def _published() -> list[dict[str, str]]:
    rows = []
    for system in TABLE_3:
        rates = {name: f"{getattr(system, name):.2f}" for name in ("attempted", "precision", "recall")}
        macro = system.averaged == "macro"
        micro = f"({dbees_micro():.2f})" if macro else f"{system.f1:.2f}"
        name = f"{system.name} (macro)" if macro else system.name
        macro_f1 = f"{system.f1:.2f}" if macro else ""
        rows.append(
            {"score": PUBLISHED, "method": name, **rates, "F1": micro, "interval": "", "macro": macro_f1, **_empty()}
        )
    return rows


def _empty() -> dict[str, str]:
    return {"% of best": "", "looks": "", "seconds": "", "published": ""}


def _measured(row: Row, measured: Measured) -> dict[str, str]:
    rates = {name: f"{100 * getattr(measured, name):.2f}" for name in ("attempted", "precision", "recall")}
    twin = next((system for system in TABLE_3 if row == system.row), None)
    return {
        "score": row.score,
        "method": row.method,
        **rates,
        "F1": percent(measured.f1),
        "interval": limits(measured.f1),
        "macro": percent(measured.macro_f1),
        "% of best": share(measured),
        "looks": "" if measured.looks is None else f"{measured.looks:.2g}",
        "seconds": f"{measured.seconds:.2f}",
        "published": f"{twin.f1:.2f}" if twin else "",
    }


def share(measured: Measured) -> str:
    """Format the fraction of the best known score in percent, with '?' if that is not proved to be the optimum."""
    if measured.share is None:
        return ""
    return f"{100 * measured.share:.1f}{'' if measured.share_of == 'optimum' else '?'}"


def percent(value: Interval) -> str:
    """Format a mean in percent."""
    return "" if value.value is None else f"{100 * value.value:.2f}"


def limits(value: Interval) -> str:
    """Format the limits of an interval over the repetitions in percent; empty if they are equal."""
    if value.low is None or value.high is None or value.low == value.high:
        return ""
    return f"{100 * value.low:.2f} to {100 * value.high:.2f}"


def as_document(rows: Mapping[Row, Measured], texts: Sequence[str]) -> dict[str, Any]:
    """Return the published numbers and the measured rows as plain data, for JSON."""
    return {
        "published": {
            "table 2": {text: rates._asdict() for text, rates in TABLE_2.items()},
            "table 3": [system._asdict() for system in TABLE_3],
            "dbees micro f1": dbees_micro(),
        },
        "tables": {"2": table_2(rows, texts), "3": table_3(rows)},
        "rows": [measured.model_dump(mode="json") for measured in rows.values()],
    }
