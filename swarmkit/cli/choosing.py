"""Several problems and solvers on one command line, and whose option each `-P` and `-A` is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from swarmkit.contract.errors import UsageError


def parse_settings(given: Sequence[str] | None, flag: str) -> dict[str, str]:
    """Return `key=value` arguments as a dictionary.

    Args:
        given: the arguments; None for none.
        flag: the option that they were given with, for messages.

    >>> parse_settings(["n=3", "text=a=b"], "-P")
    {'n': '3', 'text': 'a=b'}
    """
    pairs: dict[str, str] = {}
    for entry in given or []:
        key, equals, value = entry.partition("=")
        if not equals or not key:
            raise UsageError(f"{flag} {entry}: expected key=value")
        if key in pairs:
            raise UsageError(f"{flag} {key} is given twice")
        pairs[key] = value
    return pairs


def parse_fixed(given: Sequence[str] | None) -> dict[int, int]:
    """Return the `stage=candidate` arguments of -F as numbers.

    >>> parse_fixed(["0=3", "7=1"])
    {0: 3, 7: 1}
    """
    pairs = parse_settings(given, "-F")
    for stage, candidate in pairs.items():
        if not (stage.strip().isdecimal() and candidate.strip().isdecimal()):
            raise UsageError(f"-F {stage}={candidate}: expected STAGE=CANDIDATE, two numbers that count from 0")
    return {int(stage): int(candidate) for stage, candidate in pairs.items()}


def split_names(given: Sequence[str] | None) -> list[str]:
    """Return the names of an option that may be repeated, and may have several names separated by commas.

    >>> split_names(["sa, icm", "ga"])
    ['sa', 'icm', 'ga']
    """
    return [name.strip() for entry in given or [] for name in entry.split(",") if name.strip()]


def only(given: Sequence[str], flag: str) -> str:
    """Return the one name of an option; several are refused in words.

    >>> only(["tsp"], "-p")
    'tsp'
    """
    if len(given) > 1:
        what = "problem" if flag == "-p" else "solver"
        named = ", ".join(given)
        raise UsageError(
            f"solve takes one {what}; {flag} names {len(given)} ({named}): 'swarmkit compare' takes several"
        )
    return given[0]


def problem_entries(names: Sequence[str], options: Sequence[str] | None) -> list[dict[str, Any]]:
    """Return the problems of an experiment, each with its options.

    PROBLEM.KEY=VALUE is an option of that problem, KEY=VALUE one of all problems which have it.
    """
    from swarmkit.plugins.host import host

    settings = {name: set(host().find("problem", name).value.Options.model_fields) for name in names}
    own: dict[str, dict[str, str]] = {name: {} for name in names}
    for entry, value in _plain_first(parse_settings(options, "-P")):
        prefix, dot, key = entry.partition(".")
        if dot and prefix not in own:
            raise UsageError(f"-P {entry}: expected PROBLEM.KEY=VALUE, with a problem of -p: {', '.join(own)}")
        having = [prefix] if dot else [name for name in own if entry in settings[name]]
        if not having and len(own) == 1:
            having = list(own)  # its settings say what is wrong with the name
        if not having:
            raise UsageError(f"-P {entry}: none of the problems has such an option: {', '.join(own)}")
        for name in having:
            own[name][key if dot else entry] = value
    return [{"name": name, "options": typed("problem", name, own[name])} for name in names]


def solver_entries(names: Sequence[str], params: Sequence[str] | None) -> list[dict[str, Any]]:
    """Return the solvers of an experiment, each with the parameters that SOLVER.KEY=VALUE gives it."""
    own: dict[str, dict[str, str]] = {name: {} for name in names}
    for entry, value in parse_settings(params, "-A").items():
        solver, dot, key = entry.partition(".")
        if not dot or solver not in own:
            raise UsageError(f"-A {entry}: expected SOLVER.KEY=VALUE, with a solver of --algos: {', '.join(own)}")
        own[solver][key] = value
    return [{"name": name, "params": typed("solver", name, own[name])} for name in names]


def typed(kind: str, name: str, settings: dict[str, str]) -> dict[str, Any]:
    """Return the settings of a problem or solver with their texts converted to values."""
    from swarmkit.plugins.factory import settings_of

    whole = settings_of(kind, name, settings).model_dump(mode="json")
    return {key: whole[key] for key in settings}


def _plain_first(settings: dict[str, str]) -> list[tuple[str, str]]:
    """Return settings with those of all problems first, so that one problem's own comes after and counts."""
    return sorted(settings.items(), key=lambda entry: "." in entry[0])
