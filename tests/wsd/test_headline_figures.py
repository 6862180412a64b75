"""The headline figures of the documents, measured again on the real corpora."""

import json
from statistics import fmean

import pytest

from tests.wsd.at_hand import REAL, SEMEVAL, SENSEVAL

pytestmark = [
    pytest.mark.long,
    pytest.mark.usefixtures("source"),
    pytest.mark.skipif(not REAL.is_dir(), reason=f"needs the corpora of {REAL}"),
]


def needs(path):
    if not path.is_file():
        pytest.skip(f"needs {path}")


@pytest.mark.parametrize(
    ("corpus", "preset", "f1"),
    [
        pytest.param(SEMEVAL, "best", 89.52, id="SemEval-2007 best"),
        pytest.param(SEMEVAL, "fast", 83.30, id="SemEval-2007 fast"),
        pytest.param(SENSEVAL, "best", 77.26, id="Senseval-2 best"),
        pytest.param(SENSEVAL, "fast", 69.81, id="Senseval-2 fast"),
    ],
)
def test_presets_have_the_f1_that_the_documents_report(corpus, preset, f1, cli):
    needs(corpus.xml)
    files = [str(corpus.xml), "--key", str(corpus.gold), "--out", "answers.key"]
    report = cli("wsd", "annotate", *files, "--preset", preset, "--json")
    assert report.code == 0, report.err
    assert round(100 * json.loads(report.out)["metrics"]["f1"], 2) == f1


def test_d_bees_as_its_paper_has_it_reaches_the_f1_of_the_experiment(cli):
    needs(SEMEVAL.xml)
    report = cli("experiment", "dbees-2014", "--data", str(SEMEVAL.xml.parent), "--methods", "chain/dbees", "--json")
    assert report.code == 0, report.err
    (row,) = json.loads(report.out)["rows"]
    f1s = [100 * run["micro"]["f1"] for run in row["runs"]]
    assert len(f1s) == 16
    assert round(fmean(f1s), 2) == 64.62
    assert (round(min(f1s), 1), round(max(f1s), 1)) == (63.6, 65.7)
