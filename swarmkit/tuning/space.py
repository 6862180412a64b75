"""The search space of a solver's parameters, from the ranges in its Settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from swarmkit.contract.errors import UsageError, unknown
from swarmkit.contract.settings import Settings

if TYPE_CHECKING:
    from optuna import Trial

SPAN = 10
"""A number with a wide range is searched from its default divided by this to its default times this."""

SMALLEST = 1e-6
"""How far a number stays from a bound that is not part of its range, as a share of the range."""


class Dimension(NamedTuple):
    """A parameter and the values it may take."""

    name: str
    default: Any
    choices: tuple[Any, ...] = ()
    """The values of a parameter that is no number."""
    low: float = 0.0
    high: float = 0.0
    whole: bool = False
    """Whether only whole numbers are meant."""
    log: bool = False
    """Whether values are drawn evenly in their logarithms."""

    def suggest(self, trial: Trial) -> Any:
        """Return the value that a trial of Optuna proposes."""
        if self.choices:
            return trial.suggest_categorical(self.name, self.choices)
        if self.whole:
            return trial.suggest_int(self.name, int(self.low), int(self.high), log=self.log)
        return trial.suggest_float(self.name, self.low, self.high, log=self.log)

    def contains(self, value: Any) -> bool:
        """Whether a value lies in the search space."""
        if self.choices:
            return value in self.choices
        return isinstance(value, int | float) and self.low <= value <= self.high

    @property
    def words(self) -> str:
        """The range in words."""
        if self.choices:
            return " or ".join(map(str, self.choices))
        return f"{self.low:g} to {self.high:g}{', in logarithms' if self.log else ''}"


def search_space(
    model: type[Settings], *, only: Sequence[str] = (), fixed: Mapping[str, Any] | None = None
) -> list[Dimension]:
    """Return the parameters that can be tuned, with their ranges.

    Numbers are searched in their range as far as that is within a tenth to ten times the default; parameters with a
    few values (also true and false) among all of them. Texts, lists and numbers without default are left as they are.

    Args:
        model: the class of a solver's parameters.
        only: the names of the parameters to tune; by default all that are not fixed.
        fixed: parameters that keep a given value.

    Raises:
        UsageError: a name is unknown, a parameter has no range, or nothing is left to tune.
    """
    properties: dict[str, Any] = model.model_json_schema().get("properties", {})
    for name in only:
        if name not in properties:
            raise unknown("parameter", name, properties)
        if fixed and name in fixed:
            raise UsageError(f"'{name}' has a fixed value (-A) and is to be tuned; leave one of them out")
    names = [name for name in properties if name in (only or properties) and name not in (fixed or {})]
    dimensions = (_dimension(name, properties[name]) for name in names)
    space = [dimension for dimension in dimensions if dimension is not None]
    missing = sorted(set(only) - {dimension.name for dimension in space})
    if missing:
        raise UsageError(f"'{missing[0]}' has no range of numbers and no list of values, so it cannot be tuned")
    if not space:
        raise UsageError("the solver has no parameter with a range to tune")
    return space


def _dimension(name: str, entry: Mapping[str, Any]) -> Dimension | None:
    """Return the dimension of an entry of a JSON schema, None if it has neither values nor a range."""
    kinds = [kind for kind in entry.get("anyOf", [entry]) if kind.get("type") != "null"]
    kind, default = kinds[0], entry.get("default")
    # Several types, such as a number or a name, have no common range; None beside one type is one more value.
    if len(kinds) != 1 or (default is None and "enum" not in kind):
        return None
    if kind.get("type") == "boolean":
        return Dimension(name, default, (False, True))
    if "enum" in kind:
        optional = (None,) if len(kinds) < len(entry.get("anyOf", [entry])) else ()
        return Dimension(name, default, (*kind["enum"], *optional))
    if kind.get("type") in ("integer", "number") and default is not None:
        return _numbers(name, default, kind)
    return None


def _numbers(name: str, default: float, kind: Mapping[str, Any]) -> Dimension:
    """Return the range of a number around its default.

    >>> _numbers("population", 100, {"type": "integer", "minimum": 2, "maximum": 1000000})[3:]
    (10.0, 1000.0, True, True)
    >>> _numbers("rate", 0.5, {"type": "number", "minimum": 0, "maximum": 1})[3:]
    (0.0, 1.0, False, False)
    """
    whole = kind["type"] == "integer"
    minimum = float(kind.get("minimum", kind.get("exclusiveMinimum", -float("inf"))))
    maximum = float(kind.get("maximum", kind.get("exclusiveMaximum", float("inf"))))
    if (minimum, maximum) == (0.0, 1.0):
        low, high, log = 0.0, 1.0, False
    elif default > 0:  # a scale: ten times as much and a tenth are as far away
        low, high, log = max(minimum, default / SPAN), min(maximum, default * SPAN), True
    else:
        reach = max(1.0, abs(default) * SPAN)
        low, high, log = max(minimum, -reach), min(maximum, reach), False
    if whole:
        low, high = max(low, 1.0) if log else low, high
        low, high = float(round(low)), float(round(high))
    else:  # the bound itself is no value: stay beside it
        step = SMALLEST * (high - low)
        low += step if low == minimum and "exclusiveMinimum" in kind else 0.0
        high -= step if high == maximum and "exclusiveMaximum" in kind else 0.0
    return Dimension(name, default, (), low, high, whole, log)
