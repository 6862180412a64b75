"""The exceptions of swarmkit; the command line shows each as a sentence and ends with its exit code.

```text
SwarmkitError           everything below; exit code 2
├── UsageError          a name, a value or a file that cannot be used as given
├── ProblemError        a problem that broke its contract (NaN scores, wrong shapes, a stage without candidates)
├── SolverError         a solver that broke its contract (a score that is not the problem's)
├── Refusal             a solver that cannot solve a problem, with its reason
├── PluginError         a plugin that is broken, or two that offer one name
│   └── PluginFailure   a plugin whose code raised an error, with the place; exit code 1
├── FailedRuns          a comparison in which some runs raised an error; exit code 1
└── MissingError        data or an extra that is not installed, with the way to get it; exit code 3

Interrupted             Ctrl-C during a run: a KeyboardInterrupt with the best solution so far; exit code 130
```
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from swarmkit.comparison.record import Failed, Record
    from swarmkit.contract.result import Result


DISTRIBUTION = "pyswarmkit"
"""The name of the distribution; the import and the command are called swarmkit."""

LONGEST_NAME = 100
"""Characters of a name that a message shows."""


class SwarmkitError(Exception):
    """The base class: an error that a user or an author of a plugin can fix; its message is a sentence."""

    exit_code: ClassVar[int] = 2
    """The exit code of the command line."""


class UsageError(SwarmkitError):
    """A name, a value or a file cannot be used as given."""


class ProblemError(SwarmkitError):
    """A problem broke its contract."""


class SolverError(SwarmkitError):
    """A solver broke its contract."""


class Refusal(SwarmkitError):
    """A solver cannot solve a problem; the message has both names and `reason`, which is also an attribute."""

    def __init__(self, solver: str, problem: str, reason: str) -> None:
        super().__init__(f"solver '{solver}' cannot do problem '{problem}': {reason}")
        self.solver, self.problem, self.reason = solver, problem, reason

    def __reduce__(self) -> tuple[object, ...]:
        return Refusal, (self.solver, self.problem, self.reason)  # it may be pickled by another process


class PluginError(SwarmkitError):
    """A plugin is broken, or two plugins offer one name."""


class PluginFailure(PluginError):
    """The code of a plugin raised an error; the message names the plugin, its distribution, the method and the line."""

    exit_code = 1


class FailedRuns(SwarmkitError):
    """Some runs of a comparison raised an error: `failed` lists them, `records` the others."""

    exit_code = 1

    def __init__(self, failed: Sequence[Failed], records: list[Record]) -> None:
        first = failed[0]
        rest = f"; {len(failed) - 1} more failed" if len(failed) > 1 else ""
        super().__init__(f"{first.method} on {first.instance}, run {first.key[:12]}: {first.error}{rest}")
        self.failed, self.records = list(failed), records


class MissingError(SwarmkitError):
    """Data or an optional package is missing; the message contains the command that installs it."""

    exit_code = 3


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run, or several at a time: `results` are their results so far, `result` the first of them."""

    exit_code: ClassVar[int] = 130

    def __init__(self, result: Result, *others: Result) -> None:
        super().__init__("interrupted")
        self.result = result
        self.results = [result, *others]

    def __reduce__(self) -> tuple[object, ...]:
        return Interrupted, tuple(self.results)  # it may be pickled by another process


def unknown(kind: str, name: str, known: Iterable[str], see: str = "") -> UsageError:
    """Return the error for an unknown name, with the most similar known one.

    Args:
        kind: what has no such name: `solver`.
        name: the unknown name.
        known: the names that exist.
        see: where all of them are listed, as a sentence.

    >>> print(unknown("solver", "gredy", ["greedy", "icm"]))
    no solver named 'gredy'. Did you mean 'greedy'?
    >>> print(unknown("solver", "x", ["greedy", "icm"], see="'swarmkit list' shows all."))
    no solver named 'x'. There are: greedy, icm. 'swarmkit list' shows all.
    """
    names = sorted(known)
    # A low cutoff: a suggestion that does not fit costs less than none.
    near = get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"Did you mean '{near[0]}'?" if near else f"There are: {', '.join(names)}." if names else "There are none."
    short = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
    return UsageError(" ".join(filter(None, [f"no {kind} named '{short}'.", hint, see])))


def install_hint(extra: str) -> str:
    """Return the command that installs what an extra needs, for the way in which swarmkit itself was installed.

    Args:
        extra: the name of the extra, for instance `report`.
    """
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlparse
    from urllib.request import url2pathname

    try:
        package = distribution(DISTRIBUTION)
    except PackageNotFoundError:  # run from a folder that was never installed
        return f'pip install -e ".[{extra}]", in the folder of its pyproject.toml'
    source = json.loads(package.read_text("direct_url.json") or "{}")
    if source.get("dir_info", {}).get("editable"):
        return f'pip install -e ".[{extra}]", in {url2pathname(urlparse(source["url"]).path)}'
    if source:
        vcs = source.get("vcs_info", {})
        address = f"{vcs['vcs']}+{source['url']}@{vcs['commit_id']}" if vcs else source["url"]
        return f'pip install "{DISTRIBUTION}[{extra}] @ {address}"'
    # A requirement of the metadata, with its marker: scipy>=1.11; extra == 'report'
    requirements = [line.replace('"', "'").partition(";") for line in package.requires or []]
    names = [name.strip() for name, _, marker in requirements if f"extra=='{extra}'" in marker.replace(" ", "")]
    return " ".join(["pip install", *(f'"{name}"' for name in names)])
