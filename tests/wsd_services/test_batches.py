import io
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from swarmkit import UsageError, make_settings
from swarmkit_wsd import disambiguate
from swarmkit_wsd.options import WsdOptions
from swarmkit_wsd_services.batches import Batch, LineTask, Versions, answer
from swarmkit_wsd_services.commands.batch import BatchProgress
from swarmkit_wsd_services.json_lines import read_lines
from tests.conftest import wait_for

pytestmark = pytest.mark.usefixtures("source")

TEXTS = [
    "They sat on the bank of the river.",
    "The bank raised its interest on deposits.",
    "The attorney general resigned in the spring.",
]
TAG = ["wsd", "tag", "--preset", "fast"]


def write(path, count, **more):
    lines = [json.dumps({"id": f"t{at}", "text": TEXTS[at % 3] + f" It was year {at}.", **more}) for at in range(count)]
    path.write_text("".join(line + "\n" for line in lines))


@pytest.fixture
def start(start_process):
    """Start the command in a process whose pipes the test chooses."""
    program = [sys.executable, "-c", "from swarmkit.cli import main; main()"]
    return lambda *arguments, **more: start_process([*program, *arguments], **more)


def test_each_line_has_its_line_and_the_senses_of_its_text(cli, tmp_path):
    write(tmp_path / "a.jsonl", 3)
    (tmp_path / "b.ndjson").write_text(
        '\ufeff{"text": "The bank was steep.", "known": {"4": "bank%1:14:00::"}, "label": 1}\n\n'
    )
    said = cli(*TAG, "a.jsonl", "b.ndjson")
    assert said.code == 0, said.err
    found = [json.loads(line) for line in said.out.splitlines()]
    assert [line["id"] for line in found] == ["t0", "t1", "t2", None]
    expected = disambiguate(TEXTS[0] + " It was year 0.", preset="fast")
    assert found[0]["senses"] == [sense.model_dump(exclude={"alternatives"}) for sense in expected]
    assert (found[0]["preset"], found[0]["unknown"]) == ("fast", [])
    assert found[3]["senses"][0]["key"] == "bank%1:14:00::"
    assert cli(*TAG, "a.jsonl", "b.ndjson", "--json").out == said.out


def test_the_options_of_answers_count_for_lines_too(cli, tmp_path):
    write(tmp_path / "a.jsonl", 1)
    senses = json.loads(cli(*TAG, "a.jsonl", "--alternatives", "2", "--min-confidence", "0.5").out)["senses"]
    assert min(sense["confidence"] for sense in senses) >= 0.5
    assert max(len(sense["alternatives"]) for sense in senses) == 2


@pytest.mark.parametrize(
    ("line", "name", "said"),
    [
        (b"{nonsense", None, "not valid JSON"),
        (b"[1]", None, "expected a JSON object"),
        (b'{"id": 7}', 7, "no text"),
        (b'{"id": [], "text": "a"}', None, "the id is a list"),
        (b'{"id": 8, "text": "The bank", "known": {"4": "x%1:00:00::"}}', 8, "expected one of bank%1:17:01::"),
        (b'{"id": 8, "text": "The bank", "known": [4]}', 8, "expected sense keys by place"),
        (b'{"text": "\xff"}', None, "not UTF-8"),
        (b'{"text": "\\ud800"}', None, "surrogates not allowed"),
    ],
)
def test_a_line_that_is_wrong_says_so_and_the_others_are_answered(cli, tmp_path, line, name, said):
    (tmp_path / "a.jsonl").write_bytes(b'{"id": 1, "text": "A river."}\n' + line + b'\n{"id": 3, "text": "A bank."}\n')
    answer = cli(*TAG, "a.jsonl")
    first, wrong, last = map(json.loads, answer.out.splitlines())
    assert (first["id"], wrong["id"], last["id"]) == (1, name, 3)
    assert wrong["error"].startswith("a.jsonl:2: ")
    assert said in wrong["error"]
    assert first["senses"]
    assert last["senses"]
    assert answer.code == 1
    assert "1 of 3 lines could not be answered" in answer.err


def test_a_line_without_end_is_not_held_in_memory(monkeypatch):
    monkeypatch.setattr("swarmkit_wsd_services.json_lines.LONGEST", 10)
    lines = list(read_lines(io.BytesIO(b"x" * 100 + b"\n{}\n"), "a"))
    assert [(line.where, len(line.content), line.end) for line in lines] == [("a:1", 11, 101), ("a:2", 2, 104)]


