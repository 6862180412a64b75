"""The search for a better setting: Optuna proposes, instances are run in shuffled order, poor settings end early."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from swarmkit.contract.errors import UsageError
from swarmkit.plugins.factory import make_solver
from swarmkit.running.interrupts import handled_interrupts, interrupts
from swarmkit.running.parallel import check_scheduler, run_tasks
from swarmkit.tuning.outcome import Outcome, TrialRow, TuningInterrupted, gap, outcome
from swarmkit.tuning.storage import (
    EARLY,
    FAILED,
    FIRST_INSTANCES,
    REFERENCE,
    REFUSAL,
    SLOW,
    is_orphan,
    is_whole,
    opened_study,
    run_lost_again,
)
from swarmkit.tuning.task import TEST, TRAINING, Run, TuningTask, run_once

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


class Places(NamedTuple):
    """Where a study lives, and where its runs are made."""

    study: Path | None = None
    """The file of Optuna's storage; None keeps the study in memory."""
    jobs: int = 1
    backend: str = "loky"
    scheduler: str | None = None


class Listeners(NamedTuple):
    """What is told about the progress of a search."""

    ready: Callable[[TrialRow], None] = lambda _: None
    """Called with each setting that is done."""
    begins: Callable[[str], None] = lambda _: None
    """Called with a sentence where a part of the work begins."""


def tune(
    task: TuningTask,
    trials: int = 50,
    *,
    seconds: float | None = None,
    start: Mapping[str, Any] | None = None,
    places: Places | None = None,
    listeners: Listeners | None = None,
) -> Outcome:
    """Search for a setting with a smaller mean gap to the default, and compare both on the test instances.

    The reference of each training instance is the default's mean score there. A setting is run on the instances in
    shuffled order; Wilcoxon's signed-rank test against the best setting so far ends it early (Optuna's WilcoxonPruner).
    A study in a file continues where it was stopped; a setting that was being run then is run again.

    Args:
        task: solver, instances and budget.
        trials: the settings to try in all, those of a stored study included.
        seconds: limit on the time of the search, that before a stop included; a setting that is being run is completed.
        start: parameters in which the first setting differs from the default, which is then not tried itself; without
            it the first setting is the default.
        places: the study's file, and the processes or the cluster of the runs; by default memory and this process.
        listeners: what is told about the progress.

    Raises:
        TuningInterrupted: Ctrl-C, after a setting was run on all training instances.
    """
    places, listeners = places or Places(), listeners or Listeners()
    # All that can be wrong is said before the study is opened, and before any run is made.
    first = {**task.default, **_checked_start(task, start or {})}
    task.check()
    check_scheduler(places.backend, places.scheduler)
    with handled_interrupts(), opened_study(task, places.study) as study:
        run = _Runner(task, places)
        proposals = _prepare(study, run, first, listeners)
        listeners.begins(f"searching, {proposals.count} of {trials} settings are done")
        try:
            _search(proposals, run, trials, seconds, listeners.ready)
            best = proposals.best()
            listeners.begins(f"running the default and the best setting on {len(task.test)} test instances")
            settings = {"default": task.default, "best": best}
            test = {name: run.means(setting, TEST) for name, setting in settings.items()}  # seeds of its own
            return outcome(task, best, study, test)
        except KeyboardInterrupt:
            if not proposals.whole:  # there is no best setting to tell of
                raise
            raise TuningInterrupted(outcome(task, proposals.best(), study)) from None


def _prepare(study: Study, run: _Runner, first: Mapping[str, Any], listeners: Listeners) -> Proposals:
    """Return the proposals of a study which has the default's scores, and the settings that are to be run first."""
    task = run.task
    if REFERENCE not in study.user_attrs:
        listeners.begins(f"running the default on {len(task.train)} training instances")
        study.set_user_attr(REFERENCE, run.means(task.default, TRAINING))
    if not study.get_trials(deepcopy=False):
        study.enqueue_trial(dict(first))
    run_lost_again(study, set(task.default))
    return Proposals(task, study, study.user_attrs[REFERENCE])


def _search(
    proposals: Proposals, run: _Runner, trials: int, seconds: float | None, ready: Callable[[TrialRow], None]
) -> None:
    """Run settings, as many at a time as there are jobs, each an instance at a time, until trials or time are spent."""
    # The settings of a stored study took their time side by side: the sum is divided among the jobs.
    ends = None if seconds is None else time.monotonic() + seconds - proposals.seconds / run.jobs
    active: list[Active] = []
    while True:
        while len(active) < run.jobs and proposals.count < trials and (ends is None or time.monotonic() < ends):
            active.append(proposals.ask())
        if not active:
            return
        results = run.instances([(setting.setting, setting.next) for setting in active], TRAINING)
        pairs = zip(active, results, strict=True)
        active = [setting for setting, result in pairs if not _hear(proposals, setting, result, ready)]


def _hear(proposals: Proposals, setting: Active, result: Run, ready: Callable[[TrialRow], None]) -> bool:
    """Tell the sampler what came of a setting on an instance; return whether the setting is done."""
    if result.error is None:
        return proposals.tell(setting, result.score, ready)
    proposals.fail(setting, result.error, ready)
    return True


class _Runner:
    """Runs of settings on instances, on processes or a cluster."""

    def __init__(self, task: TuningTask, places: Places) -> None:
        self.task, self.places = task, places

    @property
    def jobs(self) -> int:
        """The settings that are run at a time."""
        return max(1, self.places.jobs)

    def instances(self, requests: Sequence[tuple[Mapping[str, Any], int]], part: int) -> list[Run]:
        """Return the mean score of each setting on its instance, which is None if one of the runs found nothing."""
        task, (_, jobs, backend, scheduler) = self.task, self.places
        calls = [call for setting, instance in requests for call in task.calls(setting, instance, part)]
        runs = dict[int, Run]()
        for number, run in run_tasks(run_once, calls, jobs, backend=backend, scheduler=scheduler):
            runs[number] = run
            interrupts.check()
        return [_mean([runs[at * task.runs + i] for i in range(task.runs)]) for at in range(len(requests))]

    def means(self, setting: Mapping[str, Any], part: int) -> list[float | None]:
        """Return the mean score of a setting on every instance of a set; refuse a setting that fails."""
        instances = (self.task.train, self.task.test)[part]
        runs = self.instances([(setting, at) for at in range(len(instances))], part)
        for run, instance in zip(runs, instances, strict=True):
            if run.error is not None:
                raise UsageError(f"a run of {dict(setting)} on {instance.key} failed: {run.error}")
        return [run.score for run in runs]


def _mean(runs: Sequence[Run]) -> Run:
    """Return the mean of runs: None if one found nothing, and the first error if one failed."""
    scores = [run.score for run in runs if run.score is not None]
    error = next((run.error for run in runs if run.error is not None), None)
    return Run(float(np.mean(scores)) if len(scores) == len(runs) else None, error)


def _checked_start(task: TuningTask, start: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse a start outside the search space."""
    space = {dimension.name: dimension for dimension in task.space}
    solver = make_solver(task.solver, **{**(task.fixed or {}), **start})
    values = {name: getattr(solver.params, name) for name in start}
    for name, value in values.items():
        if name not in space:
            raise UsageError(f"the start sets '{name}', which is not tuned; tuned are: {', '.join(space)}")
        if not space[name].contains(value):
            raise UsageError(f"the start has {name}={value}; the search goes from {space[name].words}")
    return values
