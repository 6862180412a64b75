"""Messages to the person who waits while WordNet is fetched or compiled."""

from __future__ import annotations

import sys
from collections.abc import Callable

Notice = Callable[[str], None]
"""Shows a message."""


def print_notice(message: str) -> None:
    """Print a message on standard error, apart from the results."""
    print(message, file=sys.stderr, flush=True)
