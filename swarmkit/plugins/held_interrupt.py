"""Ctrl-C held back while something is changed that must not be left half done."""

from __future__ import annotations

import signal
import threading
from types import TracebackType
from typing import Any


class HeldInterrupt:
    """Hold Ctrl-C back inside a `with` block and handle it at the end, by the handler that was there before.

    Only the main thread is interrupted by Ctrl-C; elsewhere, and where signals have no handler, nothing is done.
    """

    def __enter__(self) -> None:
        self._pressed = False
        self._handler: Any = None
        if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
            self._handler = signal.signal(signal.SIGINT, self._press)

    def _press(self, number: int, frame: Any) -> None:
        self._pressed = True

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
            if self._pressed:
                self._handler(signal.SIGINT, None)
