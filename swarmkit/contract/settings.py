"""Settings: the frozen pydantic models behind `-P` (a problem's options) and `-A` (a solver's parameters)."""

from __future__ import annotations

import ast
import inspect
import textwrap
import warnings
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import Annotated, Any, ClassVar, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from swarmkit.contract.bounded_json import parse_json
from swarmkit.contract.errors import UsageError, unknown


class Settings(BaseModel):
    """Base of `Problem.Options` and `Solver.Params`: values cannot change, unknown names are refused.

    The docstring under a field describes it. It is read when the schema is needed: pydantic would read the source of
    every class when it is created, which would slow `swarmkit list` down.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    renamed: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Spellings of earlier versions, and what to type instead: a name (`preset`), or one value (`preset=auto`)."""

    deprecated: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Earlier names of settings, each with the name of now: they work, with a DeprecationWarning."""

    @classmethod
    def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:
        """Return the JSON schema, with the fields' docstrings as descriptions, and defaults that a factory makes."""
        # Here and not when the class is made: reading the source of every class would slow the start.
        schema = super().model_json_schema(*args, **options)
        meanings = _field_docstrings(cls)
        for name, entry in schema.get("properties", {}).items():
            if name in meanings:
                entry.setdefault("description", meanings[name])
            if cls.model_fields[name].default_factory is not None:
                entry.setdefault("default", cls.model_fields[name].get_default(call_default_factory=True))
        return schema


def _absolute(path: str) -> str:
    return str(Path(path).expanduser().absolute())


FileName = Annotated[str, AfterValidator(_absolute), Field(json_schema_extra={"format": "path"})]
"""A file in a problem's options: stored with its absolute path, so that a run can be repeated from any folder. Its
schema says so, and the studio then lets people choose a file."""

S = TypeVar("S", bound=Settings)

LARGEST = 2**63 - 1
"""The largest whole number of an option, a parameter or a limit: compiled code computes with 64 bits."""


def make_settings(model: type[S], values: Mapping[str, Any], owner: str) -> S:
    """Return settings with some values given, and the others at their defaults.

    Args:
        model: the class of the settings.
        values: the given values, by name. Text is parsed as on a command line: `"3"` is an integer, `"[1, 2]"` a list,
            `"none"` no number where a number may be left out.
        owner: whose settings they are, for messages: `solver 'icm'`.

    Raises:
        UsageError: a name is unknown or a value is wrong, in a sentence.

    >>> class Params(Settings):
    ...     population: int = 3
    >>> make_settings(Params, {"population": "5"}, "solver 'mine'").population
    5
    """
    refuse_old_names(model.renamed, values, model, owner)
    for old in model.deprecated.keys() & values.keys():
        warnings.warn(f"{owner}: '{old}' is deprecated: it is '{model.deprecated[old]}' now", DeprecationWarning, 2)
    values = {model.deprecated.get(name, name): value for name, value in values.items()}
    # American spellings of the names of settings: maximize, minimize.
    values = {_spelled(name, model): value for name, value in values.items()}
    for name in values:
        if name not in model.model_fields:
            raise UsageError(f"{owner}: {unknown('setting', name, model.model_fields)}")
    try:
        settings = model.model_validate({name: _from_text(value, model, name) for name, value in values.items()})
    except ValidationError as error:
        raise UsageError(f"{owner}: {'; '.join(sentence(entry) for entry in error.errors())}") from None
    except RecursionError:
        raise UsageError(f"{owner}: a value is nested too deeply") from None
    for name, value in settings:
        # pydantic has whole numbers of any size, kernels have 64 bits.
        if isinstance(value, int) and abs(value) > LARGEST:
            raise UsageError(f"{owner}: {name}: a whole number up to {LARGEST:,} is expected (given: {shown(value)})")
    return settings


def _spelled(name: str, model: type[Settings]) -> str:
    """Return the name of a setting that may be in American spelling."""
    british = name.replace("ize", "ise")
    return british if name not in model.model_fields and british in model.model_fields else name


def check_alternatives(settings: Settings, *groups: Sequence[str], expected: str) -> None:
    """Check that settings of one group at most differ from their defaults; a validator of a model calls this.

    A result has all options, so a value that equals its default counts as one that was left out.

    Args:
        settings: the settings.
        groups: the names of settings that may go together.
        expected: what the groups are, for the message.

    Raises:
        ValueError: settings of two groups are given.
    """
    defaults = type(settings).model_fields
    changes = [[name for name in group if getattr(settings, name) != defaults[name].default] for group in groups]
    names = [change[0] for change in changes if change]
    if len(names) > 1:
        raise ValueError(f"'{names[0]}' and '{names[1]}' are both given; expected {expected}")


def refuse_old_names(renamed: Mapping[str, str], values: Mapping[str, Any], model: type[Settings], owner: str) -> None:
    """Refuse a name or a value of an earlier version.

    Args:
        renamed: such spellings, and what to type instead.
        values: the values by name.
        model: the class of the settings.
        owner: whose settings they are, for messages.

    Raises:
        UsageError: with what to type instead.
    """
    for name, value in values.items():
        exists = name in model.model_fields
        text = value if isinstance(value, str) else shown(value)
        instead = renamed.get(f"{name}={text}", None if exists else renamed.get(name))
        if instead is not None:
            old = f"takes no {name}={value}" if exists else f"has no parameter '{name}'"
            raise UsageError(f"{owner} {old} any more. Type: {instead}")


def _field_docstrings(cls: type) -> dict[str, str]:
    """Return the docstrings under the fields of a class and of its base classes, by field."""
    docstrings: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        try:
            # A class inside a function is indented.
            tree = ast.parse(textwrap.dedent(inspect.getsource(base)))
        except (OSError, TypeError, SyntaxError):  # a class made at run time has no source
            continue
        for field, below in pairwise(getattr(tree.body[0], "body", [])):
            match field, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(meaning))):
                    docstrings[name] = inspect.cleandoc(meaning)
    return docstrings


def _from_text(value: Any, model: type[Settings], name: str) -> Any:
    """Return none, and lists and objects, which a command line gives as JSON, parsed; pydantic parses the rest."""
    if value == "none" and {*get_args(model.model_fields[name].annotation)} in ({int, NoneType}, {float, NoneType}):
        return None
    if isinstance(value, str) and value[:1] in ("[", "{"):
        try:
            return parse_json(value)
        except ValueError:
            return value
    return value


def sentence(entry: Any) -> str:
    """Return one of pydantic's errors as a sentence."""
    name = ".".join(map(str, entry["loc"]))
    message = str(entry["msg"]).removeprefix("Value error, ")
    if entry["type"] == "missing":
        return f"'{name}' is needed"
    echo = f" (given: {shown(entry['input'])})" if entry["loc"] else ""
    return f"{f'{name}: ' if name else ''}{message[:1].lower()}{message[1:]}{echo}"


def shown(value: Any, longest: int = 100) -> str:
    """Return a value for a message, cut after `longest` characters.

    >>> shown("three"), shown("x" * 1000, longest=8)
    ("'three'", "'xxxxxx…")
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # Python writes no number of more than 4,300 digits
        return "too large to show"
    return text if len(text) <= longest else text[: longest - 1] + "…"
