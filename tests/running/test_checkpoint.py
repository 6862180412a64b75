import io
import json
import os
import signal
import time
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

import swarmkit
from swarmkit import UsageError
from swarmkit.running import codec
from swarmkit.testing.families import FAMILIES, Shape

LOOKS = 40_000_000
RUN = ["-p", "synthetic", "-P", "n=60", "-a", "icm", "--seed", "3", "--looks", str(LOOKS)]


def outcome(text):
    result = json.loads(text)
    trace = result["trace"]
    names = ("solution", "score", "looks", "iterations", "stopped")
    return {name: result[name] for name in names} | {"trace": (trace["looks"], trace["score"])}


@cache
def straight():
    """The run from start to end."""
    problem = swarmkit.make_problem("synthetic", n=60)
    return outcome(swarmkit.solve(problem, "icm", seed=3, looks=LOOKS).model_dump_json())


def wait_for_checkpoints(process, file, count=5):
    """Wait until a run has written some checkpoints more, and is not over yet."""
    seen = set()
    while len(seen) < count:
        assert process.poll() is None, "the run was over before it could be stopped"
        if file.exists():
            seen.add(file.stat().st_mtime_ns)
        time.sleep(0.002)


def test_a_killed_run_resumed_is_the_run_that_was_never_killed(command, tmp_path):
    file = tmp_path / "run.ckpt"
    arguments = ["solve", *RUN, "--checkpoint", str(file), "--every", "0"]
    for _ in range(3):
        process = command(*arguments)
        wait_for_checkpoints(process, file)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        arguments = ["resume", str(file), "--every", "0"]
    resumed, said = command("resume", str(file), "--json").communicate()
    assert outcome(resumed) == straight(), said


def test_a_run_resumed_from_before_its_start_has_the_evaluations_of_the_first_process(tmp_path):
    class Ends:
        """Ends the process, so to speak, when the run begins: there is a checkpoint, and no step."""

        def swarmkit_started(self, run):
            run.progress.setup_evaluations = 17  # as many as the first process needed; another one may need fewer
            run.save(tmp_path / "run.ckpt")

    problem, solver = swarmkit.make_problem("flowshop"), swarmkit.make_solver("ils")
    spec = swarmkit.make_spec(problem, solver, 1, swarmkit.Budget(evaluations=100))
    swarmkit.Run(problem, solver, spec, observers=[Ends()]).run()
    assert swarmkit.resume(tmp_path / "run.ckpt").setup_evaluations == 17


class Stateless(swarmkit.Solver[None]):
    """Draws a number at the start, keeps no state, and reports a solution drawn after it."""

    def start(self, problem, rng) -> None:
        rng.random()

    def step(self, problem, state, rng):
        x = swarmkit.random_solutions(problem, 1, rng)[0]
        return swarmkit.StepResult(x, float(problem.score(x[None])[0]), looks=len(x))


def test_a_start_that_leaves_no_state_is_not_repeated(tmp_path):
    from swarmkit.running.run import Run
    from swarmkit.running.specification import make_spec

    def new_run():
        problem = swarmkit.make_problem("synthetic")
        return Run(problem, Stateless(), make_spec(problem, Stateless(), 1, swarmkit.Budget(looks=3000)))

    whole, cut = new_run().run(), new_run()
    cut.run(0)
    cut.save(tmp_path / "run.ckpt")
    resumed = Run.restore(tmp_path / "run.ckpt", cut.problem, Stateless()).run()
    assert not whole.differences(resumed)
    assert resumed.setup_evaluations == whole.setup_evaluations


def test_a_finished_run_resumed_is_still_finished(tmp_path):
    file = tmp_path / "run.ckpt"
    straight = swarmkit.solve("synthetic", "icm", looks=200_000, checkpoint=file)
    assert not straight.differences(swarmkit.resume(file))


def test_a_longer_budget_goes_on_as_if_it_had_been_given_first(tmp_path):
    file = tmp_path / "run.ckpt"
    swarmkit.solve("synthetic", "random", seed=2, looks=200_000, checkpoint=file)
    longer = swarmkit.resume(file, limits=swarmkit.Budget(looks=900_000))
    assert not longer.differences(swarmkit.solve("synthetic", "random", seed=2, looks=900_000))


TIMES = {"seconds", "cpu_seconds", "setup_seconds", "steps"}
"""The fields of a result that depend on the clock."""


def lasting(result):
    """What must be the same in every run of a result."""
    fields = result.model_dump(mode="json")
    del fields["trace"]["seconds"]
    return {name: value for name, value in fields.items() if name not in TIMES}


class Bits(swarmkit.Problem):
    """Bits of which only the score is known."""

    sizes = (2,) * 24

    def score(self, X):
        return X.sum(axis=1) + X[:, 0] * X[:, 5] * 3.0


