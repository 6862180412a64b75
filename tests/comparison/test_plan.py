import swarmkit
from swarmkit.comparison.plan import make_plan, run_key, run_seed
from swarmkit.running.specification import make_spec


def test_seeds_follow_the_content_of_a_problem_and_not_where_its_files_are():
    problem, solver = swarmkit.make_problem("synthetic", n=5), swarmkit.make_solver("icm")
    here = make_spec(problem, solver, 0, swarmkit.Budget(looks=10))
    there = here.model_copy(update={"options": {**here.options, "file": "elsewhere"}})
    assert run_seed(here, 0, 1) == run_seed(there, 0, 1) != run_seed(here, 0, 2)
    assert run_key(here, 0, 1) != run_key(there, 0, 1)


def test_a_new_name_of_a_parameter_changes_no_seed():
    experiment = swarmkit.Experiment(
        problems=[{"name": "synthetic", "options": {"n": 8}}], solvers=["dbees"], runs=1, budget={"looks": 100}
    )
    [run] = make_plan(experiment).runs
    assert run.spec.seed == 169853368722900  # that of version 0.2, where `segment` was `stretch`
