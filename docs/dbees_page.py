"""Write `dbees-2014.md` from its template: `python docs/dbees_page.py document.json`; a test makes it again.

The document is what `swarmkit experiment dbees-2014 --all --json` prints. What the page shows of it is kept in
`dbees-2014.json`; without a document the page is made of that again. In the template, `{f1[chain/dbees]:.1f}` stands
for a figure of a row, `{f1[A - B]}` for a difference, `{lowest[A, B]}` and `{highest[A, B]}` for the ends of a range.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

FOLDER = Path(__file__).parent
PAGE, TEMPLATE, STORED = (FOLDER / f"dbees-2014.{ending}" for ending in ("md", "template", "json"))


def shown(document: dict[str, Any]) -> dict[str, Any]:
    """Return what the page shows of the command's document: all tables but times, and the F1 of every run."""
    tables = {
        title: [{name: cell for name, cell in row.items() if name != "seconds"} for row in rows]
        for title, rows in document["tables"].items()
    }
    runs = {f"{row['block']}/{row['method']}": [run["micro"]["f1"] for run in row["runs"]] for row in document["rows"]}
    kept = {name: document[name] for name in ("blocks", "published", "readings")}
    return kept | {"tables": tables, "runs": runs}


def table_of(stored: dict[str, Any], beginning: str) -> list[dict[str, str]]:
    """Return the rows of the table whose title begins with these words."""
    return next(rows for title, rows in stored["tables"].items() if title.startswith(beginning))


def texts(stored: dict[str, Any]) -> list[str]:
    """Return the lines of the table of the texts, what was published of each, and what follows from that."""
    head = [
        "text",
        "domain",
        "words",
        "annotated",
        "precision",
        "recall",
        "F1",
        "right words implied",
        "in whole words",
    ]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for row in table_of(stored, "Table 1"):
        if row["text"] in stored["published"]["articles"]:
            article = stored["published"]["articles"][row["text"]]
            cells = row | {"F1": article["f1"]} | {name: article[name] for name in ("precision", "recall")}
            lines.append(f"| {' | '.join(str(cells[name]) for name in head)} |")
    return lines


def results(stored: dict[str, Any]) -> list[str]:
    """Return the lines of the table of all rows, block after block."""
    lines = ["| score and method | runs | F1 | of the best | not first | published |", "|---|---|---|---|---|---|"]
    block = ""
    for row in table_of(stored, "Table 3"):
        if row["block"] == "published":
            continue
        if row["block"] != block:
            block = row["block"]
            lines.append(f"| **{block}: {stored['blocks'][block]}** | | | | | |")
        method = f"*{row['method']}*" if row["uses"] else row["method"]
        f1 = f"{row['F1']} ({row['interval']})" if row["interval"] else row["F1"]
        best = re.sub(r"([\d.]+)", r"\1 %", row["% of best"])
        lines.append(f"| {method} | {row['runs']} | {f1} | {best} | {row['% not first']} % | {row['published']} |")
    return lines


def tests(stored: dict[str, Any]) -> list[str]:
    """Return the lines of the table of tests."""
    rows = table_of(stored, "Tests")
    head = [*rows[0]]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return [*lines, *(f"| {' | '.join(row.values())} |" for row in rows)]


class Lookup:
    """What a template finds by a text in brackets.

    Args:
        function: the value for the text.
    """

    def __init__(self, function: Callable[[str], Any]) -> None:
        self._function = function

    def __getitem__(self, text: str) -> Any:
        return self._function(text)


def figures(stored: dict[str, Any]) -> dict[str, Any]:
    """Return the names that the template may use."""
    f1s = {row: 100 * fmean(runs) for row, runs in stored["runs"].items()}
    rows = {f"{row['block']}/{row['method']}": row for row in table_of(stored, "Table 3")}
    pairs = {f"{row['first']} and {row['second']}": row for row in table_of(stored, "Tests")}
    order = {row for row in f1s if rows[row]["uses"]}
    dbees = [row for row in f1s if row.split("/")[1].startswith("dbees")]
    published = {system["name"]: system["f1"] for system in stored["published"]["table 3"]}
    micro = stored["published"]["dbees micro f1"]
    drawn = [(*row.values(),) for row in table_of(stored, "Random answers")]

    def difference(text: str) -> float:
        row, *other = text.split(" - ")
        return f1s[row] - sum(f1s[each] for each in other)

    def members(text: str) -> list[float]:
        """Return the F1 of rows, or of the rows of a block that use no sense order."""
        names = text.split(", ")
        return [f1s[row] for row in f1s if row in names or (row.split("/")[0] in names and row not in order)]

    return {
        "f1": Lookup(difference),
        "worst": Lookup(lambda row: 100 * min(stored["runs"][row])),
        "best": Lookup(lambda row: 100 * max(stored["runs"][row])),
        "lowest": Lookup(lambda text: min(members(text))),
        "highest": Lookup(lambda text: max(members(text))),
        "runs": Lookup(lambda row: len(stored["runs"][row])),
        "share": Lookup(lambda row: float(rows[row]["% of best"].rstrip("?"))),
        "differing": Lookup(lambda row: rows[row]["% not first"]),
        "over_words": Lookup(lambda pair: pairs[pair]["words: p (McNemar)"]),
        "over_runs": Lookup(lambda pair: pairs[pair]["runs: p"]),
        "a12": Lookup(lambda pair: pairs[pair]["runs: A12"]),
        "below": Lookup(lambda row: micro - f1s[row]),
        "published": Lookup(lambda name: f"{published[name]:.2f}"),
        "dbees_micro": micro,
        "drawn": Lookup(lambda text: next(share for name, share in drawn if name.startswith(text))),
        "rows": len(f1s),
        "rows_of_dbees": len(dbees),
        "readings": stored["readings"],
        "texts": "\n".join(texts(stored)),
        "results": "\n".join(results(stored)),
        "tests": "\n".join(tests(stored)),
    }


def filled(template: str, stored: dict[str, Any]) -> str:
    """Return the page: the template with the figures that are stored."""
    return template.format(**figures(stored))


def main() -> None:
    """Keep what the page shows of a document, if there is one, and write the page."""
    if sys.argv[1:]:
        document = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
        STORED.write_text(json.dumps(shown(document), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    PAGE.write_text(filled(TEMPLATE.read_text(encoding="utf-8"), stored), encoding="utf-8")


if __name__ == "__main__":
    main()