@pytest.mark.parametrize("solver", ["auto", "ga", "sa", "dbees", "random", "ils"])
@pytest.mark.parametrize("name", ["bits", "synthetic"])
def test_resuming_keeps_every_field_of_the_result(tmp_path, name, solver):
    def make():
        return Bits() if name == "bits" else swarmkit.make_problem("synthetic", n=30)

    def run(looks, **options):
        return swarmkit.solve(make(), solver, seed=3, looks=looks, polish="icm", **options)

    begun = run(20_000, checkpoint=tmp_path / "run.ckpt")
    resumed = swarmkit.resume(tmp_path / "run.ckpt", make(), looks=50_000)
    assert lasting(resumed) == lasting(run(50_000)) | {"evaluation_seconds": begun.evaluation_seconds}


def test_a_time_of_an_evaluation_that_is_no_number_is_refused(tmp_path):
    file = tmp_path / "run.ckpt"
    swarmkit.solve(Bits(), "random", looks=5000, checkpoint=file)
    tree, arrays = codec.read(file, "checkpoint", "a checkpoint")
    for value in ("1", -1.0, float("nan"), True, [1.0]):
        codec.write(file, tree | {"evaluation_seconds": value}, arrays)
        with pytest.raises(swarmkit.UsageError, match="the seconds of an evaluation are no number"):
            swarmkit.resume(file, Bits())


@pytest.mark.parametrize("seconds", [2.0**64, -1.0, float("nan")])
def test_seconds_of_a_setup_that_no_result_takes_are_refused(tmp_path, seconds):
    file = tmp_path / "run.ckpt"
    swarmkit.solve(Bits(), "random", looks=5000, checkpoint=file)
    tree, arrays = codec.read(file, "checkpoint", "a checkpoint")
    content = tree["content"] | {"setup_seconds": seconds}
    codec.write(file, tree | {"content": content}, arrays)
    with pytest.raises(swarmkit.UsageError, match="its setup_seconds is not that of a run"):
        swarmkit.resume(file, Bits())


@dataclass
class Walk:
    at: np.ndarray
    best: np.ndarray
    visits: list[int]


class Walker(swarmkit.Solver):
    """A solver with a state of several parts, two of them the same array."""

    def start(self, problem, rng) -> Walk:
        x = swarmkit.random_solutions(problem, 1, rng)[0]
        return Walk(x, x, [])

    def step(self, problem, state: Walk, rng) -> swarmkit.StepResult:
        stage = int(rng.integers(len(state.at)))
        state.visits.append(stage)
        state.at[stage] = rng.integers(problem.sizes[stage])
        score = float(problem.score(state.best[None])[0])  # best is at: an alias that has to survive
        return swarmkit.StepResult(state.best, score, looks=len(state.at) + len(state.visits))


def test_what_was_made_in_python_is_resumed_with_the_same_objects(tmp_path):
    file = tmp_path / "run.ckpt"
    problem = FAMILIES[0].make(Shape(5, 4, 2, "floats", 1))
    swarmkit.solve(problem, Walker(), iterations=10, checkpoint=file)
    resumed = swarmkit.resume(file, problem, Walker(), limits=swarmkit.Budget(iterations=30))
    assert not resumed.differences(swarmkit.solve(problem, Walker(), iterations=30))


def test_a_problem_made_in_python_has_to_be_given_again(tmp_path):
    file = tmp_path / "run.ckpt"
    swarmkit.solve(FAMILIES[0].make(Shape(5, 4, 2, "floats", 1)), "icm", looks=1000, checkpoint=file)
    with pytest.raises(UsageError, match="was made in Python"):
        swarmkit.resume(file)


def test_changed_input_is_refused(tmp_path):
    file = tmp_path / "run.ckpt"
    swarmkit.solve(FAMILIES[0].make(Shape(5, 4, 2, "floats", 1)), "icm", looks=1000, checkpoint=file)
    with pytest.raises(UsageError, match="its content has changed"):
        swarmkit.resume(file, FAMILIES[0].make(Shape(5, 4, 2, "floats", 2)))


def test_other_parameters_are_refused(tmp_path):
    file = tmp_path / "run.ckpt"
    problem = swarmkit.make_problem("synthetic", n=5)
    swarmkit.solve(problem, "exhaustive", checkpoint=file)
    with pytest.raises(UsageError, match="written with the parameters"):
        swarmkit.resume(file, problem, swarmkit.make_solver("exhaustive", limit=5000))


def test_a_checkpoint_is_arrays_and_json_and_nothing_else(tmp_path):
    file = tmp_path / "run.ckpt"
    swarmkit.solve("synthetic", "icm", looks=1000, checkpoint=file)
    with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as archive:
        tree = json.loads(archive["json"].tobytes())
    assert tree["spec"]["problem"] == "synthetic"
    assert [path.name for path in tmp_path.iterdir()] == ["run.ckpt"], "something was left beside it"


def test_a_checkpoint_of_version_0_1_is_refused_in_words(tmp_path):
    file = tmp_path / "run.ckpt"
    swarmkit.solve("synthetic", "icm", looks=1000, checkpoint=file)
    tree, arrays = codec.read(file, "checkpoint", "a checkpoint of swarmkit")
    tree["spec"]["format"] = 1
    codec.write(file, tree, arrays)
    with pytest.raises(UsageError, match=r"run.ckpt: written by version 0\.1, .* cannot be resumed by this version"):
        swarmkit.resume(file)


