"""What the project promises, and whether what was measured keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class GapBar:
    """A median gap in % after a number of seconds, reached by one of the methods."""

    instance: str
    methods: tuple[str, ...]
    mark: float
    limit: float


@dataclass(frozen=True)
class RateBar:
    """A multiple of the rate of a peer, on instances of at least a number of cities."""

    method: str
    peer: str
    limit: float
    least: int = 100


GAP_BARS = (
    GapBar("tsp 200", ("tsp-aco",), 1.0, 1.2),
    GapBar("tsp 200", ("tsp-aco",), 10.0, 0.4),
    GapBar("tsp 200", ("tsp-aco 2opt",), 1.0, 0.0),
    GapBar("tsp 1,000", ("tsp-aco 2opt",), 1.0, 1.0),
    GapBar("tsp 1,000", ("tsp-aco 2opt",), 10.0, 0.4),
    GapBar("tsp 1,000", ("annealing",), 1.0, 1.2),
    GapBar("tsp 1,000", ("annealing",), 10.0, 0.7),
    GapBar("tsp 200", ("tour-ga",), 1.0, 1.0),
    GapBar("nug30", ("robust-tabu", "annealing"), 1.0, 0.0),
    GapBar("sko42", ("robust-tabu", "annealing"), 10.0, 0.2),
    GapBar("tai60a", ("robust-tabu", "annealing"), 10.0, 2.0),
)
"""A median gap of 0 is the optimum in most seeds."""
RATE_BARS = (
    RateBar("tsp-aco", "scikit-opt ACA_TSP", 1000),
    RateBar("tsp-aco", "ACO-Pants", 1000),
    RateBar("annealing", "simanneal", 150, least=1000),
    RateBar("tour-ga plain", "scikit-opt GA_TSP", 30),
    RateBar("tour-ga plain", "scikit-opt GA_TSP vectorised", 30),
)


def judge(rows: Rows) -> list[dict[str, Any]]:
    """Return every bar that was measured, with its value and whether it is reached."""
    verdicts = []
    for instance in dict.fromkeys(row["instance"] for row in rows):
        here = {row["method"]: row for row in rows if row["instance"] == instance and row.get("rate")}
        verdicts += [told for bar in RATE_BARS if (told := judge_rate(bar, instance, here))]
        verdicts += [told for bar in GAP_BARS if bar.instance == instance and (told := judge_gap(bar, here))]
    return verdicts


def judge_rate(bar: RateBar, instance: str, here: dict[str, Any]) -> dict[str, Any] | None:
    """Compare two rates."""
    if bar.method not in here or bar.peer not in here:
        return None
    if here[bar.peer]["kind"] != "tour" or here[bar.peer]["n"] < bar.least:
        return None
    factor = here[bar.method]["rate"] / here[bar.peer]["rate"]
    text = f"{instance}: `{bar.method}` makes {bar.limit:,g} times the {here[bar.peer]['unit']} of {bar.peer}"
    return {"bar": text, "measured": f"{factor:,.0f} times", "pass": factor >= bar.limit}


def judge_gap(bar: GapBar, here: dict[str, Any]) -> dict[str, Any] | None:
    """Look for a method that is near enough."""
    gaps = {name: here[name]["gaps"].get(f"{bar.mark:g}") for name in bar.methods if name in here}
    known = {name: gap for name, gap in gaps.items() if gap is not None}
    if not known:
        return None
    best = min(known, key=lambda name: known[name])
    names = " or ".join(f"`{name}`" for name in bar.methods if name in here)
    text = f"{bar.instance}: {names} within {bar.limit:g} % after {bar.mark:g} s"
    return {
        "bar": text,
        "measured": f"{known[best]:.2f} % ({best}, {here[best]['seeds'][f'{bar.mark:g}']} seeds)",
        "pass": known[best] <= bar.limit + 1e-9,
    }
