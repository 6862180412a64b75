"""Settings: the frozen pydantic models behind `-P` (a problem's options) and `-A` (a solver's parameters)."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from swarmkit.contract.errors import UsageError, unknown


class Settings(BaseModel):
    """Base of `Problem.Options` and `Solver.Params`: values cannot change, unknown names are refused.

    The docstring under a field is its meaning. It is read when the schema is asked for: pydantic would read the source
    of every class when it is made, which is felt in `swarmkit list`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    @classmethod
    def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:
        """Give the JSON schema, with the fields' docstrings as descriptions."""
        schema = super().model_json_schema(*args, **options)
        meanings = _field_docstrings(cls)
        for name, entry in schema.get("properties", {}).items():
            if name in meanings:
                entry.setdefault("description", meanings[name])
        return schema


def _absolute(path: str) -> str:
    return str(Path(path).expanduser().absolute())


FileName = Annotated[str, AfterValidator(_absolute)]
"""A file in a problem's options: kept with its whole path, so that a run can be repeated from anywhere."""

S = TypeVar("S", bound=Settings)


def make_settings(model: type[S], values: Mapping[str, Any], owner: str) -> S:
    """Make a model's settings from named values, or say in a sentence what is wrong with them.

    Text is read the way a command line gives it: `"3"` is an integer, `"[1, 2]"` a list.

    >>> class Params(Settings):
    ...     bees: int = 3
    >>> make_settings(Params, {"bees": "5"}, "solver 'bco'").bees
    5
    """
    for name in values:
        if name not in model.model_fields:
            raise UsageError(f"{owner}: {unknown('setting', name, model.model_fields)}")
    try:
        return model.model_validate({name: _from_text(value) for name, value in values.items()})
    except ValidationError as error:
        raise UsageError(f"{owner}: {'; '.join(sentence(entry) for entry in error.errors())}") from None


def _field_docstrings(cls: type) -> dict[str, str]:
    """Read the strings that stand under the fields of a class and of those it inherits from."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(base)))
        except (OSError, TypeError, SyntaxError):  # made at run time: there is no source to read
            continue
        for field, below in pairwise(getattr(tree.body[0], "body", [])):
            match field, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(meaning))):
                    found[name] = inspect.cleandoc(meaning)
    return found


def _from_text(value: Any) -> Any:
    """Read lists and objects, which a command line can only give as JSON; leave the rest to pydantic."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def sentence(entry: Any) -> str:
    """Say in words what pydantic found wrong with a value."""
    name = ".".join(map(str, entry["loc"]))
    said = str(entry["msg"]).removeprefix("Value error, ")
    if entry["type"] == "missing":
        return f"'{name}' is needed"
    given = f" (given: {entry['input']!r})" if entry["loc"] else ""
    return f"{f'{name}: ' if name else ''}{said[:1].lower()}{said[1:]}{given}"
