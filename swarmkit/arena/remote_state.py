"""The state of a solver in another process: fetched where a copy is needed, and moved from process to process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from swarmkit.arena.messages import Message
from swarmkit.arena.rules import Breach

MOVES = 8
"""The first calls before which State moves between processes; then it moves four times while their number doubles."""


class RemoteState:
    """The state of a solver, which is in its process; a copy has it as a message.

    Args:
        fetch: returns the message.
        saved: the message, None if it has not been fetched since the last step.
    """

    def __init__(self, fetch: Callable[[], Message], saved: Message | None = None) -> None:
        self._fetch, self._saved = fetch, saved

    def __deepcopy__(self, memo: object) -> RemoteState:
        return RemoteState(self._fetch, self.save())

    def save(self) -> Message:
        """Return the state as a message."""
        if self._saved is None:
            self._saved = self._fetch()
        return self._saved

    def change(self) -> None:
        """Forget the message: the process is about to change the state."""
        self._saved = None


def is_move(calls: int) -> bool:
    """Whether State moves before the next call.

    >>> [calls for calls in range(40) if is_move(calls)][7:]
    [7, 8, 10, 12, 14, 16, 20, 24, 28, 32]
    """
    return calls < MOVES or calls % (1 << (calls.bit_length() - 3)) == 0


@contextmanager
def saving() -> Iterator[None]:
    """Say of what fails inside that a State cannot be saved and restored."""
    try:
        yield
    except Breach as breach:
        raise Breach("state", f"Its State cannot be saved and restored: {breach}") from None