def test_a_pipe_is_answered_line_by_line(start):
    with start(*TAG, "-", "--format", "jsonl", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for number in range(3):
            process.stdin.write(json.dumps({"id": number, "text": TEXTS[0]}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number  # while the pipe is open
        process.stdin.close()
        assert process.wait() == 0


def test_answers_do_not_depend_on_the_number_of_processes_nor_on_a_kill(cli, start, tmp_path):
    write(tmp_path / "a.jsonl", 600)
    assert cli(*TAG, "a.jsonl", "--out", "whole.jsonl").code == 0
    whole = (tmp_path / "whole.jsonl").read_bytes()
    process = start(*TAG, "a.jsonl", "--out", "killed.jsonl", "--jobs", "2", cwd=tmp_path)
    killed = tmp_path / "killed.jsonl"
    while not (killed.exists() and killed.stat().st_size) and process.poll() is None:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    written = killed.read_bytes()
    assert 0 < len(written) < len(whole)
    killed.write_bytes(written[:-20])  # as if the kill had come in the middle of a line
    with start(*TAG, "a.jsonl", "--out", "killed.jsonl", "--jobs", "2", "--resume", cwd=tmp_path) as again:
        assert again.wait() == 0
    assert killed.read_bytes() == whole


def test_an_output_is_resumed_only_with_its_input_and_its_preset(cli, tmp_path):
    write(tmp_path / "a.jsonl", 3)
    write(tmp_path / "short.jsonl", 2)
    (tmp_path / "other.jsonl").write_text('{"id": "x", "text": "A river."}\n')
    assert cli(*TAG, "a.jsonl", "--out", "o.jsonl", "--resume").code == 0  # nothing to resume: from the beginning
    before = (tmp_path / "o.jsonl").read_bytes()
    for arguments, said in [
        (["a.jsonl", "--out", "o.jsonl"], "o.jsonl exists. --resume goes on with it"),
        (["a.jsonl", "--resume"], "--resume needs --out"),
        (["other.jsonl", "--out", "o.jsonl", "--resume"], 'o.jsonl:1 answers the id "t0", but other.jsonl:1 has "x"'),
        (["short.jsonl", "--out", "o.jsonl", "--resume"], "o.jsonl:3: more answers than the input has"),
        (
            ["a.jsonl", "--out", "o.jsonl", "--resume", "--preset", "paper"],
            "is by preset fast, not paper",
        ),
        (["a.jsonl", "--out", "a.jsonl", "--resume"], "a.jsonl is one of the files that are read"),
        (["a.jsonl", "--out", "other.jsonl", "--resume"], "other.jsonl:1: no senses"),
        (["a.jsonl", "some text"], "some text: no such file"),
        (["a.jsonl", "--text", "a text"], "a batch reads files, and --text is none"),
        (["a.jsonl", "--explain", "bank"], "--explain goes with a text"),
        (["some text", "--jobs", "2"], "some text: no such file; expected names of files"),
        (["missing.jsonl"], "missing.jsonl: no such file"),
        (["a.jsonl", "--jobs", "0"], "jobs are a number of processes"),
    ]:
        answer = cli(*TAG[:2], *(["--preset", "fast"] if "--preset" not in arguments else []), *arguments)
        assert answer.code == 2, arguments
        assert said in " ".join(answer.err.split()), answer.err
    assert (tmp_path / "o.jsonl").read_bytes() == before
    assert cli(*TAG, "a.jsonl", "--out", "o.jsonl", "--resume").code == 0
    assert (tmp_path / "o.jsonl").read_bytes() == before


def test_each_text_in_a_folder_has_the_document_of_its_own_command(cli, tmp_path):
    (tmp_path / "texts").mkdir()
    for name, text in zip("ab", TEXTS, strict=False):
        (tmp_path / "texts" / f"{name}.txt").write_text(text)
    (tmp_path / "texts" / "c.html").write_text(f"<p>{TEXTS[2]}</p>")
    write(tmp_path / "d.jsonl", 2)
    batch = [*TAG, "texts/*.txt", "texts/c.html", "d.jsonl", "--out", "out"]
    said = cli(*batch, "--jobs", "2")
    assert said.code == 0, said.err
    written = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert set(written) == {"a.txt.json", "b.txt.json", "c.html.json", "d.jsonl"}
    for name in ("a.txt", "c.html"):
        assert cli(*TAG, f"texts/{name}", "--json").out.encode() == written[f"{name}.json"]
    assert cli(*TAG, "d.jsonl").out.encode() == written["d.jsonl"]

    (tmp_path / "out" / "a.txt.json").unlink()
    (tmp_path / "out" / "b.txt.json").write_bytes(b"kept")
    assert "exists" in cli(*batch).err
    assert cli(*batch, "--resume").code == 0
    assert (tmp_path / "out" / "a.txt.json").read_bytes() == written["a.txt.json"]
    assert (tmp_path / "out" / "b.txt.json").read_bytes() == b"kept"


def test_a_text_that_cannot_be_read_is_named_and_the_others_are_answered(cli, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"caf\xff")
    (tmp_path / "b.txt").write_text(TEXTS[0])
    said = cli(*TAG, "a.txt", "b.txt", "--out", "out/")
    assert said.code == 1
    assert "1 of 2 texts could not be answered: a.txt, line 1: bytes that are not UTF-8" in said.err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["b.txt.json"]


def test_where_answers_would_go_wrong_is_a_sentence(cli, tmp_path):
    (tmp_path / "sub").mkdir()
    for name in ("a.txt", "sub/a.txt"):
        (tmp_path / name).write_text("A river.")
    (tmp_path / "a.conllu").write_text("")
    write(tmp_path / "a.jsonl", 1)
    for arguments, said in [
        (["a.txt", "sub/a.txt", "--out", "o"], "a.txt and sub/a.txt would both be answered in o/a.txt.json"),
        (["a.txt", "--jobs", "2"], "the answers to a.txt need a file of their own: --out FOLDER"),
        (["a.jsonl", "a.conllu"], "a.jsonl is jsonl and a.conllu is conllu; expected one format, or --out FOLDER"),
        (["-", "--format", "conllu", "--out", "sub"], "standard input has no name for a file in a folder"),
        (["a.txt", "--out", "a.jsonl"], "a.jsonl: no folder, and none can be made"),
        (["*.md"], "*.md: no file matches"),
        (["a.conllu", "--alternatives", "1"], "--alternatives goes with JSON; CoNLL-U and tables"),
        (["a.jsonl", "--backend", "dsk"], "no backend named 'dsk'. Did you mean 'dask'?"),
        (["a.jsonl", "--scheduler", "tcp://127.0.0.1:1"], "goes with the backend 'dask'"),
        (["a.jsonl", "--backend", "dask"], "needs the address of a scheduler"),
    ]:
        answer = cli(*TAG, *arguments)
        assert answer.code == 2, arguments
        assert said in " ".join(answer.err.split()), answer.err
    assert cli(*TAG, "a.conllu", "--out", "empty.conllu").code == 0
    assert (tmp_path / "empty.conllu").read_bytes() == b""


def test_what_is_wrong_with_the_options_is_said_before_anything_is_written(cli, tmp_path):
    write(tmp_path / "a.jsonl", 1)
    answer = cli(*TAG, "a.jsonl", "--out", "o.jsonl", "-P", "measure=nonsense", "--jobs", "2")
    assert (answer.code, "no measure named 'nonsense'" in answer.err) == (2, True)
    assert not (tmp_path / "o.jsonl").exists()


def test_a_cluster_that_loses_a_worker_writes_the_bytes_of_this_machine(cli, start, cluster, tmp_path):
    check_on_cluster(cli, start, cluster, tmp_path, 400)


@pytest.mark.long
def test_a_cluster_that_loses_a_worker_writes_3000_answers_of_the_model(cli, start, cluster, tmp_path):
    check_on_cluster(cli, start, cluster, tmp_path, 3000, preset="best")


def check_on_cluster(cli, start, cluster, folder, count, preset="fast"):
    """Kill a worker when the first answers are there; compare the output with that of one process of this machine."""
    address, workers = cluster
    write(folder / "a.jsonl", count)
    tag = ["wsd", "tag", "--preset", preset, "a.jsonl"]
    assert cli(*tag, "--out", "here.jsonl").code == 0
    there = folder / "there.jsonl"
    options = ["--out", "there.jsonl", "--backend", "dask", "--scheduler", address]
    with start(*tag, *options, cwd=folder) as process:
        wait_for(lambda: (there.exists() and there.stat().st_size) or process.poll() is not None)
        workers[0].kill()
        assert process.wait() == 0
    assert workers[0].wait() == -signal.SIGKILL
    assert workers[1].poll() is None
    assert there.read_bytes() == (folder / "here.jsonl").read_bytes()


def test_a_worker_with_another_lexicon_is_refused(monkeypatch):
    batch = Batch(make_settings(WsdOptions, {"preset": "fast"}, "wsd"))
    versions = Versions.of(batch.options)
    task = LineTask([next(read_lines(io.BytesIO(b'{"text": "A river."}'), "a"))])
    assert answer(batch._replace(versions=versions), task) == answer(batch, task)
    with pytest.raises(UsageError, match=r"a worker has wordnet .*; expected another"):
        answer(batch._replace(versions=versions._replace(wordnet="another")), task)


def test_progress_has_a_rate_and_the_time_left():
    seconds, log = [0.0], io.StringIO()
    with BatchProgress(1000, "lines", log, clock=lambda: seconds[0]) as progress:
        progress.count_earlier(50, 200)
        for end in (300, 400):
            seconds[0] += 20
            progress.count_answers(100, end)
    assert log.getvalue() == "swarmkit: 200 lines, 5.0 lines/s, 25 %, 0:02:00 left\n"
