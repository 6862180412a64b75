"""All statistics of real runs, complete or not."""

import json
import sys

import pytest

from swarmkit import UsageError
from swarmkit.contract.progress import Trace
from swarmkit.statistics import analyse
from tests.comparing import compared, scored


def test_the_analysis_of_real_runs_is_plain_json_with_words():
    found = analyse(compared())
    document = json.loads(found.model_dump_json())
    assert document["across"]["methods"][0] == "viterbi"
    assert found.words.startswith("96 runs of 4 methods on 4 instances. Over 4 instances the 4 methods differ")
    assert {summary.method for summary in found.summaries} == set(found.methods)
    assert analyse(compared()) == found


@pytest.mark.parametrize(
    "cut",
    [
        lambda r: r[:1],
        lambda r: [x for x in r if x.method == "viterbi"],
        lambda r: [x for x in r if x.repetition == 0],
        lambda r: [scored(x, None, trace=Trace(), bound=None) for x in r],
        lambda r: [scored(x, None, trace=Trace()) if x.repetition % 2 else x for x in r],
        lambda r: [scored(x, 1.0, trace=Trace(), bound=None, looks=0, seconds=0.0) for x in r],
        lambda r: r[:-7],
        lambda r: r[::5],
        lambda r: [scored(x, x.result.score * 1e300) for x in r],
        lambda r: [x for x in r if int(x.instance[-2:]) % 4 == ["icm", "random", "greedy", "viterbi"].index(x.method)],
    ],
    ids=[
        "one run",
        "one method",
        "one repetition",
        "infeasible",
        "half infeasible",
        "ties",
        "unfinished",
        "holes",
        "huge",
        "all apart",
    ],
)
def test_poor_comparisons_have_words_and_no_stack_trace(cut):
    found = analyse(cut(list(compared())))
    text = found.model_dump_json()
    assert "nan" not in text.lower()
    assert "Infinity" not in text
    assert all(one.words for one in (*found.summaries, *found.within, *found.distributions, *found.nearness))


def test_runs_on_one_instance_are_compared_there_alone():
    records = list(compared())
    found = analyse([record for record in records if record.instance == records[0].instance])
    assert found.across is None
    assert found.words.endswith(found.within[0].words)
    assert len(found.within) == 1


def test_no_runs_at_all_are_refused():
    with pytest.raises(UsageError, match="no runs"):
        analyse([])


def test_the_public_module_itself_loads_nothing_heavy():
    import subprocess

    code = "import sys, swarmkit.statistics; print({'scipy', 'pandas', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
