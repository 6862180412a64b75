"""Settings proposed by Optuna's sampler, and what it is told of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from swarmkit.contract.errors import UsageError
from swarmkit.tuning.outcome import TrialRow, gap
from swarmkit.tuning.storage import EARLY, FAILED, FIRST_INSTANCES, REFUSED, SLOW, is_whole, lost
from swarmkit.tuning.task import TuningTask

if TYPE_CHECKING:
    from optuna import Study, Trial
    from optuna.samplers import BaseSampler

REFUSALS = 1000
"""The proposals in a row that the solver may refuse."""


@dataclass
class Active:
    """A setting that is being run, an instance at a time."""

    trial: Trial
    setting: dict[str, Any]
    order: list[int]
    """The training instances, shuffled."""
    gaps: list[float] = field(default_factory=list)

    @property
    def next(self) -> int:
        """The instance that it is run on next."""
        return self.order[len(self.gaps)]


class Proposals:
    """A study of Optuna that proposes settings and hears their gaps to the default."""

    def __init__(self, task: TuningTask, study: Study, reference: Sequence[float | None]) -> None:
        self.task, self.study, self.reference = task, study, reference

    @property
    def tried(self) -> int:
        """The settings that were begun, without those that were refused or lost."""
        return sum(REFUSED not in trial.user_attrs for trial in self._begun)

    @property
    def seconds(self) -> float:
        """The seconds that the settings took which are done."""
        took = (trial.duration for trial in self._begun if trial.state.is_finished())
        return float(sum(one.total_seconds() for one in took if one is not None))

    @property
    def whole(self) -> list[Any]:
        """The settings that were run on all training instances."""
        return [trial for trial in self._begun if is_whole(trial)]

    @property
    def _begun(self) -> list[Any]:
        trials = self.study.get_trials(deepcopy=False)
        return [trial for trial in trials if trial.state.name != "WAITING" and not lost(trial)]

    def ask(self) -> Active:
        """Return the next setting that the solver accepts."""
        from optuna.trial import TrialState

        for _ in range(REFUSALS):
            # Seeds depend on the number of the proposal, so that a search that was stopped goes on as the same search.
            seeds = np.random.SeedSequence([self.task.seed, len(self._begun)])
            self.study.sampler = sampler(int(seeds.generate_state(1)[0]))
            trial = self.study.ask()
            setting = {one.name: rounded(one.suggest(trial)) for one in self.task.space}
            if self.task.allows(setting):
                order = np.random.default_rng(seeds).permutation(len(self.task.train)).tolist()
                return Active(trial, setting, order)
            trial.set_user_attr(REFUSED, True)
            self.study.tell(trial, state=TrialState.FAIL)
        raise UsageError(f"the solver refuses {REFUSALS:,} settings in a row; tune fewer parameters (--only)")

    def tell(self, one: Active, score: float | None, ready: Callable[[TrialRow], None]) -> bool:
        """Take the score of a setting on its next instance; return whether the setting is done.

        The value of a setting that ends early is the mean of the gaps that it has: the sampler learns from it, as the
        documentation of the pruner says. It cannot be the best: the pruner lets a setting with a smaller mean go on.
        """
        instance = one.next
        one.gaps.append(gap(self.reference[instance], score))
        one.trial.report(one.gaps[-1], instance)
        seen, whole = len(one.gaps), len(one.gaps) == len(one.order)
        pruned = not whole and seen >= FIRST_INSTANCES and seen not in SLOW and one.trial.should_prune()
        if not whole and not pruned:
            return False
        if pruned:
            one.trial.set_user_attr(EARLY, True)
        mean = float(np.mean(one.gaps))
        self.study.tell(one.trial, mean)
        ready(TrialRow(one.trial.number, one.setting, mean, len(one.gaps), pruned))
        return True

    def fail(self, one: Active, error: str, ready: Callable[[TrialRow], None]) -> None:
        """Take note that a run of a setting failed: the setting is out, and the search goes on."""
        from optuna.trial import TrialState

        one.trial.set_user_attr(FAILED, error)
        self.study.tell(one.trial, state=TrialState.FAIL)
        ready(TrialRow(one.trial.number, one.setting, float("nan"), len(one.gaps), False, error))

    def best(self) -> dict[str, Any]:
        """Return the setting with the smallest mean gap, of equal ones the first."""
        if not self.whole:
            raise UsageError("no setting was run on all training instances; give more trials or more time")
        found = min(self.whole, key=lambda trial: (trial.value, trial.number)).params
        return {name: rounded(value) for name, value in found.items()}


def sampler(seed: int) -> BaseSampler:
    """Return the sampler that makes a proposal: a tree-structured Parzen estimator of all parameters jointly.

    Settings that are being run elsewhere count as poor ones, so that they are not proposed twice.
    """
    from optuna.samplers import TPESampler

    return TPESampler(seed=seed, multivariate=True, constant_liar=True)


def rounded(value: Any) -> Any:
    """Return a number with four significant digits: a setting is copied by people.

    >>> rounded(0.04462902848708922), rounded("2opt"), rounded(27)
    (0.04463, '2opt', 27)
    """
    return float(f"{value:.4g}") if isinstance(value, float) else value
