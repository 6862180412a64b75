import os
import threading

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
