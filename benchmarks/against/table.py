"""The results for people: a table in Markdown, which reads well on a terminal too, and the page for the docs."""

from __future__ import annotations

import datetime
import itertools
import os
import platform
from pathlib import Path
from typing import Any

import swarmkit

HOW = """\
Every method gets the same instances and the same process CPU time on one thread. Kernels are compiled and libraries
loaded before the clock begins. A peer's clock is read whenever it evaluates a solution (ACA_TSP and ACO-Pants: after
each iteration; building ACO-Pants' world is not counted); what it finds after a mark does not count for it. simanneal
has to know its time beforehand and gets a schedule of its own for each mark. Distances come from tables; populations
are scored in one call where a library offers that (GA_TSP: both ways; it evaluates each parent twice more, and these
evaluations count). A rate is the median over seeds of tours, moves or evaluations a second; "ours ÷ its" compares
with `tsp-aco`, `annealing`, and `tour-ga plain` (nearest-neighbour tours, no local search) or `ga`. An ant of `tsp-aco`
makes one tour, though it walks only a segment of it (all of it with `construction=walk`); a move of `annealing` is two
looks on permutations, and elsewhere a draw among 6 candidates is 5 moves; `auto` makes looks of several solvers. Gaps
are medians over seeds, in % above LKH's tour, the published value, or the best that any method met here; behind them
stands in how many seeds that was reached. Seeds use a size's instances in turn.
"""
HEADS = ("instance", "method", "rate a second", "ours ÷ its")


def lay_out(rows: list[dict[str, Any]], marks: list[float]) -> str:
    """Return the table."""
    heads = [*HEADS, *(f"gap after {mark:g} s (best in)" for mark in marks), "note"]
    lines = [heads, ["---"] * len(heads)]
    lines += [cells(row, marks) for row in rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(heads))]
    return "\n".join("| " + " | ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)) + " |" for line in lines)


def cells(row: dict[str, Any], marks: list[float]) -> list[str]:
    """Return one line's cells."""
    name = f"**{row['method']}**" if row["ours"] else row["method"]
    rate = f"{short(row['rate'])} {row['unit']}" if row["rate"] else ""
    ratio = f"{row['ratio']:,.3g}" if row["ratio"] and row["ratio"] < 100 else f"{row['ratio'] or 0:,.0f}"
    gaps = [gap_cell(row, f"{mark:g}") for mark in marks]
    note = row["note"].replace("|", "/").replace("\n", " ")[:160]
    return [row["instance"], name, rate, ratio if row["ratio"] else "", *gaps, note]


def gap_cell(row: dict[str, Any], mark: str) -> str:
    """Return a gap and in how many seeds the best was reached."""
    if mark not in row["gaps"]:
        return ""
    gap = row["gaps"][mark]
    return "no solution yet" if gap is None else f"{gap:.2f} % ({row['best'][mark]}/{row['seeds'][mark]})"


def short(rate: float) -> str:
    """Return three digits and a unit of thousands."""
    for size, name in ((1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{rate / size:.3g}{name}"
    return f"{rate:.3g}"


def lay_out_bars(verdicts: list[dict[str, Any]]) -> str:
    """Return the bars with what was measured."""
    lines = ["| promised | measured | |", "| --- | --- | --- |"]
    lines += [f"| {v['bar']} | {v['measured']} | {'pass' if v['pass'] else '**miss**'} |" for v in verdicts]
    return "\n".join(lines)


def page(rows: list[dict[str, Any]], verdicts: list[dict[str, Any]], marks: list[float], about: dict[str, Any]) -> str:
    """Return the page for the docs."""
    words = (
        f"Measured on {about['date']} with `{about['command']}` of version {about['version']} on {about['machine']}. "
    )
    words += f"The peers, pinned: {', '.join(about['pins'])}."
    bars = f"## What is promised\n\n{lay_out_bars(verdicts)}\n" if verdicts else ""
    return f"# Against the field\n\n{words}\n\n{HOW}\n## Rates and gaps\n\n{lay_out(rows, marks)}\n\n{bars}"


def about(command: list[str], pins: list[str]) -> dict[str, Any]:
    """Say when, how and on what it was measured; folders of this machine are nobody's business."""
    load = f", load {os.getloadavg()[0]:.1f} at the end" if hasattr(os, "getloadavg") else ""
    words = [word for before, word in itertools.pairwise(["", *command[1:]]) if "--env" not in (before, word)]
    named = [Path(word).name if Path(word).is_absolute() else word for word in words]
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "command": " ".join(["python benchmarks/peers.py", *named]),
        "version": swarmkit.__version__,
        "machine": f"{os.cpu_count()} cores ({platform.machine()}), Python {platform.python_version()}{load}",
        "pins": pins,
    }
