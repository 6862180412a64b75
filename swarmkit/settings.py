"""Settings: the frozen pydantic models behind `-P` (a problem's options) and `-A` (a solver's parameters)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from swarmkit.errors import UsageError, unknown


class Settings(BaseModel):
    """Base of `Problem.Options` and `Solver.Params`: values cannot change, unknown names are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True)


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
        raise UsageError(f"{owner}: {'; '.join(_sentence(entry) for entry in error.errors())}") from None


def _from_text(value: Any) -> Any:
    """Read lists and objects, which a command line can only give as JSON; leave the rest to pydantic."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def _sentence(entry: Any) -> str:
    name = ".".join(map(str, entry["loc"]))
    said = str(entry["msg"]).removeprefix("Value error, ")
    if entry["type"] == "missing":
        return f"'{name}' is needed"
    given = f" (given: {entry['input']!r})" if entry["loc"] else ""
    return f"{f'{name}: ' if name else ''}{said[:1].lower()}{said[1:]}{given}"
