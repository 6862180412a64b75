"""Pages that hold everything they need: scripts and styles are inlined, and their policy names them by hashes."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

HOME = Path(__file__).parent
"""The folder of the scripts and styles."""

CHART = (HOME / "chart.js", HOME / "chart.css")
"""The script and the style of charts."""

VIEWER_SCRIPTS = (CHART[0], *(HOME / name for name in ("scenes.js", "words.js", "viewer.js")))
"""The scripts of the viewer, in their order; what uses `Viewer` comes after them."""

VIEWER_STYLES = (CHART[1], HOME / "viewer.css")
"""The style sheets of the viewer."""


class PageParts(NamedTuple):
    """What is inlined into a page, and the content security policy that lets nothing else run."""

    script: str
    style: str
    policy: str


def inline(scripts: Sequence[Path], styles: Sequence[Path]) -> PageParts:
    """Return the texts of some scripts as one script, of some style sheets as one, and the policy for both.

    Args:
        scripts: files of JavaScript; each may use the names that those before it define.
        styles: style sheets, in the order in which they apply.
    """
    # The hash is of exactly these bytes: a page that changes a character of them runs nothing.
    script = '"use strict";\n' + "\n".join(path.read_text(encoding="utf-8") for path in scripts)
    style = "\n".join(path.read_text(encoding="utf-8") for path in styles)
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src '{digest(script)}'",
            f"style-src '{digest(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    return PageParts(script, style, policy)


def digest(text: str) -> str:
    """Return the hash of a text as a content security policy names it.

    >>> digest("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def packed(data: Any) -> str:
    """Return data as compressed JSON in base64, which a script unpacks by `DecompressionStream("gzip")`."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    # Without the time in the header, so that the same data make the same page.
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def as_script(data: Any) -> str:
    r"""Return JSON that is safe inside a script element: no character of it can end the element.

    >>> as_script(["</script>"])
    '["\\u003c/script\\u003e"]'
    """
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
