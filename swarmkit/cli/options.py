"""What several commands share: options, limits, groups, and the reading of names and settings on a command line."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any

import typer

from swarmkit.contract.errors import UsageError
from swarmkit.files.writing import check_writable, write_atomically
from swarmkit.stopping import Criterion, criteria

JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
OptionsOption = Annotated[list[str] | None, typer.Option("-P", metavar="KEY=VALUE", help="A problem's option.")]
ParamsOption = Annotated[list[str] | None, typer.Option("-A", metavar="KEY=VALUE", help="A solver's parameter.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]


def new_group(help_text: str, epilog: str = "", *, help_without_command: bool = True) -> typer.Typer:
    """Return a group of commands with plain help and plain tracebacks.

    Args:
        help_text: what the commands are for.
        epilog: the last line of the help, for instance an example.
        help_without_command: whether the group alone, without a command, shows its help.
    """
    return typer.Typer(
        help=help_text,
        epilog=epilog,
        no_args_is_help=help_without_command,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def check_outputs(force: bool, *paths: Path | None) -> None:
    """Refuse files that cannot be written, or that exist unless `force` is given, before any work is done."""
    for path in filter(None, paths):
        check_writable(path, force, "Give another name, or --force to overwrite it.")


@contextmanager
def write_after(path: Path | None, text: Callable[[], str]) -> Iterator[None]:
    """Write a file, if there is one to write, after what is printed inside: a full disk does not lose the answer.

    Args:
        path: the file; None for none.
        text: makes its content.
    """
    try:
        yield
        sys.stdout.flush()
    finally:
        if path:
            write_atomically(path, text().encode())


def say(sentence: str) -> None:
    """Print a sentence to people, apart from the answer."""
    print(sentence, file=sys.stderr, flush=True)


def count(text: str) -> int:
    """Return the integer that a text stands for; it may be written as 1e6 or 2_000_000.

    >>> count("1e6")
    1000000
    """
    try:
        number = float(text)
        if number != int(number):  # 1e6 is a whole number, 1.5 is none
            raise ValueError
        return int(number) if "e" in text.lower() else int(text)
    except (ValueError, OverflowError):
        raise typer.BadParameter(f"'{text}' is not a whole number.") from None


def with_limits(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with an option for every stopping criterion in place of its `**limits`.

    It is called with those limits that were given. The options stand after the option for the seed, or else first.
    """
    signature = inspect.signature(command, eval_str=True)
    parameters = [p for p in signature.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
    names = [parameter.name for parameter in parameters]
    place = 1 + (names.index("seed") if "seed" in names else 0)
    parameters[place:place] = [_option(criterion) for criterion in criteria().values()]

    @functools.wraps(command)
    def with_limits_set(**values: Any) -> None:
        command(**{name: value for name, value in values.items() if name in names or value is not None})

    keywords = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in parameters]
    with_limits_set.__dict__["__signature__"] = signature.replace(parameters=keywords)  # what typer reads
    return with_limits_set


def _option(criterion: type[Criterion]) -> Parameter:
    """Return the option of a criterion as a parameter of a command."""
    hint: Any = Annotated[float | None, typer.Option(help=criterion.__doc__)]
    if criterion.number is int:
        hint = Annotated[int | None, typer.Option(parser=count, metavar="NUMBER", help=criterion.__doc__)]
    return Parameter(criterion.name, Parameter.KEYWORD_ONLY, default=None, annotation=hint)


def parse_settings(given: Sequence[str] | None, flag: str) -> dict[str, str]:
    """Return `key=value` arguments as a dictionary.

    Args:
        given: the arguments; None for none.
        flag: the option that they were given with, for messages.

    >>> parse_settings(["n=3", "text=a=b"], "-P")
    {'n': '3', 'text': 'a=b'}
    """
    pairs: dict[str, str] = {}  # of texts: what type a value has is said by the settings of its owner
    for entry in given or []:
        key, equals, value = entry.partition("=")
        if not equals or not key:
            raise UsageError(f"{flag} {entry}: expected key=value")
        if key in pairs:
            raise UsageError(f"{flag} {key} is given twice")
        pairs[key] = value
    return pairs


