import os
import signal
from functools import partial
from pathlib import Path

import joblib
import pytest

from swarmkit import SwarmkitError, UsageError, map_stream
from swarmkit.running.parallel import AHEAD

ALLOWED = "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES"
"""How many workers may die with a task before the scheduler gives it up."""


def double(task):
    return 2 * task


def die_once(folder, task):
    """Kill this process at task 7, unless it was done before."""
    mark = Path(folder, "died")
    if task == 7 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def die(task):
    os.kill(os.getpid(), signal.SIGKILL)


def threads(task):
    return os.environ.get("OMP_NUM_THREADS"), os.getpid()


def test_joblib_and_streams_use_the_same_processes_in_turn():
    for _ in range(2):
        assert list(map_stream(double, [1, 2], 2)) == [2, 4]
        assert joblib.Parallel(2)(joblib.delayed(double)(task) for task in (1, 2)) == [2, 4]


@pytest.mark.parametrize("jobs", [1, 2])
def test_outcomes_are_in_the_order_of_the_tasks(jobs):
    assert list(map_stream(double, range(50), jobs)) == [2 * task for task in range(50)]
    assert list(map_stream(double, [], jobs)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_tasks_are_taken_as_they_are_needed(jobs):
    taken = []
    outcomes = map_stream(double, (taken.append(task) or task for task in range(10**9)), jobs)
    for number in range(20):
        assert next(outcomes) == 2 * number
        assert len(taken) <= number + 2 + AHEAD * jobs
    outcomes.close()


def test_processes_have_one_thread_each():
    found = set(map_stream(threads, range(20), 2))
    assert {setting for setting, _ in found} == {"1"}
    assert os.getpid() not in {process for _, process in found}


def test_what_a_killed_process_was_doing_is_done_again(tmp_path):
    assert list(map_stream(partial(die_once, str(tmp_path)), range(30), 2)) == list(range(30))
    assert (tmp_path / "died").exists()


def test_a_task_that_always_kills_its_process_ends_with_a_sentence():
    with pytest.raises(SwarmkitError, match="processes died again and again"):
        list(map_stream(die, range(3), 2))


def test_a_number_of_processes_that_makes_no_sense_is_refused():
    with pytest.raises(UsageError, match="jobs are a number of processes"):
        list(map_stream(double, [1], 0))


def test_a_stream_on_a_cluster_is_in_order_bounded_and_survives_a_worker(cluster):
    address, workers = cluster
    taken = []
    tasks = (taken.append(task) or task for task in range(10**9))
    outcomes = map_stream(double, tasks, -1, backend="dask", scheduler=address)
    for number in range(60):
        assert next(outcomes) == 2 * number
        assert len(taken) <= number + 1 + 2 * AHEAD
        if number == 20:
            workers[0].kill()
    outcomes.close()
    with pytest.raises(ZeroDivisionError):
        list(map_stream(reciprocal, [1, 0], 1, backend="dask", scheduler=address))


def reciprocal(task):
    return 1 / task


@pytest.mark.parametrize("scheduler", [{ALLOWED: "0"}], indirect=True, ids=["at once"])
def test_a_task_that_kills_every_worker_ends_with_a_sentence(scheduler, start_dask, tmp_path):
    address, _ = scheduler
    start_dask("worker", address, "--nworkers", "1", "--nthreads", "1", "--local-directory", str(tmp_path))
    with pytest.raises(SwarmkitError, match=r"workers died again and again with one task .* with --resume continues"):
        list(map_stream(die, [1], -1, backend="dask", scheduler=address))


def test_a_scheduler_that_is_lost_during_a_stream_is_a_sentence(cluster, scheduler, capfd):
    address, _ = cluster
    outcomes = map_stream(double, range(10**9), -1, backend="dask", scheduler=address)
    assert next(outcomes) == 0
    scheduler[1].kill()
    with pytest.raises(UsageError, match=r"the Dask scheduler was lost .* with --resume continues"):
        list(outcomes)
    assert capfd.readouterr().err == ""  # no tracebacks of Dask or asyncio
