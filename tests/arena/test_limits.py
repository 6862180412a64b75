"""The limits of a solver's process, as an ordinary user and as root: network, processes, files, CPU time."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from swarmkit_arena import enter, process_tree
from swarmkit_arena.process import ContestantProcess
from swarmkit_arena.submission import Submission
from tests.arena.entries import NONE, Cheat, source
from tests.conftest import wait_for

NOBODY = 65534

VISIT = """
import json, sys
from pathlib import Path
from swarmkit_arena import enter
from swarmkit_arena.process import ContestantProcess
from swarmkit_arena.submission import Submission
with ContestantProcess(Submission(file=sys.argv[1])) as process:
    place = Path(f"/proc/{process._process.pid}")
    facts = {"network": not process.ready["without_network"], "threads": len(list((place / "task").iterdir()))}
    limits = (place / "limits").read_text().splitlines()
facts["limits"] = {line[:25].strip(): line[25:].split()[:2] for line in limits[1:]}
facts["reasons"] = [reason.rule for reason in enter(sys.argv[2], seed=1).reasons]
print(json.dumps(facts))
"""

FORKS = Cheat("forks and hangs", "process", head="import os", before="os.fork()\nwhile True:\n    pass")
LEAVES = Cheat(
    "leaves a process behind",
    "process",
    head="import os",
    before="if os.fork():\n    os._exit(0)\nwhile True:\n    pass",
)


def written(cheat, folder, name):
    file = folder / name
    file.write_text(source(cheat), encoding="utf-8")
    file.chmod(0o644)
    return file


def ordinary_user(folder):
    """Return the options of a process of an ordinary user, and a Python that such a user can start."""
    environment = {**os.environ, "HOME": str(folder), "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    if os.getuid() != 0:
        return {"env": environment}, sys.executable
    os.chown(folder, NOBODY, NOBODY)
    options = {"env": environment, "user": NOBODY, "group": NOBODY, "extra_groups": []}
    for python in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        try:
            if (
                subprocess.run([python, "-c", "import numpy"], **options, capture_output=True, check=False).returncode
                == 0
            ):
                return options, python
        except OSError:
            continue
    pytest.skip("no Python that an ordinary user may start can be found")


@pytest.fixture
def open_folder():
    """A folder that other users may read: those of pytest are closed to them."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces and /proc are Linux's")
def test_an_ordinary_user_has_no_network_no_processes_and_hard_limits(open_folder):
    honest, forks = written(NONE, open_folder, "honest.py"), written(FORKS, open_folder, "forks.py")
    options, python = ordinary_user(open_folder)
    command = [python, "-c", VISIT, str(honest), str(forks)]
    visit = subprocess.run(command, **options, cwd="/", capture_output=True, text=True, check=False, timeout=120)
    assert visit.returncode == 0, visit.stderr
    facts = json.loads(visit.stdout)
    assert (facts["network"], facts["threads"]) == (False, 1)
    expected = {"Max processes": ["0", "0"], "Max file size": [str(64 << 20)] * 2, "Max cpu time": ["300", "301"]}
    assert {name: facts["limits"][name] for name in expected} == expected
    assert "process" in facts["reasons"]


@pytest.mark.parametrize("cheat", [FORKS, LEAVES], ids=lambda cheat: cheat.name)
def test_a_solver_that_forks_and_hangs_is_refused_for_that_and_leaves_nothing(cheat, tmp_path):
    begin = time.monotonic()
    verdict = enter(written(cheat, tmp_path, "entry.py"), seed=1)
    assert "process" in {reason.rule for reason in verdict.reasons}
    assert time.monotonic() - begin < 60
    work = "swarmkit_arena.restrictions"
    mine = [pid for pid in process_tree.descendants(os.getpid()) if work in command_of(pid)]
    assert not mine


def command_of(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


BURNS = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True: pass
    while True: pass
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_cpu_time_and_end_are_those_of_all_that_was_started():
    process = subprocess.Popen([sys.executable, "-c", BURNS], start_new_session=True)
    try:
        wait_for(lambda: len(process_tree.descendants(process.pid)) == 2)
        started = process_tree.descendants(process.pid)
        wait_for(lambda: process_tree.cpu_seconds(process.pid) > 0.5)
        alone = process_tree._own_cpu_seconds(process.pid)
        assert alone < 0.3
    finally:
        process_tree.end(process.pid)
        process.wait()
    wait_for(lambda: not any(is_running(pid) for pid in started))


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("head", ["import numba", "import package_of_a_second_site"])
def test_packages_of_a_second_site_folder_may_be_imported(head, tmp_path, monkeypatch):
    site, entry = tmp_path / "site", tmp_path / "entry"
    entry.mkdir()
    (site / "package_of_a_second_site-1.dist-info").mkdir(parents=True)
    (site / "package_of_a_second_site.py").write_text("")
    monkeypatch.syspath_prepend(site)
    file = written(Cheat("imports a package", "", head=head), entry, "entry.py")
    with ContestantProcess(Submission(file=str(file))) as process:
        assert process.reasons == []
