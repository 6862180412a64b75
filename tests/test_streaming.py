import os
import signal
from functools import partial
from pathlib import Path

import pytest

from swarmkit import SwarmkitError, UsageError, map_stream
from swarmkit.running.streaming import AHEAD


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