def parse_fixed(arguments: Sequence[str] | None) -> dict[int, int]:
    """Return the `stage=candidate` arguments of -F as numbers.

    >>> parse_fixed(["0=3", "7=1"])
    {0: 3, 7: 1}
    """
    pairs = parse_settings(arguments, "-F")
    for stage, candidate in pairs.items():
        if not (stage.strip().isdecimal() and candidate.strip().isdecimal()):
            raise UsageError(f"-F {stage}={candidate}: expected STAGE=CANDIDATE, two numbers that count from 0")
    return {int(stage): int(candidate) for stage, candidate in pairs.items()}


def split_names(arguments: Sequence[str] | None) -> list[str]:
    """Return the names of an option that may be repeated, and may have several names separated by commas.

    >>> split_names(["sa, icm", "ga"])
    ['sa', 'icm', 'ga']
    """
    return [name.strip() for entry in arguments or [] for name in entry.split(",") if name.strip()]


def single_name(names: Sequence[str], flag: str) -> str:
    """Return the one name of an option; several are refused in words.

    >>> single_name(["tsp"], "-p")
    'tsp'
    """
    if len(names) > 1:
        kind, listing = "problem" if flag == "-p" else "solver", ", ".join(names)
        raise UsageError(
            f"solve takes one {kind}; {flag} names {len(names)} ({listing}): 'swarmkit compare' takes several"
        )
    return names[0]


def problem_entries(names: Sequence[str], options: Sequence[str] | None) -> list[dict[str, Any]]:
    """Return the problems of an experiment, each with its options.

    PROBLEM.KEY=VALUE is an option of that problem, KEY=VALUE one of all problems which have it.
    """
    from swarmkit.plugins.host import host

    settings = {name: set(host().find("problem", name).value.Options.model_fields) for name in names}
    values: dict[str, dict[str, str]] = {name: {} for name in names}
    # The settings of all problems come first, so that a problem's own comes after them and counts.
    for entry, value in sorted(parse_settings(options, "-P").items(), key=lambda item: "." in item[0]):
        prefix, dot, key = entry.partition(".")
        if dot and prefix not in values:
            raise UsageError(f"-P {entry}: expected PROBLEM.KEY=VALUE, with a problem of -p: {', '.join(values)}")
        owners = [prefix] if dot else [name for name in values if entry in settings[name]]
        if not owners and len(values) == 1:
            owners = list(values)  # its settings say what is wrong with the name
        if not owners:
            raise UsageError(f"-P {entry}: none of the problems has such an option: {', '.join(values)}")
        for name in owners:
            values[name][key if dot else entry] = value
    return [{"name": name, "options": convert_settings("problem", name, values[name])} for name in names]


def solver_entries(names: Sequence[str], params: Sequence[str] | None) -> list[dict[str, Any]]:
    """Return the solvers of an experiment, each with the parameters that SOLVER.KEY=VALUE gives it."""
    values: dict[str, dict[str, str]] = {name: {} for name in names}
    for entry, value in parse_settings(params, "-A").items():
        solver, dot, key = entry.partition(".")
        if not dot or solver not in values:
            raise UsageError(f"-A {entry}: expected SOLVER.KEY=VALUE, with a solver of --algos: {', '.join(values)}")
        values[solver][key] = value
    return [{"name": name, "params": convert_settings("solver", name, values[name])} for name in names]


def convert_settings(kind: str, name: str, settings: dict[str, str]) -> dict[str, Any]:
    """Return the settings of a problem or solver with their texts converted to values."""
    from swarmkit.plugins.factory import settings_of

    model = settings_of(kind, name, settings)
    values = model.model_dump(mode="json")
    names = (model.deprecated.get(key, key) for key in settings)
    return {key: values[key] for key in names}  # defaults are left out: an experiment shows what was set
