"""The study of Optuna in which settings and their gaps are kept: made, or opened if it belongs to the same task."""

from __future__ import annotations

import json
import sqlite3
import warnings
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swarmkit.contract.errors import MissingError, UsageError, install_hint
from swarmkit.tuning.task import TuningTask

if TYPE_CHECKING:
    from optuna import Study
    from optuna.trial import FrozenTrial

PRUNING_LEVEL = 0.1
"""The p-value of Wilcoxon's signed-rank test below which a setting that is behind the best ends early."""

FIRST_INSTANCES, SLOW = 4, range(9, 14)
"""The instances of a setting before it may end early, and their numbers at which it is not asked: the exact test with
ties goes through 2^n cases there, which takes seconds; from 14 instances on it is approximated."""

REFERENCE, FACTS = "swarmkit reference", "swarmkit task"
"""Attributes of a study: the default's scores on the training instances, and what the study belongs to."""

REFUSED, FAILED, EARLY = "swarmkit refused", "swarmkit error", "swarmkit ended early"
"""Attributes of a setting: the solver refuses it, a run of it failed (with the message), or it ended early."""

FIRST_TABLE = "studies"
"""The table that Optuna makes first in an empty file."""


def open_study(task: TuningTask, file: Path | None) -> Study:
    """Open or make the study of a task.

    Args:
        task: what is tuned.
        file: the file of the study; None keeps it in memory.

    Raises:
        UsageError: the file is no study, is broken, or belongs to another task.
    """
    optuna = need_optuna()
    from sqlalchemy.exc import SQLAlchemyError

    if file is not None:
        _check_file(file)
    pruner = optuna.pruners.WilcoxonPruner(p_threshold=PRUNING_LEVEL, n_startup_steps=FIRST_INSTANCES)
    url = None if file is None else f"sqlite:///{file.absolute()}"
    try:
        study: Study = optuna.create_study(storage=url, pruner=pruner, study_name=task.name, load_if_exists=True)
        _check_task(study, task, file)
    except (SQLAlchemyError, optuna.exceptions.OptunaError, RuntimeError) as error:  # RuntimeError: another version
        reason = str(error).partition("\n")[0]
        raise UsageError(f"{file}: the study cannot be opened ({reason}); name another file") from None
    return study


def need_optuna() -> Any:
    """Import Optuna, or say how to get it."""
    try:
        import optuna
    except ImportError as error:
        raise MissingError(f"tuning needs optuna, which the extra 'tune' installs: {install_hint('tune')}") from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    warnings.filterwarnings("ignore", category=optuna.exceptions.ExperimentalWarning)  # the pruner is what we want
    return optuna


def _check_file(file: Path) -> None:
    """Refuse a file that is no study of Optuna's, before Optuna adds its tables to it."""
    if not file.absolute().parent.is_dir():
        raise UsageError(f"{file}: there is no such folder; make it, or name another file")
    if file.is_dir():
        raise UsageError(f"{file}: is a folder; expected a file")
    if not file.exists() or file.stat().st_size == 0:
        return
    try:  # for writing: what a killed process left half written is undone by opening the file
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            sound = connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
    except sqlite3.Error as error:
        raise UsageError(f"{file}: is no study, or a broken one ({error}); name another file") from None
    if tables and FIRST_TABLE not in tables:
        raise UsageError(f"{file}: holds no study of Optuna; name another file")
    if not sound:
        raise UsageError(f"{file}: the study is broken; name another file, which begins the search again")


def _check_task(study: Study, task: TuningTask, file: Path | None) -> None:
    """Write down what a new study belongs to; refuse one of another task."""
    facts = json.loads(json.dumps(task.facts))
    kept = study.user_attrs.get(FACTS)
    if kept is None and not study.get_trials(deepcopy=False):
        study.set_user_attr(FACTS, facts)
    elif not isinstance(kept, dict):
        raise UsageError(f"{file}: the study '{task.name}' in it was not made by 'swarmkit tune'; name another file")
    elif kept != facts:
        differing = ", ".join(name for name in facts if kept.get(name) != facts[name])
        raise UsageError(f"{file}: holds a study of {task.name} with other {differing}; name another file")


def lost(trial: FrozenTrial) -> bool:
    """Whether a setting was being run when a search was stopped."""
    return trial.state.name == "FAIL" and not ({REFUSED, FAILED} & trial.user_attrs.keys())


def is_whole(trial: FrozenTrial) -> bool:
    """Whether a setting was run on all training instances."""
    return trial.state.name == "COMPLETE" and EARLY not in trial.user_attrs


def run_lost_again(study: Study, names: set[str]) -> None:
    """Enqueue the settings that were being run when the study was stopped.

    Args:
        study: the study.
        names: the parameters of a setting. One that had not been proposed whole is proposed again by the sampler.
    """
    from optuna.trial import TrialState

    for trial in study.get_trials(deepcopy=False):
        if trial.state == TrialState.RUNNING:
            study.tell(trial.number, state=TrialState.FAIL)
            setting = {**trial.system_attrs.get("fixed_params", {}), **trial.params}
            if not ({REFUSED, FAILED} & trial.user_attrs.keys()) and setting.keys() == names:
                study.enqueue_trial(setting)
