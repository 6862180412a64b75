"""An extension of Griffe, which reads docstrings: their examples become blocks of code.

Without it Markdown takes `>>>` for three nested quotations.
"""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

EXAMPLE = re.compile(r"^>>> .+(?:\n(?!\s*$).+)*(?:\n\n>>> .+(?:\n(?!\s*$).+)*)*", re.M)


class Doctests(Extension):
    """Fences the examples in docstrings."""

    def on_object(self, *, obj: Object, **_given: Any) -> None:
        """Fence the examples of a function, class, attribute or module."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    r"""Return a docstring whose examples are blocks of code.

    >>> fenced("Add.\n\n>>> 1 + 1\n2\n\nThe end.")
    'Add.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nThe end.'
    """
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", text)
