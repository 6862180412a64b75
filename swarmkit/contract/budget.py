"""When a run ends: limits on seconds, looks, iterations, a target and others, whichever is reached first."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, SerializerFunctionWrapHandler, create_model, model_serializer

from swarmkit.contract.settings import Settings, make_settings
from swarmkit.stopping import LIMITS_OF_0_2, Criterion, criteria, reason_to_stop

if TYPE_CHECKING:
    from swarmkit.contract.progress import Progress

    class Limits(Settings):
        """The limits as type checkers know them; the modules of `swarmkit.stopping` define them."""

        seconds: float | None = None
        cpu_seconds: float | None = None
        looks: int | None = None
        evaluations: int | None = None
        iterations: int | None = None
        target: float | None = None
        patience: int | None = None
else:

    def _field(criterion: type[Criterion]) -> Any:
        """Return type and default of a limit, as pydantic takes them."""
        above = 0 if criterion.positive else None
        return Annotated[criterion.number | None, Field(gt=above, description=criterion.__doc__)], None

    Limits = create_model("Limits", __base__=Settings, **{name: _field(kind) for name, kind in criteria().items()})


class Budget(Limits):
    """The limits of a run; the first one that is reached ends it."""

    @property
    def bounded(self) -> bool:
        """Whether the budget ends every run (a target alone may never be reached)."""
        return any(criterion.certain for criterion in self.criteria())

    def criteria(self) -> list[Criterion]:
        """Return the stopping criteria, in the order in which they are asked."""
        limits = {name: getattr(self, name) for name in criteria()}
        # By rank, so that of several limits which are reached at once the same one is named.
        rules = [kind(limits[name]) for name, kind in criteria().items() if limits[name] is not None]
        return sorted(rules, key=lambda criterion: criterion.rank)

    def spent(self, progress: Progress) -> str | None:
        """Return the name of the limit that is reached, or None."""
        return reason_to_stop(self.criteria(), progress)

    @model_serializer(mode="wrap")
    def _plain(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out limits that are not set and that version 0.2 did not have: the keys of its runs stay the same."""
        return {name: value for name, value in plain(self).items() if value is not None or name in LIMITS_OF_0_2}


DEFAULT: Mapping[str, float] = MappingProxyType({"looks": 2_000_000, "seconds": 60.0})
"""The limits of a run for which none was given: enough for a good answer, and not too long to wait for."""

DEFAULT_OF_BLACK_BOX: Mapping[str, float] = MappingProxyType({"seconds": 10.0})
"""The same for a problem without tables: how long a score takes is not known, so the clock decides."""


def budget(**limits: float | None) -> Budget:
    """Return a budget of the given limits; None is no limit.

    >>> budget(looks=1000, seconds=None).seconds is None
    True

    Args:
        limits: any fields of `Budget`.
    """
    return make_settings(Budget, {name: value for name, value in limits.items() if value is not None}, "budget")


def bounded_budget(limits: Budget, black_box: bool) -> Budget:
    """Return a budget that ends every run: the given one, with default limits if none of its own does.

    >>> bounded_budget(Budget(target=1.0), black_box=False).looks
    2000000

    Args:
        limits: the budget that was asked for.
        black_box: whether the problem is nothing but a score.
    """
    default = DEFAULT_OF_BLACK_BOX if black_box else DEFAULT
    return limits if limits.bounded else limits.model_copy(update=dict(default))
