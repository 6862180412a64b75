import swarmkit
from swarmkit.comparison.plan import run_key, run_seed
from swarmkit.running.specification import make_spec


def test_seeds_follow_the_content_of_a_problem_and_not_where_its_files_are():
    problem, solver = swarmkit.make_problem("synthetic", n=5), swarmkit.make_solver("icm")
    here = make_spec(problem, solver, 0, swarmkit.Budget(looks=10))
    there = here.model_copy(update={"options": {**here.options, "file": "elsewhere"}})
    assert run_seed(here, 0, 1) == run_seed(there, 0, 1) != run_seed(here, 0, 2)
    assert run_key(here, 0, 1) != run_key(there, 0, 1)


def test_a_new_name_of_a_parameter_changes_no_seed():
    problem = swarmkit.make_problem("synthetic", n=8)
    outcome = swarmkit.compare([problem], ["dbees"], runs=1, looks=100)
    assert outcome.records[0].result.seed == 169853368722900  # that of version 0.2, where `segment` was `stretch`
