"""The search for a better setting: Optuna proposes, instances are run in shuffled order, poor settings end early."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from swarmkit.contract.errors import MissingError, UsageError, install_hint
from swarmkit.plugins.factory import make_solver
from swarmkit.running.parallel import run_tasks
from swarmkit.tuning.outcome import Outcome, TrialRow, gap, outcome
from swarmkit.tuning.task import TEST, TRAINING, TuningTask, run_once

if TYPE_CHECKING:
    from optuna import Study, Trial

PRUNING_LEVEL = 0.1
"""The p-value of Wilcoxon's signed-rank test below which a setting that is behind the best ends early."""

FIRST_INSTANCES = 4
"""The instances of a setting before it may end early."""

REFERENCE, FACTS = "swarmkit reference", "swarmkit task"
"""What a study keeps of its task."""


class Places(NamedTuple):
    """Where a study lives, and where its runs are made."""

    study: Path | None = None
    """The file of Optuna's storage; None keeps the study in memory."""
    jobs: int = 1
    backend: str = "loky"
    scheduler: str | None = None


@dataclass
class Active:
    """A setting that is being run, an instance at a time."""

    trial: Trial
    setting: dict[str, Any]
    order: list[int]
    gaps: list[float] = field(default_factory=list)


def tune(
    task: TuningTask,
    trials: int = 50,
    *,
    seconds: float | None = None,
    start: Mapping[str, Any] | None = None,
    places: Places | None = None,
    ready: Callable[[TrialRow], None] = lambda _: None,
) -> Outcome:
    """Search for a setting with a smaller mean gap to the default, and compare both on the test instances.

    The reference of each training instance is the default's mean score there. A setting is run on the instances in
    shuffled order; Wilcoxon's signed-rank test against the best setting so far ends it early (Optuna's WilcoxonPruner).
    A study in a file goes on where it was stopped; a setting that was being run then is run again.

    Args:
        task: solver, instances and budget.
        trials: the settings to try in all, those of a stored study included.
        seconds: limit on the time of the search; what is being run at its end is completed.
        start: parameters in which the first setting differs from the default.
        places: the study's file, and the processes or the cluster of the runs; by default memory and this process.
        ready: called with each setting that is done.
    """
    optuna, places = _optuna(), places or Places()
    task.check()
    first = {**task.default, **_checked_start(task, start or {})}
    study = _open(optuna, task, places)
    run = _Runner(places)
    if REFERENCE not in study.user_attrs:
        study.set_user_attr(REFERENCE, run.means(task, task.default, TRAINING))
        study.enqueue_trial(first)
    reference = study.user_attrs[REFERENCE]
    _run_again_what_was_stopped(optuna, study)
    search = _Search(optuna, task, study, reference)
    ends = None if seconds is None else time.monotonic() + seconds
    active: list[Active] = []
    while active or (search.begun < trials and (ends is None or time.monotonic() < ends)):
        more = ends is None or time.monotonic() < ends
        while more and len(active) < max(1, places.jobs) and search.begun < trials:
            active.append(search.ask())
        scores = run.instances(task, [(one.setting, one.order[len(one.gaps)]) for one in active])
        active = [one for one, score in zip(active, scores, strict=True) if not search.tell(one, score, ready)]
    best = search.best()
    test = {name: run.means(task, setting, TEST) for name, setting in (("default", task.default), ("best", best))}
    return outcome(task, best, study, reference, test)


class _Runner:
    """Runs of settings on instances, on processes or a cluster."""

    def __init__(self, places: Places) -> None:
        self.places = places

    def instances(
        self, task: TuningTask, wanted: Sequence[tuple[Mapping[str, Any], int]], part: int = TRAINING
    ) -> list[float | None]:
        """Return the mean score of each setting on its instance; None if a run found nothing."""
        calls = [call for setting, instance in wanted for call in task.calls(setting, instance, part)]
        jobs, backend, scheduler = self.places.jobs, self.places.backend, self.places.scheduler
        found = dict(run_tasks(run_once, calls, jobs, backend=backend, scheduler=scheduler))
        scores = [[found[at * task.runs + run] for run in range(task.runs)] for at in range(len(wanted))]
        return [None if None in row else float(np.mean([s for s in row if s is not None])) for row in scores]

    def means(self, task: TuningTask, setting: Mapping[str, Any], part: int) -> list[float | None]:
        """Return the mean score of a setting on every instance of a set."""
        count = len((task.train, task.test)[part])
        return self.instances(task, [(setting, instance) for instance in range(count)], part)


