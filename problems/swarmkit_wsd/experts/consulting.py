"""Which experts a command asks, as plain data that other processes can be given."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from swarmkit import UsageError, registered
from swarmkit_wsd.experts.panel import ASK_BELOW, RELIABILITY, Panel
from swarmkit_wsd.experts.program import SECONDS, Program


class Consulting(NamedTuple):
    """The experts of a command and when they are asked."""

    experts: tuple[str, ...] = ()
    """Commands, or names of experts that plugins offer."""
    ask_below: float = ASK_BELOW
    reliability: float = RELIABILITY
    """Of experts that state none."""
    seconds: float = SECONDS
    """The time limit of a program's answer."""

    @property
    def at_the_terminal(self) -> bool:
        """Whether one of the experts is a person at the terminal."""
        return "interactive" in self.experts


def consulting(
    experts: list[str] | None, ask_below: float | None, reliability: float | None, seconds: float | None
) -> Consulting:
    """Return the experts of a command's options, where None is the default.

    Raises:
        UsageError: there is an option about experts, and no expert; or a command that cannot be split.
    """
    options = {"ask_below": ask_below, "reliability": reliability, "seconds": seconds}
    given = {name: value for name, value in options.items() if value is not None}
    if given and not experts:
        flags = {"ask_below": "--ask-below", "reliability": "--reliability", "seconds": "--expert-seconds"}
        raise UsageError(f"{flags[next(iter(given))]} goes with --expert, a program that is asked, or 'interactive'")
    for command in experts or []:
        if command not in registered("expert"):
            Program(command)
    return Consulting(tuple(experts or ()), **given)


def open_panel(settings: Consulting, notice: Callable[[str], None]) -> Panel:
    """Return the panel of some experts; `Panel.close` ends their programs.

    Args:
        settings: the experts.
        notice: as of `Panel`.
    """
    offered = registered("expert")
    experts = [offered[name] if name in offered else Program(name, settings.seconds) for name in settings.experts]
    return Panel(experts, settings.ask_below, settings.reliability, notice)
