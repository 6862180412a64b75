"""What MkDocs does not do by itself: pages from files outside `docs`, equations as MathML, movies of the gallery.

MkDocs calls the functions by their names (`hooks` in mkdocs.yml).
"""

from __future__ import annotations

import posixpath
import re
import sys
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from latex2mathml.converter import convert
from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]

OUTSIDE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Pages that lie outside `docs`, and their addresses on the site."""

HOME = "README.md"
"""The page that stands for the project's README on the site."""

ASKED = ("which-solver.md", "own-problem.md", "comparing.md", "wsd.md")
"""Pages that the search lists first among pages with the same words."""

LINK = re.compile(r"(\]\()([^)#:\s]+)((?:#[^)]*)?\))")
EQUATION = re.compile(r'<(span|div) class="arithmatex">(.*?)</\1>', re.S)
FILE_NAME = re.compile(r"^<!-- file: (\S+) -->\n```(\S+)$", re.M)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside `docs`, the page of examples, and the movies."""
    for source, address in OUTSIDE.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, address, content=with_links(text, source, address)))
    files.append(File.generated(config, "examples.md", content=examples()))
    for name, page in movies().items():
        files.append(File.generated(config, f"movies/{name}.html", content=page))
    return files


def on_page_markdown(markdown: str, page: Page, **_given: Any) -> str:
    """Point links that leave `docs` to their pages on the site, and show the names of files above their blocks.

    The home page has the whole width; what is asked most comes first in the search.
    """
    address = page.file.src_uri
    if address == HOME:
        page.meta["hide"] = ["navigation", "toc"]
    if address in ASKED:
        page.meta["search"] = {"boost": 4}
    if address not in OUTSIDE.values():
        markdown = with_links(markdown, posixpath.join("docs", address), address)
    return FILE_NAME.sub(r'```\2 title="\1"', markdown)


def on_page_content(html: str, **_given: Any) -> str:
    """Typeset the equations of a page."""
    return EQUATION.sub(lambda found: equation(found[2], display=found[1] == "div"), html)


def equation(marked: str, *, display: bool) -> str:
    r"""Return an equation as MathML, which browsers typeset without a script.

    >>> equation(r"\(x_1\)", display=False)[:5]
    '<math'
    """
    source = unescape(marked).strip()[2:-2]
    made = convert(source, display="block" if display else "inline")
    return f'<div class="equation">{made}</div>' if display else made


def with_links(text: str, source: str, address: str) -> str:
    """Return a page with links for the site; `source` is its place in the project, `address` that on the site.

    >>> with_links("[a](../CHANGELOG.md#x) [b](looks.md) [c](../examples/plugin)", "docs/a.md", "a.md")
    '[a](changelog.md#x) [b](looks.md) [c](examples.md)'
    >>> with_links("[a](docs/looks.md)", "CHANGELOG.md", "changelog.md")
    '[a](looks.md)'
    """

    def moved(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), found[2]))
        if target.startswith("docs/"):
            there = target.removeprefix("docs/")
        elif target.startswith(("examples", "benchmarks/")) and target not in OUTSIDE:
            there = "examples.md" if target.startswith("examples") else "benchmarks.md"
        else:
            there = OUTSIDE.get(target, HOME)
        return found[1] + posixpath.relpath(there, posixpath.dirname(address) or ".") + found[3]

    return LINK.sub(moved, text)


def examples() -> str:
    """Return the page with the programs of `examples`."""
    kinds = {".py": "python", ".toml": "toml"}
    lines = ["# Examples", "", "The programs of the folder `examples`; the tests run them.", ""]
    for path in sorted((ROOT / "examples").rglob("*")):
        hidden = any(part.startswith((".", "__pycache__")) or part.endswith(".egg-info") for part in path.parts)
        if path.suffix in kinds and not hidden:
            name = path.relative_to(ROOT).as_posix()
            code = path.read_text(encoding="utf-8").rstrip()
            lines += [f"## {name}", "", f'````{kinds[path.suffix]} title="{name}"', code, "````", ""]
    return "\n".join(lines)


def movies() -> dict[str, str]:
    """Return the movies of the gallery by name."""
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        import gallery
    finally:
        sys.path.remove(str(ROOT / "docs"))
    made: dict[str, Any] = gallery.movies()
    return made