def test_a_checkpoint_of_version_0_2_is_refused_in_words(tmp_path):
    file = tmp_path / "run.ckpt"
    swarmkit.solve("synthetic", "icm", looks=1000, checkpoint=file)
    tree, arrays = codec.read(file, "checkpoint", "a checkpoint of swarmkit")
    del tree["content"]["log"]  # what a checkpoint of version 0.2 did not have
    codec.write(file, tree, arrays)
    with pytest.raises(UsageError, match=r"run.ckpt: .* written by version 0\.2, .* started again with this version"):
        swarmkit.resume(file)


def test_a_checkpoint_that_cannot_be_written_is_said_before_the_work(tmp_path):
    with pytest.raises(UsageError, match="cannot be written"):
        swarmkit.solve("synthetic", "icm", looks=1000, checkpoint=tmp_path / "nowhere" / "run.ckpt")


def test_a_result_file_is_not_a_checkpoint(tmp_path):
    file = tmp_path / "result.json"
    file.write_text(swarmkit.solve("synthetic", "first").model_dump_json())
    with pytest.raises(UsageError, match="not a checkpoint"):
        swarmkit.resume(file)


def test_an_interrupted_run_is_resumed_where_it_was(command, tmp_path):
    file = tmp_path / "run.ckpt"
    process = command("solve", *RUN, "--checkpoint", str(file), "--every", "0", "--json")
    wait_for_checkpoints(process, file)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate()
    assert process.returncode == 130
    assert json.loads(said)["stopped"] == "interrupted"
    resumed, _ = command("resume", str(file), "--json").communicate()
    assert outcome(resumed) == straight()


def test_a_checkpoint_that_fails_later_warns_once_and_the_run_goes_on(tmp_path, monkeypatch):
    file = tmp_path / "run.ckpt"
    straight = swarmkit.solve("synthetic", "random", looks=200_000)

    def full(*_):
        raise UsageError(f"{file}: cannot be written (No space left on device)")

    monkeypatch.setattr("swarmkit.files.archive.write_atomically", full)
    with pytest.warns(RuntimeWarning, match="No space left on device.; the run goes on") as warned:
        result = swarmkit.solve("synthetic", "random", looks=200_000, checkpoint=file, every=0)
    assert len(warned) == 1
    assert not result.differences(straight)


def saved(path):
    swarmkit.solve(swarmkit.make_problem("synthetic", n=8), "random", looks=5000, checkpoint=path)
    return codec.read(path, "checkpoint", "a checkpoint of swarmkit")


def set_progress(**values):
    return lambda tree: tree["content"]["progress"]["fields"].update(values)


MISFITS = {
    "looks of 200 bits": set_progress(looks=2**200),
    "negative looks": set_progress(looks=-1),
    "looks in words": set_progress(looks="many"),
    "a score of another solution": set_progress(score=1e9),
    "a solution without a score": set_progress(score=None),
    "no solution at all": set_progress(best=[0] * 8),
    "no trace": set_progress(trace=None),
    "no progress": lambda tree: tree["content"].update(progress=3),
    "more content": lambda tree: tree["content"].update(more=3),
    "less content": lambda tree: tree["content"].pop("generator"),
    "content that is a list": lambda tree: tree.update(content=[]),
    "a generator of another kind": lambda tree: tree["content"]["generator"].update(bit_generator="MT19937"),
    "a generator without a state": lambda tree: tree["content"]["generator"].pop("state"),
    "a generator of too many bits": lambda tree: tree["content"]["generator"]["state"].update(state=2**500),
    "a state of another type": lambda tree: tree["content"].update(state={"x": 1}),
    "no specification": lambda tree: tree.pop("spec"),
    "a specification in words": lambda tree: tree.update(spec="random"),
    "no content": lambda tree: tree.pop("content"),
    "a negative seed": lambda tree: tree["spec"].update(seed=-1),
}


@pytest.mark.parametrize("what", MISFITS)
def test_content_that_does_not_fit_is_refused_in_a_sentence(tmp_path, what):
    tree, arrays = saved(tmp_path / "run.ckpt")
    MISFITS[what](tree)
    codec.write(tmp_path / "run.ckpt", tree, arrays)
    with pytest.raises(UsageError, match=r"run.ckpt: .*checkpoint"):
        swarmkit.resume(tmp_path / "run.ckpt")


def test_a_state_with_other_shapes_ends_in_a_sentence(tmp_path):
    file = tmp_path / "run.ckpt"
    problem = FAMILIES[0].make(Shape(5, 4, 2, "floats", 1))
    swarmkit.solve(problem, Walker(), iterations=3, checkpoint=file)
    tree, arrays = codec.read(file, "checkpoint", "a checkpoint of swarmkit")
    at = tree["content"]["state"]["fields"]["at"]["$array"]
    arrays[at] = arrays[at][:2]
    codec.write(file, tree, arrays)
    with pytest.raises(UsageError, match="the checkpoint does not fit"):
        swarmkit.resume(file, problem, Walker(), limits=swarmkit.Budget(iterations=9))
