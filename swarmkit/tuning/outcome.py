"""What tuning found: the best setting, and how it does against the default on instances that it has not seen."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from swarmkit.contract.deprecated import warn
from swarmkit.tuning.storage import FAILED, is_whole

if TYPE_CHECKING:
    import optuna

    from swarmkit.tuning.task import TuningTask

MISSING_GAP = 1.0
"""The gap of a run without a feasible solution where the default found one: 100 %."""

LEVEL = 0.05
"""The p-value below which a difference on the test instances is called one."""


class TrialRow(NamedTuple):
    """A setting that was tried."""

    number: int
    setting: dict[str, Any]
    gap: float
    """Its mean gap to the default on the training instances that were run."""
    instances: int
    pruned: bool
    """Whether it ended early."""
    error: str | None = None
    """The message of a run that failed: the setting is out, and has no gap."""


@dataclass(frozen=True)
class Outcome:
    """The best setting found, with its mean gaps to the default: negative gaps are better scores."""

    solver: str
    """The name of the solver."""
    setting: dict[str, Any]
    """The parameters that differ from the default."""
    fixed: dict[str, Any]
    """The parameters that were not searched, and their values."""
    train_gap: float
    """The mean gap on the training instances, which is optimistic: the setting was chosen there."""
    test_gap: float | None
    """The mean gap on the test instances, with seeds of their own; None if the search was interrupted before."""
    test_better: int | None
    """The test instances on which the setting has a higher score than the default."""
    test_worse: int | None
    """The test instances on which it has a lower score."""
    train_rank: float
    """The mean rank of the setting on the training instances among all settings that were run on all of them."""
    p_value: float | None
    """Wilcoxon's signed-rank test on the test instances; None where all are equal."""
    trials: int
    """The settings that were tried."""
    pruned: int
    """Those among them that were ended early."""
    failed: int
    """Settings of which a run failed."""

    @property
    def words(self) -> str:
        """The result in a sentence."""
        if not self.setting:
            return "No setting that was tried is better than the default on the training instances."
        if self.train_gap > 0:  # the default was not tried itself, if the search began elsewhere (--from)
            return f"No setting that was tried is better than the default on the training instances. {self._on_test}"
        return self._on_test

    @property
    def _on_test(self) -> str:
        """The result on the test instances in a sentence."""
        if self.test_gap is None:
            so_far = f"a mean gap of {self.train_gap:+.2%} to the default on the training instances"
            return f"The best setting so far has {so_far}; it was not run on the test instances."
        change = f"{abs(self.test_gap):.2%} {'better' if self.test_gap < 0 else 'worse'}"
        difference = f"On the test instances the setting is {change} than the default on average"
        if self.p_value is None:
            return "On the test instances the setting and the default have equal scores."
        sure = f"Wilcoxon p = {self.p_value:.3g}"
        counts = f"better on {self.test_better}, worse on {self.test_worse}, {sure}"
        return f"{difference} ({counts}){'' if self.p_value < LEVEL else ': not shown to differ'}."

    @property
    def arguments(self) -> str:
        """The setting as options of the command line."""
        params = {**self.fixed, **self.setting}
        return " ".join(f"-A {shlex.quote(f'{name}={_text(value)}')}" for name, value in params.items())

    @property
    def toml(self) -> str:
        """The setting as an entry of an experiment file."""
        import tomli_w

        params = {**self.fixed, **self.setting}
        values = {name: _text(value) if value is None else value for name, value in params.items()}
        return tomli_w.dumps({"solvers": [{"name": self.solver, "params": values}]})

    def as_plain(self) -> dict[str, Any]:
        """Return the outcome as plain data, for JSON."""
        return {**asdict(self), "words": self.words, "arguments": self.arguments, "toml": self.toml}


class TuningInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a search: `outcome` has the best setting so far, which was not run on all test instances."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__("interrupted")
        self.outcome = outcome

    @property
    def found(self) -> Outcome:
        """The outcome; deprecated: `outcome`."""
        warn("TuningInterrupted.found is deprecated: it is TuningInterrupted.outcome now")
        return self.outcome


def gap(reference: float | None, score: float | None) -> float:
    """Return how far a score is below the reference, as a share of the reference.

    >>> gap(-100.0, -102.0), gap(50.0, 51.0), gap(50.0, None)
    (0.02, -0.02, 1.0)
    """
    if score is None:
        return 0.0 if reference is None else MISSING_GAP
    if reference is None:
        return -MISSING_GAP
    return (reference - score) / (abs(reference) or 1.0)  # a share of 0 is not defined


def outcome(
    task: TuningTask,
    best: Mapping[str, Any],
    study: optuna.Study,
    test: Mapping[str, Sequence[float | None]] | None = None,
) -> Outcome:
    """Return what a study found.

    Args:
        task: what was tuned.
        best: the best setting on the training instances.
        study: Optuna's study.
        test: the scores of `default` and `best` on the test instances; None if they were not run.
    """
    default = task.default
    trials = study.get_trials(deepcopy=False)
    whole = [trial for trial in trials if is_whole(trial)]
    pruned = sum(trial.state.name == "COMPLETE" for trial in trials) - len(whole)
    failed = sum(FAILED in trial.user_attrs for trial in trials)
    best_trial = min(whole, key=lambda trial: (trial.value, trial.number))
    gaps = None if test is None else [gap(*pair) for pair in zip(test["default"], test["best"], strict=True)]
    return Outcome(
        solver=task.solver,
        setting={name: value for name, value in best.items() if value != default[name]},
        fixed=dict(task.fixed or {}),
        train_gap=float(best_trial.value or 0.0),
        test_gap=None if gaps is None else float(np.mean(gaps)),
        test_better=None if gaps is None else sum(difference < 0 for difference in gaps),
        test_worse=None if gaps is None else sum(difference > 0 for difference in gaps),
        train_rank=_mean_rank(best_trial, whole, len(task.train)),
        p_value=signed_rank(gaps or []),
        trials=len(whole) + pruned + failed,
        pruned=pruned,
        failed=failed,
    )


def signed_rank(gaps: Sequence[float]) -> float | None:
    """Return the p-value of Wilcoxon's signed-rank test, None where all gaps are 0."""
    if not np.any(gaps):  # there is nothing to rank
        return None
    from scipy.stats import wilcoxon

    return float(wilcoxon(gaps).pvalue)


def _mean_rank(trial: Any, whole: Sequence[Any], instances: int) -> float:
    """Return the mean rank of a trial's gaps on the instances among the trials that were run on all of them, from 1."""
    table = np.array([[other.intermediate_values[at] for at in range(instances)] for other in whole])
    row = np.array([trial.intermediate_values[at] for at in range(instances)])
    # Ties share their mean rank; the trial itself is one of those that are equal.
    ranks = 1 + (table < row).sum(axis=0) + ((table == row).sum(axis=0) - 1) / 2
    return float(ranks.mean())


def _text(value: Any) -> str:
    """Return a value as it is given on the command line."""
    if value is None:
        return "none"
    return value if isinstance(value, str) else json.dumps(value)
