"""Rows as the text of a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    r"""Return rows as CSV with a header of all their columns, in the order in which they first occur.

    >>> csv_text([{"city": "Bonn, D", "x": 1}, {"city": "Ulm"}])
    'city,x\n"Bonn, D",1\nUlm,\n'
    """
    text = io.StringIO()
    columns = dict.fromkeys(column for row in rows for column in row)
    writer = csv.DictWriter(text, fieldnames=list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
