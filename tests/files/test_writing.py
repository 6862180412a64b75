import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from swarmkit import UsageError, write_atomically


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch, error):
    write_atomically(tmp_path / "file", b"old")
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(error))
    with pytest.raises((UsageError, KeyboardInterrupt)):
        write_atomically(tmp_path / "file", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == b"old"


def test_what_cannot_be_written_is_told_with_its_reason(tmp_path):
    for place in (tmp_path, tmp_path / "nowhere" / "file"):
        with pytest.raises(UsageError, match=r"cannot be written \(.+\)"):
            write_atomically(place, b"new")


def test_others_may_read_what_was_written(tmp_path):
    before = os.umask(0o022)
    try:
        write_atomically(tmp_path / "file", b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o644


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("file")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


def test_a_pipe_is_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=write_atomically, args=(tmp_path / "pipe", b"new"))
    writer.start()
    assert (tmp_path / "pipe").read_bytes() == b"new"
    writer.join()
    assert (tmp_path / "pipe").is_fifo()


def left_behind(folder, name, age):
    """A file that a process has begun to write some seconds ago."""
    path = folder / name
    path.write_bytes(b"part")
    os.utime(path, (time.time() - age,) * 2)
    return path


def test_what_killed_processes_left_is_swept_and_nothing_else(tmp_path):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    gone = left_behind(tmp_path, f".run.ckpt.{dead.pid}-0123abcd.tmp", 100)
    kept = [
        left_behind(tmp_path, f".run.ckpt.{dead.pid}-0123abce.tmp", 5),
        left_behind(tmp_path, f".run.ckpt.{os.getppid()}-0123abcd.tmp", 100),
        left_behind(tmp_path, f"run.ckpt.{dead.pid}-0123abcd.tmp", 100),
        left_behind(tmp_path, f".run.ckpt.{dead.pid}.tmp", 100),
        left_behind(tmp_path, "notes.tmp", 100),
    ]
    write_atomically(tmp_path / "other", b"new")
    assert not gone.exists()
    assert all(path.exists() for path in kept)


@pytest.fixture
def full_disk(tmp_path):
    """A folder on a disk of 16 KB that is full; without the right to mount, the device that is always full."""
    place = tmp_path / "full"
    place.mkdir()
    mounted = (
        shutil.which("mount")
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(place)], capture_output=True
        ).returncode
    )
    if mounted:
        with contextlib.suppress(OSError):
            (place / "filling").write_bytes(b"x" * 16384)
        yield lambda name: str(place / name)
        subprocess.run(["umount", str(place)], check=True)
    else:
        yield lambda name: str(_link(place / name))


def _link(path):
    path.symlink_to("/dev/full")
    return path


RUN = ["solve", "-p", "synthetic", "-P", "n=8", "-a", "random", "--looks", "3000"]


@pytest.mark.parametrize("option", ["--out x.json", "--plot x.svg"])
def test_a_full_disk_does_not_lose_the_answer(cli, full_disk, option):
    option, name = option.split()
    said = cli(*RUN, "--json", option, full_disk(name), "--force")
    assert said.code == 2
    assert json.loads(said.out)["looks"] == 2560  # five batches of 64 solutions
    assert re.fullmatch(r"swarmkit: .*x\.\w+: cannot be written \(No space left on device\)\n", said.err)


def test_a_full_disk_does_not_lose_a_comparison(cli, full_disk):
    compare = ["compare", "-p", "synthetic", "--algos", "random", "--runs", "2", "--looks", "1000"]
    said = cli(*compare, "--json", "--out", full_disk("x.json"), "--force")
    assert (said.code, len(json.loads(said.out)["records"])) == (2, 2)


def test_a_checkpoint_on_a_full_disk_is_a_warning(command, full_disk):
    process = command(*RUN, "--json", "--checkpoint", full_disk("x.ckpt"), "--every", "0", "--force")
    out, err = process.communicate()
    assert (process.returncode, json.loads(out)["looks"]) == (0, 2560)
    assert err.count("No space left on device") == 1
    assert "the run goes on" in err


def test_a_full_standard_output_is_a_sentence(command):
    with Path("/dev/full").open("w") as full:
        for arguments in (RUN, ["list"]):
            process = command(*arguments)
            process.communicate()
            process = subprocess.run(process.args, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            assert process.returncode == 2
            assert process.stderr == "swarmkit: standard output: cannot be written (No space left on device)\n"


@pytest.mark.parametrize("file", ["/dev/zero", "x" * 300, "."])
@pytest.mark.parametrize("command", [["replay"], ["compare"], ["resume"], ["runs"], ["report"], ["movie"]])
def test_what_is_no_ordinary_file_is_refused(cli, command, file, monkeypatch):
    monkeypatch.setattr("swarmkit.contract.bounded_json.read_bytes.__defaults__", (1,))
    said = cli(*command, file)
    assert (said.code, said.err.count("\n")) == (2, 1), said.err
