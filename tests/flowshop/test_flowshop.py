"""Flow shops: Taillard's generator and files, and makespans by one recurrence and by another."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.testing import check_problem
from swarmkit_flowshop.problem import FlowShop
from swarmkit_flowshop.taillard import BEST_KNOWN, SEEDS, SIZES, generate

TA001 = """
54 83 15 71 77 36 53 38 27 87 76 91 14 29 12 77 32 87 68 94
79  3 11 99 56 70 99 60  5 56  3 61 73 75 47 14 21 86  5 77
16 89 49 15 89 45 60 23 57 64  7  1 63 41 63 47 26 75 77 40
66 58 31 68 78 91 13 59 49 85 85  9 39 41 56 40 54 77 51 31
58 56 20 85 53 35 53 41 69 13 86 72  8 49 47 87 58 18 68 28
"""
"""The times of ta001 as published: the check that comes with the generator."""

FILE = """number of jobs, number of machines, initial seed, upper bound and lower bound :
          3           2   12345        17        11
processing times :
 5 1 4
 2 6 3
"""


def makespan(times, x):
    """Return the makespan job by job and machine by machine."""
    free = [0.0] * len(times)
    for job in x:
        for machine, row in enumerate(times):
            free[machine] = max(free[machine], free[machine - 1] if machine else 0.0) + row[job]
    return free[-1]


shops = st.tuples(st.integers(1, 6), st.integers(1, 5), st.integers(0, 2**32 - 1)).map(
    lambda drawn: np.random.default_rng(drawn[2]).integers(0, 20, drawn[:2][::-1]).astype(float)
)


@given(shops, st.integers(0, 2**32 - 1))
def test_a_batch_of_orders_scores_as_the_jobs_go_through_one_by_one(times, seed):
    problem = FlowShop(times)
    X = np.array([np.random.default_rng([seed, k]).permutation(times.shape[1]) for k in range(4)])
    assert problem.score(X).tolist() == [-makespan(times, x) for x in X]
    assert problem.done(X[0])[-1, -1] == makespan(times, X[0])


@given(shops, st.integers(0, 2**32 - 1))
def test_the_shop_run_backwards_takes_as_long(times, seed):
    x = np.random.default_rng(seed).permutation(times.shape[1])
    assert FlowShop(times).score(x[None]) == FlowShop(times[::-1]).score(x[None, ::-1])


@given(shops, st.integers(0, 2**32 - 1))
def test_a_job_is_on_one_machine_and_a_machine_has_one_job_at_a_time(times, seed):
    problem = FlowShop(times)
    x = np.random.default_rng(seed).permutation(times.shape[1])
    done, taken = problem.done(x), times.T[x]
    assert (done - taken >= 0).all()
    assert (done[:, 1:] - taken[:, 1:] >= done[:, :-1]).all()
    assert (done[1:] - taken[1:] >= done[:-1]).all()


def test_times_that_are_read_only_are_scored_alike():
    problem = swarmkit.make_problem("flowshop")
    X = np.array([np.random.default_rng(seed).permutation(20) for seed in range(3)])
    before = problem.score(X)
    problem._of_job.flags.writeable = X.flags.writeable = False
    assert np.array_equal(problem.score(X), before)


def test_taillards_first_instance_comes_out_as_published():
    published = np.array([line.split() for line in TA001.strip().splitlines()], float)
    assert np.array_equal(generate(20, 5, SEEDS[0]).times, published)
    assert np.array_equal(swarmkit.make_problem("flowshop").times, published)
    assert np.array_equal(swarmkit.make_problem("flowshop", instance="ta001").times, published)


def test_all_of_taillards_instances_have_a_seed_and_a_size():
    assert len(SEEDS) == 10 * len(SIZES) == 120
    assert len(BEST_KNOWN) == 100  # sources differ on the others
    last = swarmkit.make_problem("flowshop", instance="ta120")
    assert last.times.shape == (20, 500)
    assert last.best == 26457


def test_no_best_known_makespan_is_below_what_the_machines_need():
    for at in range(0, 120, 7):
        jobs, machines = SIZES[at // 10]
        best = BEST_KNOWN.get((jobs, machines, SEEDS[at]))
        times = generate(jobs, machines, SEEDS[at]).times
        before = np.cumsum(times, axis=0) - times
        after = times[::-1].cumsum(axis=0)[::-1] - times
        needed = (times.sum(axis=1) + before.min(axis=1) + after.min(axis=1)).max()
        assert best is None or needed <= best <= 1.3 * needed


def test_an_answer_is_near_the_best_known_makespan_and_not_below_it():
    problem = swarmkit.make_problem("flowshop", instance="ta003")
    assert 0.0 <= swarmkit.solve(problem, "ga", looks=500_000).metrics["gap"] < 0.05


def test_the_optimum_of_a_small_shop_is_found():
    problem = swarmkit.make_problem("flowshop", jobs=5, machines=3, seed=7)
    best = min(makespan(problem.times, x) for x in itertools.permutations(range(5)))
    assert swarmkit.solve(problem, "exhaustive").score == -best


@pytest.mark.parametrize("options", [{}, {"jobs": 1}, {"jobs": 7, "machines": 1}, {"jobs": 2}], ids=str)
def test_generated_instances_keep_the_contract(options):
    check_problem(swarmkit.make_problem("flowshop", **options), examples=3)


def test_a_file_of_several_instances_is_read(tmp_path):
    path = tmp_path / "shops.txt"
    path.write_text(FILE + "\n" + "2 1\n4 5\n")
    first = swarmkit.make_problem("flowshop", file=str(path))
    assert first.times.tolist() == [[5, 1, 4], [2, 6, 3]]
    assert first.metrics(np.array([1, 2, 0])) == {
        "makespan": 12.0,
        "best known": 17.0,
        "gap": pytest.approx(12 / 17 - 1),
    }
    second = swarmkit.make_problem("flowshop", file=str(path), number=2)
    assert second.times.tolist() == [[4, 5]]
    assert second.metrics(np.array([0, 1])) == {"makespan": 9.0}
    with pytest.raises(swarmkit.UsageError, match="has 2 instances; number=3 is not one of them"):
        swarmkit.make_problem("flowshop", file=str(path), number=3)


def test_a_file_of_taillards_has_the_best_known_of_today(tmp_path):
    path = tmp_path / "ta051.txt"
    times = generate(50, 20, SEEDS[50]).times.astype(int)
    rows = "\n".join(" ".join(map(str, row)) for row in times)
    path.write_text(f"50 20 {SEEDS[50]} 3875 3771\n{rows}\n")
    assert swarmkit.make_problem("flowshop", file=str(path)).best == BEST_KNOWN[50, 20, SEEDS[50]] < 3875


WRONG = {
    "empty": ("", "line 1: the file ends without an instance"),
    "words": ("jobs 3\n", "line 1: 'jobs 3'; expected 'jobs machines'"),
    "one number": ("20\n", "line 1: '20'; expected 'jobs machines'"),
    "odd size": ("2.5 2\n", "line 1: '2.5 2'; expected 'jobs machines'"),
    "no jobs": ("0 2\n", "line 1: '0 2'; expected 'jobs machines'"),
    "too few rows": (FILE.replace(" 2 6 3\n", ""), "line 4: the file ends after 1 rows of times; expected 2"),
    "too few times": (FILE.replace(" 6 3", " 6"), "line 5: '2 6'; expected 3 finite times"),
    "too many times": (FILE.replace(" 6 3", " 6 3 9"), "line 5: '2 6 3 9'; expected 3 finite times"),
    "too many rows": (FILE + "1 2 3 4 5 6\n", "line 6: '1 2 3 4 5 6'; expected 'jobs machines'"),
    "not finite": (FILE.replace("6", "nan"), "line 5: '2 nan 3'; expected 3 finite times"),
    "negative": (FILE.replace("6", "-6"), "line 5: '2 -6 3'; expected 3 finite times that are not negative"),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG)
def test_a_malformed_file_is_refused_in_a_sentence(cli, tmp_path, text, said):
    path = tmp_path / "a.txt"
    path.write_text(text)
    answer = cli("solve", "-p", "flowshop", "-P", f"file={path}", "-a", "icm")
    assert answer.code == 2
    assert f"a.txt, {said}" in answer.err.replace("\n", " ")


def test_what_is_no_text_file_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"2 2\n\xff\xfe")
    for name, said in {"a.txt": "line 2: bytes that are not UTF-8", "": "cannot be read", "b": "no such file"}.items():
        with pytest.raises(swarmkit.UsageError, match=said):
            swarmkit.make_problem("flowshop", file=str(tmp_path / name))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"instance": "ta121"}, "instance: expected one of ta001 to ta120"),
        ({"instance": "ta000"}, "instance: expected one of ta001 to ta120"),
        ({"instance": "ta001", "jobs": 3}, "'instance' and 'jobs' are both given"),
        ({"file": "a", "seed": 3}, "'file' and 'seed' are both given"),
        ({"number": 2}, "'number' goes with 'file'"),
    ],
)
def test_options_that_contradict_each_other_are_refused(options, said):
    with pytest.raises(swarmkit.UsageError, match=said):
        swarmkit.make_problem("flowshop", **options)
