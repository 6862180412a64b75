"""The study of Optuna in which settings and their gaps are kept: made, or opened if it belongs to the same task."""

from __future__ import annotations

import json
import os
import sqlite3
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

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

REFUSAL, FAILED, EARLY = "swarmkit refused", "swarmkit error", "swarmkit ended early"
"""Attributes of a setting: the solver refuses it, a run of it failed (with the message), or it ended early."""

FIRST_TABLE = "studies"
"""The table that Optuna makes first in an empty file."""


@contextmanager
def opened_study(task: TuningTask, file: Path | None) -> Iterator[Study]:
    """Open or make the study of a task, for this process alone.

    Args:
        task: what is tuned.
        file: the file of the study; None keeps it in memory.

    Raises:
        UsageError: the file is no study, is broken, belongs to another task, is used by another process, or can no
            longer be read or written.
    """
    if file is None:
        yield _open(task, None)
        return
    optuna = need_optuna()
    from sqlalchemy.exc import SQLAlchemyError

    # In this order: the lock makes a file beside the study, and Optuna its tables in whatever file it opens.
    _check_place(file)
    with _lock(file):
        _check_content(file)
        try:
            yield _open(task, file)
        except (SQLAlchemyError, optuna.exceptions.OptunaError) as error:
            raise UsageError(f"{file}: the study cannot be used ({_first_line(error)}); name another file") from None


def _open(task: TuningTask, file: Path | None) -> Study:
    """Return the study of a task, after a look at all that is in it."""
    optuna = need_optuna()
    pruner = optuna.pruners.WilcoxonPruner(p_threshold=PRUNING_LEVEL, n_startup_steps=FIRST_INSTANCES)
    url = None if file is None else study_url(file)
    try:
        study: Study = optuna.create_study(storage=url, pruner=pruner, study_name=task.name, load_if_exists=True)
        study.get_trials(deepcopy=False)  # reads everything: what is broken shows now
        _check_task(study, task, file)
    except (RuntimeError, ValueError, LookupError, TypeError) as error:  # another version, or bytes that were changed
        raise UsageError(f"{file}: the study cannot be opened ({_first_line(error)}); name another file") from None
    return study


def study_url(file: Path) -> str:
    """Return the address of a study for Optuna.

    The name is quoted twice, for SQLAlchemy and for SQLite: signs such as ? and % are part of it.
    """
    return f"sqlite:///{quote(file.absolute().as_uri(), safe='')}?uri=true"


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


@contextmanager
def _lock(file: Path) -> Iterator[None]:
    """Keep other processes from the study; the system takes the lock from a process that ends, however it ends."""
    try:
        import filelock
    except ImportError as error:
        raise _missing("filelock") from error
    place = file.resolve()
    lock = filelock.FileLock(place.with_name(f".{place.name}.lock"), timeout=0)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise UsageError(f"{file}: another 'swarmkit tune' works on it; wait for it, or name another file") from None
    except (OSError, NotImplementedError) as error:  # the latter: a file system without locks
        raise UsageError(
            f"{file}: cannot be written ({getattr(error, 'strerror', None) or error}); name another file"
        ) from None
    try:
        yield
    finally:
        lock.release()


def need_optuna() -> Any:
    """Import Optuna, or say how to get it."""
    try:
        import optuna
    except ImportError as error:
        raise _missing("optuna") from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    warnings.filterwarnings("ignore", category=optuna.exceptions.ExperimentalWarning)  # the pruner is what we want
    return optuna


def _missing(package: str) -> MissingError:
    return MissingError(f"tuning needs {package}, which the extra 'tune' installs: {install_hint('tune')}")


def _check_place(file: Path) -> None:
    """Refuse a file that cannot be a study's by its place alone."""
    try:
        if not file.absolute().parent.is_dir():
            raise UsageError(f"{file}: there is no such folder; make it, or name another file")
        if file.exists() and not file.is_file():
            raise UsageError(f"{file}: is {'a folder' if file.is_dir() else 'a device'}; expected a file")
        if file.exists() and not os.access(file, os.W_OK):
            raise UsageError(f"{file}: cannot be written, which a study has to be; copy it, or name another file")
    except OSError as error:  # a name that is too long
        raise UsageError(f"{file}: cannot be a study ({error.strerror}); name another file") from None


def _check_content(file: Path) -> None:
    """Refuse a file that is no study of Optuna's, before Optuna adds its tables to it."""
    if not file.exists() or file.stat().st_size == 0:
        return
    try:  # for writing: what a killed process left half written is undone by opening the file
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            sound = connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
    except (sqlite3.Error, ValueError) as error:
        raise UsageError(f"{file}: is no study, or a broken one ({error}); name another file") from None
    if tables and FIRST_TABLE not in tables:
        raise UsageError(f"{file}: holds no study of Optuna; name another file")
    if not sound:
        raise UsageError(f"{file}: the study is broken; name another file, which begins the search again")


def _check_task(study: Study, task: TuningTask, file: Path | None) -> None:
    """Write down what a new study belongs to; refuse one of another task."""
    facts = json.loads(json.dumps(task.facts))
    stored = study.user_attrs.get(FACTS)
    if stored is None and not study.get_trials(deepcopy=False):
        study.set_user_attr(FACTS, facts)
    elif not isinstance(stored, dict):
        raise UsageError(f"{file}: the study '{task.name}' in it was not made by 'swarmkit tune'; name another file")
    elif stored != facts:
        differing = ", ".join(name for name in facts if stored.get(name) != facts[name])
        raise UsageError(f"{file}: holds a study of {task.name} with other {differing}; name another file")


def is_orphan(trial: FrozenTrial) -> bool:
    """Whether a setting was being run when a search was stopped."""
    return trial.state.name == "FAIL" and not ({REFUSAL, FAILED} & trial.user_attrs.keys())


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

    trials = study.get_trials(deepcopy=False)
    waiting = [_enqueued_setting(trial) for trial in trials if trial.state == TrialState.WAITING]
    for trial in trials:
        if trial.state == TrialState.RUNNING:
            setting = {**_enqueued_setting(trial), **trial.params}
            new = not ({REFUSAL, FAILED} & trial.user_attrs.keys()) and setting not in waiting
            if new and setting.keys() == names:
                study.enqueue_trial(setting)  # first: a kill between the two loses nothing
            study.tell(trial.number, state=TrialState.FAIL)


def _enqueued_setting(trial: FrozenTrial) -> dict[str, Any]:
    """Return the setting that an enqueued trial is to have."""
    return dict(trial.system_attrs.get("fixed_params", {}))
