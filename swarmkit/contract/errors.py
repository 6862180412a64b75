"""What can go wrong, as one small tree; the command line turns each into a sentence and an exit code.

SwarmkitError           everything below; exit code 2
├── UsageError          a name, a value or a file that cannot be used as given
├── ProblemError        a problem that broke its contract (NaN scores, wrong shapes, a stage without candidates)
├── SolverError         a solver that broke its contract (a claimed score that is not the problem's)
├── Refusal             a solver that cannot do a problem, in its own words
├── PluginError         a plugin that is broken, or two that claim one name
├── FailedRuns          a comparison in which some runs raised an error; exit code 1
└── MissingError        data or an extra that is not installed, with the way to get it; exit code 3

Interrupted             Ctrl-C during a run: a KeyboardInterrupt that carries the best so far; exit code 130
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from swarmkit.comparison.record import Failed, Record
    from swarmkit.contract.result import Result


class SwarmkitError(Exception):
    """The root: something a user or an author can mend, said in a sentence."""

    exit_code: ClassVar[int] = 2


class UsageError(SwarmkitError):
    """A name, a value or a file cannot be used as given."""


class ProblemError(SwarmkitError):
    """A problem broke its contract."""


class SolverError(SwarmkitError):
    """A solver broke its contract."""


class Refusal(SwarmkitError):
    """A solver cannot do this problem, and says why: `reason` alone, in the message with both names."""

    def __init__(self, solver: str, problem: str, reason: str) -> None:
        super().__init__(f"solver '{solver}' cannot do problem '{problem}': {reason}")
        self.reason = reason

    def __reduce__(self) -> tuple[object, ...]:
        return _refusal, (str(self), self.reason)  # it may come from another process


def _refusal(message: str, reason: str) -> Refusal:
    refusal = Refusal("", "", reason)
    refusal.args = (message,)
    return refusal


class PluginError(SwarmkitError):
    """A plugin is broken, or two plugins claim one name."""


class FailedRuns(SwarmkitError):
    """Some runs of a comparison raised an error; `records` has the others."""

    exit_code = 1

    def __init__(self, failed: Sequence[Failed], records: list[Record]) -> None:
        first = failed[0]
        more = f"; {len(failed) - 1} more failed" if len(failed) > 1 else ""
        super().__init__(f"{first.method} on {first.instance}, run {first.key[:12]}: {first.error}{more}")
        self.failed, self.records = list(failed), records


class MissingError(SwarmkitError):
    """Data or an optional package is missing; the message says how to get it."""

    exit_code = 3


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run between two steps; `result` is the best so far."""

    exit_code: ClassVar[int] = 130

    def __init__(self, result: Result) -> None:
        super().__init__("interrupted")
        self.result = result


def unknown(kind: str, name: str, known: Iterable[str], see: str = "") -> UsageError:
    """Say that a name is unknown, with the nearest right one.

    >>> print(unknown("solver", "gredy", ["greedy", "icm"]))
    no solver named 'gredy'. Did you mean 'greedy'?
    >>> print(unknown("solver", "x", ["greedy", "icm"], see="'swarmkit list' shows all."))
    no solver named 'x'. There are: greedy, icm. 'swarmkit list' shows all.
    """
    names = sorted(known)
    near = get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"Did you mean '{near[0]}'?" if near else f"There are: {', '.join(names)}." if names else "There are none."
    return UsageError(" ".join(filter(None, [f"no {kind} named '{name}'.", hint, see])))
