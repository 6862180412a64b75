"""A candidate for the defaults of a solver: tuned on training instances, simplified, and run on test instances."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import optuna

from retuning.families import Checked
from swarmkit import Budget
from swarmkit.tuning import Listeners, Places, TuningTask, tune
from swarmkit.tuning.outcome import gap
from swarmkit.tuning.storage import REFERENCE, is_whole
from swarmkit.tuning.study import round_value
from swarmkit.tuning.task import TEST, TRAINING, run_once, run_seed

TUNING_LOOKS = 300_000
"""The budget of a run while tuning."""

CHECKS = ((300_000, 2), (2_000_000, 1))
"""Budgets and runs on each test instance; 2 million looks are what a run has where no budget is given."""

LONGER = ((10_000_000, 1),)
"""A longer run, for candidates whose gain holds: a default is also used with more patience."""

KEPT = 0.9
"""The share of the gain that a simplified candidate must keep."""

EQUAL = "equal CPU time"
"""The budget with which the default has the CPU time of the candidate."""

FRESH = 1
"""The seed from which the seeds of the check are derived; the search has 0."""


class Candidate(NamedTuple):
    """A setting with its mean gaps to the default on the training instances."""

    setting: dict[str, Any]
    gap: float
    families: dict[str, float]

    @property
    def harm(self) -> float:
        """The sum of the gaps of the families in which the default is better."""
        return sum(gap for gap in self.families.values() if gap > 0)


@dataclass
class Check:
    """The training of one solver."""

    checked: Checked
    study: Path
    trials: int

    def __post_init__(self) -> None:
        self.task = TuningTask(
            solver=self.checked.solver,
            train=self.checked.training(),
            test=self.checked.test(),
            budget=Budget(looks=TUNING_LOOKS),
            fixed=self.checked.fixed,
            only=self.checked.only,
        )

    def candidate(self) -> Candidate | None:
        """Return the setting with the smallest mean gap, simplified; None if no setting beats the default.

        Of a candidate that is given, return its gaps.
        """
        given = self.checked.candidate
        tune(self.task, self.trials, places=Places(self.study), listeners=Listeners(begins=print))
        study = optuna.load_study(study_name=self.task.name, storage=f"sqlite:///{self.study}")
        self.reference = study.user_attrs[REFERENCE]
        if given is not None:
            return self._measured({**self.task.default, **given})
        done = [trial for trial in study.get_trials() if is_whole(trial)]
        settings = ({name: round_value(value) for name, value in trial.params.items()} for trial in done)
        found = [self._judged(own, trial.intermediate_values) for own, trial in zip(settings, done, strict=True)]
        best = min(found, key=lambda one: one.gap)
        return self._simplified(best) if best.gap < 0 else None

    def _simplified(self, candidate: Candidate) -> Candidate:
        """Set parameters back to their defaults while most of the gain remains (as in ablation analysis).

        Of several that can be set back the one goes first without which the families that get worse lose least.
        """
        current, default = candidate, self.task.default
        while len(changed := self.changes(current)) > 1:
            variants = [self._measured({**current.setting, name: default[name]}) for name in changed]
            good = [one for one in variants if one.gap <= KEPT * candidate.gap]
            if not good:
                break
            current = min(good, key=lambda one: (one.harm, one.gap))
        short = self._measured({name: two_digits(value) for name, value in current.setting.items()})
        return short if short.gap <= KEPT * candidate.gap else current

    def _measured(self, setting: dict[str, Any]) -> Candidate:
        scores = [run_once(*self.task.calls(setting, at, TRAINING)[0]).score for at in range(len(self.task.train))]
        return self._judged(setting, {at: gap(self.reference[at], score) for at, score in enumerate(scores)})

    def _judged(self, setting: dict[str, Any], gaps: Mapping[int, float]) -> Candidate:
        each = len(self.task.train) // len(self.checked.families)
        own = {name: fmean(gaps[at * each + i] for i in range(each)) for at, name in enumerate(self.checked.families)}
        return Candidate(dict(setting), fmean(gaps.values()), own)

    def changes(self, candidate: Candidate) -> dict[str, Any]:
        """Return the parameters in which a candidate differs from the default."""
        return {name: value for name, value in candidate.setting.items() if value != self.task.default[name]}


class Measured(NamedTuple):
    """Mean scores and CPU seconds of default and candidate on one instance with one budget."""

    family: str
    instance: str
    budget: str
    scores: Sequence[float | None]
    seconds: Sequence[float]

    @property
    def gap(self) -> float:
        """The candidate's gap to the default."""
        return gap(*self.scores)


class Runs(NamedTuple):
    """Runs of a setting on a test instance."""

    score: float | None
    seconds: float
    """CPU seconds of a run."""


def check(
    checked: Checked, candidate: Mapping[str, Any], budgets: Sequence[tuple[int, int]] = CHECKS
) -> list[Measured]:
    """Run the default and the candidate on the test instances, with seeds that no setting has been run with.

    Where the candidate needs more CPU time for its looks, the default is also run with as many more looks.
    """
    found, test, base = [], checked.test(), checked.before or {}
    for at, instance in enumerate(test):
        family = checked.families[at * len(checked.families) // len(test)]

        def run(setting: Mapping[str, Any], looks: float, runs: int, at: int = at) -> Runs:
            params = json.dumps({**(checked.fixed or {}), **setting}, sort_keys=True)
            budget, begun = Budget(looks=int(looks)), time.process_time()
            own = [
                run_once(test[at], checked.solver, params, budget, run_seed(FRESH, TEST, at, number)).score
                for number in range(runs)
            ]
            score = None if None in own else fmean(one for one in own if one is not None)
            return Runs(score, (time.process_time() - begun) / runs)

        for looks, runs in budgets:
            default, own = run(base, looks, runs), run(candidate, looks, runs)
            rows = {f"{looks:,} looks": default}
            if looks == TUNING_LOOKS:
                rows[EQUAL] = run(base, looks * max(1.0, own.seconds / default.seconds), runs)
            found += [
                Measured(family, instance.key, words, (one.score, own.score), (one.seconds, own.seconds))
                for words, one in rows.items()
            ]
    return found


def two_digits(value: Any) -> Any:
    """Return a number with two significant digits.

    >>> two_digits(0.8537), two_digits(1234), two_digits("2opt")
    (0.85, 1200, '2opt')
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or value == 0:
        return value
    return type(value)(round(value, 1 - math.floor(math.log10(abs(value)))))
