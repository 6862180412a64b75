"""A solver's parameters, and what the harness asks of every solver; `Solver` is what an author writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from swarmkit.contract.deprecated import OldSteps
from swarmkit.contract.explanation import Explanation
from swarmkit.contract.settings import Settings, check_renamed, make_settings


class Method(OldSteps):
    """A method with parameters. The answers to the harness are those of a method that runs alone and proves nothing.

    A solver that runs others inherits from `Composite`, one that proves optima or bounds from `Prover`.
    """

    Params: ClassVar[type[Settings]] = Settings
    """What `-A key=value` sets, with ranges and meanings."""

    params: Any
    """The parameters of this solver, an object of `Params`."""

    renamed: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Spellings of earlier versions, where version 0.2 had them; now in `Params` (see `Settings.renamed`)."""

    proof_rank: ClassVar[int | None] = None
    proof_params: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    def __init__(self, **params: Any) -> None:
        self.params = self.make_params(params, type(self).__name__)

    @classmethod
    def make_params(cls, values: Mapping[str, Any], owner: str) -> Settings:
        """Return the parameters that some values stand for, defaults included.

        Args:
            values: names and values; a value may be the text of a command line.
            owner: how messages call the solver, for instance `solver 'icm'`.

        Raises:
            UsageError: a name or value is wrong; one of an earlier version comes with what to type instead.
        """
        check_renamed(cls.renamed, values, cls.Params, owner)
        return make_settings(cls.Params, values, owner)

    @property
    def inner(self) -> Sequence[Any]:
        """The solvers whose states are kept inside this solver's: a checkpoint may contain their dataclasses."""
        return ()

    @property
    def waits(self) -> bool:
        """Whether a step may end without a look, because a process outside is still at work: it has `finish`."""
        finish = next(base for base in type(self).__mro__ if "finish" in vars(base))
        return Method not in finish.__bases__  # Solver alone derives from it directly

    def stop(self) -> None:
        """End what works outside of this process; called when a run ends, whatever the reason."""

    def explain(self, problem: Any, state: Any) -> Explanation | None:
        """Return what this solver has chosen and why, if it chooses among others; results contain it.

        Args:
            problem: the problem of the run.
            state: the state at the end of the run.
        """
        return None

    def __repr__(self) -> str:
        fields = type(self.params).model_fields
        changed = [(name, v) for name, v in self.params if v != fields[name].get_default(call_default_factory=True)]
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in changed)})"
