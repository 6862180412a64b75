"""Reports of comparisons: one HTML file that needs nothing else, and tables in Markdown and LaTeX.

from swarmkit.report import make_page
Path("report.html").write_text(make_page(records))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from swarmkit.doors import open_lazily

if TYPE_CHECKING:
    from swarmkit.report.page import make_page
    from swarmkit.report.reproduction import Reproduction, reproduce
    from swarmkit.report.tables import latex_table, markdown_table

_HOME = {
    "page": ["make_page"],
    "reproduction": ["Reproduction", "reproduce"],
    "tables": ["latex_table", "markdown_table"],
}

__getattr__, __dir__ = open_lazily("swarmkit.report", _HOME)

__all__ = ["Reproduction", "latex_table", "make_page", "markdown_table", "reproduce"]
