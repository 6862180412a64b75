"""Standard streams that are closed, or whose encoding has not all characters."""

import json
import os
import subprocess
import sys

import pytest

RUN = "solve -p synthetic -P n=8 -a random --looks 3000"
COMPARISON = "compare -p synthetic -P n=8 --algos random,icm --runs 2 --looks 1000 --jobs 2"
CLOSED = "swarmkit: standard output: cannot be written (Bad file descriptor)\n"


def shell(command, tmp_path, **environment):
    """Run a command of swarmkit with what a shell does to its streams."""
    program = f'{sys.executable} -c "from swarmkit.cli import main; main()" {command}'
    environment = os.environ | environment
    return subprocess.run(["/bin/sh", "-c", program], cwd=tmp_path, env=environment, capture_output=True, check=False)


@pytest.mark.parametrize("command", [RUN, f"{RUN} --json", "--help", "list"])
def test_a_closed_standard_output_is_a_sentence(tmp_path, command):
    done = shell(f"{command} >&-", tmp_path)
    assert (done.returncode, done.stderr.decode()) == (2, CLOSED)


def test_a_closed_standard_output_does_not_lose_the_file(tmp_path):
    done = shell(f"{RUN} --out x.json >&-", tmp_path)
    assert (done.returncode, done.stderr.decode()) == (2, CLOSED)
    assert json.loads((tmp_path / "x.json").read_text())["looks"] == 2560


@pytest.mark.parametrize("closed", ["2>&-", "<&-", "<&- 2>&-"])
def test_other_streams_may_be_closed_even_for_workers_and_files_beside_them(tmp_path, closed):
    done = shell(f"{COMPARISON} --json --store runs.db {closed}", tmp_path)
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["records"]) == 4
    assert len(json.loads(shell("runs runs.db --json", tmp_path).stdout)) == 4


def test_all_streams_may_be_closed(tmp_path):
    assert shell(f"{RUN} --out x.json <&- >&- 2>&-", tmp_path).returncode == 2
    assert (tmp_path / "x.json").exists()


def test_what_an_encoding_has_not_is_escaped_as_json_is(tmp_path):
    (tmp_path / "cities.csv").write_text("name,x,y\nCafé,0,0\nZürich 🐝,0,1\nUlm,1,1\n", encoding="utf-8")
    command = "solve -p tsp -P file=cities.csv -a ils --looks 1000"
    document = shell(f"{command} --json", tmp_path, PYTHONIOENCODING="ascii")
    assert document.stdout.isascii()
    assert "Zürich 🐝" in json.dumps(json.loads(document.stdout), ensure_ascii=False)
    table = shell(command, tmp_path, PYTHONIOENCODING="ascii")
    assert (table.returncode, b"Caf\\u00e9" in table.stdout) == (0, True)
