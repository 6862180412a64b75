"""The limits of runs as options: one for each stopping criterion."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from inspect import Parameter
from typing import Annotated, Any

import typer

from swarmkit.stopping import Criterion, criteria


def count(text: str) -> int:
    """Return the integer that a text stands for; it may be written as 1e6 or 2_000_000.

    >>> count("1e6")
    1000000
    """
    try:
        number = float(text)
        if number != int(number):
            raise ValueError
        return int(number) if "e" in text.lower() else int(text)
    except (ValueError, OverflowError):
        raise typer.BadParameter(f"'{text}' is not a whole number.") from None


def with_limits(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with an option for every stopping criterion in place of its `**limits`.

    It is called with those limits that were given. The options stand after the option for the seed, or else first.
    """
    signature = inspect.signature(command, eval_str=True)
    parameters = [one for one in signature.parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
    names = [one.name for one in parameters]
    place = 1 + (names.index("seed") if "seed" in names else 0)
    parameters[place:place] = [_option(criterion) for criterion in criteria().values()]

    @functools.wraps(command)
    def with_given_limits(**values: Any) -> None:
        command(**{name: value for name, value in values.items() if name in names or value is not None})

    keywords = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in parameters]
    with_given_limits.__dict__["__signature__"] = signature.replace(parameters=keywords)
    return with_given_limits


def _option(criterion: type[Criterion]) -> Parameter:
    """Return the option of a criterion as a parameter of a command."""
    hint: Any = Annotated[float | None, typer.Option(help=criterion.__doc__)]
    if criterion.number is int:
        hint = Annotated[int | None, typer.Option(parser=count, metavar="NUMBER", help=criterion.__doc__)]
    return Parameter(criterion.name, Parameter.KEYWORD_ONLY, default=None, annotation=hint)
