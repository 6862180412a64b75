"""Settings proposed by Optuna's sampler, and what it is told of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from swarmkit.contract.errors import UsageError
from swarmkit.tuning.outcome import TrialRow, gap
from swarmkit.tuning.storage import EARLY, FAILED, FIRST_INSTANCES, REFUSAL, SLOW, is_orphan, is_whole
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
    def count(self) -> int:
        """The settings that were begun, without those that were refused or lost."""
        return sum(REFUSAL not in trial.user_attrs for trial in self._proposals)

    @property
    def seconds(self) -> float:
        """The seconds that the settings took which are dactive."""
        durations = (trial.duration for trial in self._proposals if trial.state.is_finished())
        return float(sum(duration.total_seconds() for duration in durations if duration is not None))

    @property
    def whole(self) -> list[Any]:
        """The settings that were run on all training instances."""
        return [trial for trial in self._proposals if is_whole(trial)]

    @property
    def _proposals(self) -> list[Any]:
        trials = self.study.get_trials(deepcopy=False)
        return [trial for trial in trials if trial.state.name != "WAITING" and not is_orphan(trial)]

    def ask(self) -> Active:
        """Return the next setting that the solver accepts."""
        from optuna.trial import TrialState

        for _ in range(REFUSALS):
            # Seeds depend on the number of the proposal, so that a search that was stopped goes on as the same search.
            seeds = np.random.SeedSequence([self.task.seed, len(self._proposals)])
            self.study.sampler = sampler(int(seeds.generate_state(1)[0]))
            trial = self.study.ask()
            setting = {dimension.name: round_value(dimension.suggest(trial)) for dimension in self.task.space}
            if self.task.allows(setting):
                order = np.random.default_rng(seeds).permutation(len(self.task.train)).tolist()
                return Active(trial, setting, order)
            trial.set_user_attr(REFUSAL, True)  # before it fails: else it would look like one that was lost
            self.study.tell(trial, state=TrialState.FAIL)
        raise UsageError(f"the solver refuses {REFUSALS:,} settings in a row; tune fewer parameters (--only)")

    def tell(self, active: Active, score: float | None, ready: Callable[[TrialRow], None]) -> bool:
        """Take the score of a setting on its next instance; return whether the setting is dactive.

        The value of a setting that ends early is the mean of the gaps that it has: the sampler learns from it, as the
        documentation of the pruner says. It cannot be the best: the pruner lets a setting with a smaller mean go on.
        """
        instance = active.next
        active.gaps.append(gap(self.reference[instance], score))
        active.trial.report(active.gaps[-1], instance)
        count, whole = len(active.gaps), len(active.gaps) == len(active.order)
        early = not whole and count >= FIRST_INSTANCES and count not in SLOW and active.trial.should_prune()
        if not whole and not early:
            return False
        if early:
            active.trial.set_user_attr(EARLY, True)
        mean = float(np.mean(active.gaps))
        self.study.tell(active.trial, mean)
        ready(TrialRow(active.trial.number, active.setting, mean, count, early))
        return True

    def fail(self, active: Active, error: str, ready: Callable[[TrialRow], None]) -> None:
        """Take note that a run of a setting failed: the setting is out, and the search goes on."""
        from optuna.trial import TrialState

        active.trial.set_user_attr(FAILED, error)
        self.study.tell(active.trial, state=TrialState.FAIL)
        ready(TrialRow(active.trial.number, active.setting, float("nan"), len(active.gaps), False, error))

    def best(self) -> dict[str, Any]:
        """Return the setting with the smallest mean gap, of equal ones the first."""
        if not self.whole:
            raise UsageError("no setting was run on all training instances; give more trials or more time")
        setting = min(self.whole, key=lambda trial: (trial.value, trial.number)).params
        return {name: round_value(value) for name, value in setting.items()}


def sampler(seed: int) -> BaseSampler:
    """Return the sampler that makes a proposal: a tree-structured Parzen estimator of all parameters jointly.

    Settings that are being run elsewhere count as poor ones, so that they are not proposed twice.
    """
    from optuna.samplers import TPESampler

    return TPESampler(seed=seed, multivariate=True, constant_liar=True)


def round_value(value: Any) -> Any:
    """Return a number with four significant digits: a setting is copied by people.

    >>> round_value(0.04462902848708922), round_value("2opt"), round_value(27)
    (0.04463, '2opt', 27)
    """
    return float(f"{value:.4g}") if isinstance(value, float) else value
