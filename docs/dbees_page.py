"""Write the measured tables of `dbees-2014.md`: `python docs/dbees_page.py document.json`; a test compares them.

The document is what `swarmkit experiment dbees-2014 --all --json` prints. What the page shows of it is kept in
`dbees-2014.json`; without a document the tables are made of that again.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
PAGE, STORED = FOLDER / "dbees-2014.md", FOLDER / "dbees-2014.json"
PLACE = re.compile(r"(<!-- measured: (\w+) -->\n).*?(<!-- end of measured -->)", re.S)


def shown(document: dict[str, Any]) -> dict[str, Any]:
    """Return what the page shows of the command's document: all tables but times, and the F1 of every run."""
    tables = {
        title: [{name: cell for name, cell in row.items() if name != "seconds"} for row in rows]
        for title, rows in document["tables"].items()
    }
    runs = {f"{row['block']}/{row['method']}": [run["micro"]["f1"] for run in row["runs"]] for row in document["rows"]}
    return {"blocks": document["blocks"], "tables": tables, "runs": runs}


def table_of(stored: dict[str, Any], beginning: str) -> list[dict[str, str]]:
    """Return the rows of the table whose title begins with these words."""
    return next(rows for title, rows in stored["tables"].items() if title.startswith(beginning))


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


def filled(text: str, stored: dict[str, Any]) -> str:
    """Return the page with its tables made of what is stored."""
    made = {"results": results, "tests": tests}
    return PLACE.sub(lambda place: "\n".join([place[1], *made[place[2]](stored), "", place[3]]), text)


def main() -> None:
    """Keep what the page shows of a document, if there is one, and write the tables."""
    if sys.argv[1:]:
        document = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
        STORED.write_text(json.dumps(shown(document), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), stored), encoding="utf-8")


if __name__ == "__main__":
    main()
