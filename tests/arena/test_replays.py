"""Runs that are made again as long as they were: what a solver does late in a run shows."""

import numpy as np
import pytest

from swarmkit import Budget
from swarmkit_arena.families import Landscape, categories
from swarmkit_arena.process import ContestantProcess
from swarmkit_arena.remote import RemoteSolver
from swarmkit_arena.rules import Breach
from swarmkit_arena.submission import Submission
from swarmkit_arena.trials import OTHER_HASHES, ContestRun, check_replay, new_run
from tests.arena.entries import NONE, Cheat, source

LATE = [
    Cheat(
        "counts in the module",
        "state",
        head="DONE = [0]",
        start="DONE[0] = 0",
        before="DONE[0] += 1\nif state.steps > 300:\n    rng.random(DONE[0])",
    ),
    Cheat(
        "draws from the system",
        "generator",
        head="import os",
        before="if state.steps > 300:\n    rng.random(os.urandom(1)[0] % 7)",
    ),
    Cheat(
        "remembers",
        "memory",
        head="LEARNT = []",
        before="if state.steps > 300 and len(LEARNT) > 1:\n    rng.random()",
        after="if state.steps > 300 and id(problem) not in LEARNT:\n    LEARNT.append(id(problem))",
    ),
    Cheat(
        "makes other steps when many are asked for",
        "budget",
        foot="\n\ndef _steps(self, problem, state, rng, count):\n    rng.random(int(state.steps > 300 and count > 1))\n"
        "    return Solver.steps(self, problem, state, rng, count)\n\n\nEntry.steps = _steps",
    ),
]


def second_run(submission, draw, limits):
    """Return the second run of a process."""
    with ContestantProcess(submission) as process:
        for seed in (0, 1):
            problem = draw(np.random.default_rng(seed))
            result = new_run(RemoteSolver(process), problem, seed, limits).run()
    return ContestRun(problem, seed, limits, result)


RUNS = [
    pytest.param(categories, Budget(looks=30_000), id="on tables"),
    pytest.param(Landscape, Budget(evaluations=300), id="on a black box"),
]


def make_again(file, draw, limits):
    submission, (first, second) = Submission(file=str(file)), OTHER_HASHES
    with (
        ContestantProcess(submission, hash_seed=first) as one_process,
        ContestantProcess(submission, hash_seed=second) as other_process,
    ):
        check_replay(second_run(submission, draw, limits), submission, (one_process, other_process))


@pytest.mark.parametrize(("draw", "limits"), RUNS)
def test_an_honest_run_is_the_same_when_it_is_made_again(draw, limits, tmp_path):
    file = tmp_path / "entry.py"
    file.write_text(source(NONE))
    make_again(file, draw, limits)


@pytest.mark.parametrize("cheat", LATE, ids=lambda cheat: cheat.name)
def test_what_happens_late_in_a_run_is_found_with_its_reason(cheat, tmp_path):
    file = tmp_path / "entry.py"
    file.write_text(source(cheat))
    with pytest.raises(Breach) as refused:
        make_again(file, categories, Budget(looks=30_000))
    assert refused.value.reason.rule == cheat.rules
