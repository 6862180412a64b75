"""Write the tables of settings into the pages: `python docs/tables.py`; a test holds the pages to the models.

A table stands between `<!-- settings: solver sa -->` and `<!-- end of settings -->`.
"""

from __future__ import annotations

import re
from pathlib import Path

from swarmkit import find
from swarmkit.cli.listing import parameters

FOLDER = Path(__file__).parent
PLACE = re.compile(r"(<!-- settings: (problem|solver) ([\w-]+) -->\n).*?(<!-- end of settings -->)", re.S)


def table(kind: str, name: str) -> str:
    """Write the settings of a problem or solver as a Markdown table."""
    offered = find(kind, name)
    rows = parameters(offered.Options if kind == "problem" else offered.Params)
    if not rows:
        return "It takes no settings.\n"
    flag = "-P" if kind == "problem" else "-A"
    lines = [f"| `{flag}` name | value | default | meaning |", "|---|---|---|---|"]
    for row in rows:
        cells = [f"`{row['name']}`", row["value"], f"`{row['default']}`", row["meaning"]]
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines) + "\n"


def filled(text: str) -> str:
    """Give a page with its tables as the models are now."""
    return PLACE.sub(lambda place: f"{place[1]}\n{table(place[2], place[3])}\n{place[4]}", text)


if __name__ == "__main__":
    for page in sorted(FOLDER.glob("**/*.md")):
        before = page.read_text(encoding="utf-8")
        if (after := filled(before)) != before:
            page.write_text(after, encoding="utf-8")
            print(f"{page.relative_to(FOLDER)}: brought up to date")