class _Search:
    """A study of Optuna that proposes settings and hears their gaps."""

    def __init__(self, optuna: Any, task: TuningTask, study: Study, reference: Sequence[float | None]) -> None:
        self.optuna, self.task, self.study, self.reference = optuna, task, study, reference
        self.states = optuna.trial.TrialState
        self.space = task.space

    @property
    def begun(self) -> int:
        """The settings that were begun and not lost."""
        return sum(
            trial.state in (self.states.COMPLETE, self.states.PRUNED, self.states.RUNNING) for trial in self._all
        )

    @property
    def _all(self) -> list[Any]:
        return self.study.get_trials(deepcopy=False)

    def ask(self) -> Active:
        """Return the next setting that the solver accepts."""
        while True:
            # The generator depends on what is done, not on when this process began: a resumed study is the same study.
            done = sum(trial.state.is_finished() for trial in self._all)
            self.study.sampler = self.optuna.samplers.TPESampler(seed=self.task.seed + done, multivariate=True)
            trial = self.study.ask()
            setting = {one.name: one.suggest(trial) for one in self.space}
            if self.task.allows(setting):
                order = np.random.default_rng([self.task.seed, done]).permutation(len(self.task.train)).tolist()
                return Active(trial, setting, order)
            self.study.tell(trial, state=self.states.FAIL)

    def tell(self, one: Active, score: float | None, ready: Callable[[TrialRow], None]) -> bool:
        """Take the score of a setting on its next instance; return whether the setting is done."""
        instance = one.order[len(one.gaps)]
        one.gaps.append(gap(self.reference[instance], score))
        one.trial.report(one.gaps[-1], instance)
        whole = len(one.gaps) == len(one.order)
        pruned = not whole and len(one.gaps) >= FIRST_INSTANCES and one.trial.should_prune()
        if not whole and not pruned:
            return False
        mean = float(np.mean(one.gaps))
        self.study.tell(one.trial, mean if whole else None, state=None if whole else self.states.PRUNED)
        ready(TrialRow(one.trial.number, one.setting, mean, len(one.gaps), pruned))
        return True

    def best(self) -> dict[str, Any]:
        """Return the setting with the smallest mean gap, of equal ones the first."""
        done = [trial for trial in self._all if trial.state == self.states.COMPLETE]
        if not done:
            raise UsageError("no setting was run on all training instances; give more trials or more time")
        found = min(done, key=lambda trial: (trial.value, trial.number)).params
        return {name: rounded(value) for name, value in found.items()}


def rounded(value: Any) -> Any:
    """Return a number with four significant digits: a setting is copied by people.

    >>> rounded(0.04462902848708922), rounded("2opt"), rounded(27)
    (0.04463, '2opt', 27)
    """
    return float(f"{value:.4g}") if isinstance(value, float) else value


def _optuna() -> Any:
    try:
        import optuna
    except ImportError as error:
        raise MissingError(f"tuning needs optuna, which the extra 'tune' installs: {install_hint('tune')}") from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    warnings.filterwarnings("ignore", category=optuna.exceptions.ExperimentalWarning)  # the pruner is what we want
    return optuna


def _open(optuna: Any, task: TuningTask, places: Places) -> Study:
    """Open or make the study; one of another task is refused."""
    pruner = optuna.pruners.WilcoxonPruner(p_threshold=PRUNING_LEVEL, n_startup_steps=FIRST_INSTANCES)
    url = None if places.study is None else f"sqlite:///{places.study.absolute()}"
    name = f"{task.solver} on {task.problem}"
    study: Study = optuna.create_study(storage=url, pruner=pruner, study_name=name, load_if_exists=True)
    facts = task.facts
    if study.user_attrs.setdefault(FACTS, facts) != facts:
        raise UsageError(f"{places.study}: holds a study of other instances, budgets or parameters; name another file")
    study.set_user_attr(FACTS, facts)
    return study


def _run_again_what_was_stopped(optuna: Any, study: Study) -> None:
    """Enqueue the settings that were being run when the study was stopped."""
    for trial in study.get_trials(deepcopy=False):
        if trial.state == optuna.trial.TrialState.RUNNING:
            study.tell(trial.number, state=optuna.trial.TrialState.FAIL)
            study.enqueue_trial(trial.params)


def _checked_start(task: TuningTask, start: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse a start outside the search space."""
    space = {one.name: one for one in task.space}
    made = make_solver(task.solver, **start)
    values = {name: getattr(made.params, name) for name in start}
    for name, value in values.items():
        if name not in space:
            raise UsageError(f"the start sets '{name}', which is not tuned")
        if not space[name].contains(value):
            raise UsageError(f"the start has {name}={value}; the search goes from {space[name].words}")
    return values
