import shutil
import zipfile

import pytest

from swarmkit import MissingError, UsageError
from swarmkit_lexicon import cache, search
from swarmkit_lexicon.fetch import obtain, obtain_ic
from swarmkit_lexicon.lexicon import cached_arrays, open_lexicon
from swarmkit_lexicon.search import remove, status
from swarmkit_lexicon.source import FILES, PRINCETON, Source, content_hash


def test_an_explicit_folder_comes_before_all_others(elsewhere, copied, monkeypatch):
    cached, debian = copied(elsewhere / "cache" / search.FOLDER), copied(elsewhere / "debian")
    nltk = copied(elsewhere / "home" / "nltk_data" / "corpora" / "wordnet")
    named, option = copied(elsewhere / "named"), copied(elsewhere / "option")
    monkeypatch.setenv(search.VARIABLE, str(named))
    assert search.find(option).path == option
    for path, found in [(named, "named"), (nltk, "nltk"), (cached, "cache"), (debian, "debian")]:
        source = search.find()
        assert (source.path, source.found, source.version) == (path, found, "3.0")
        assert source.sha256 == PRINCETON
        shutil.rmtree(path)
        monkeypatch.delenv(search.VARIABLE, raising=False)
    assert search.find() is None


def test_the_archive_that_nltk_downloads_is_read_as_it_is(elsewhere, copied, source):
    folder = copied(elsewhere / "wordnet")
    corpora = elsewhere / "home" / "nltk_data" / "corpora"
    corpora.mkdir(parents=True)
    with zipfile.ZipFile(corpora / "wordnet.zip", "w", zipfile.ZIP_STORED) as archive:
        for name in FILES:
            archive.write(folder / name, f"wordnet/{name}")
    found = search.find()
    assert (found.found, found.version) == ("nltk", "3.0")
    assert found.read("data.verb") == source.read("data.verb")
    (corpora / "wordnet.zip").write_bytes((corpora / "wordnet.zip").read_bytes()[:50_000])
    assert search.find() is None


def test_windows_line_ends_change_nothing(elsewhere, copied):
    folder = copied(elsewhere / "named")
    for name in FILES:
        (folder / name).write_bytes((folder / name).read_bytes().replace(b"\n", b"\r\n"))
    assert search.find(folder).sha256 == PRINCETON


def test_another_wordnet_is_taken_only_if_it_is_named(elsewhere, copied):
    nltk = copied(elsewhere / "home" / "nltk_data" / "corpora" / "wordnet")
    (nltk / "data.adv").write_bytes((nltk / "data.adv").read_bytes() + b"\n")
    assert search.find() is None
    named = search.find(nltk)
    assert named.version == "3.0 according to its files"
    assert not named.is_3_0
    (shown,) = status()
    assert not shown.used
    assert "not WordNet 3.0 by its content" in shown.remark


def test_a_file_changed_after_it_was_known_is_hashed_again(elsewhere, copied):
    cached = copied(elsewhere / "cache" / search.FOLDER)
    assert search.find().is_3_0
    (cached / "data.noun").write_bytes((cached / "data.noun").read_bytes()[:1_000_000])  # a disk that was full, say
    assert search.find() is None


def test_a_folder_that_is_no_wordnet_is_refused_in_words(elsewhere, monkeypatch):
    for wrong in (elsewhere, elsewhere / "nowhere", elsewhere / "no.zip"):
        with pytest.raises(UsageError, match=r"is not a WordNet: adj\.exc.* not found there"):
            search.find(wrong)
    monkeypatch.setenv(search.VARIABLE, str(elsewhere))
    with pytest.raises(UsageError, match="is not a WordNet"):
        obtain()


def test_files_that_are_no_wordnet_inside_are_refused_in_words(elsewhere, copied):
    for name, data in [("data.noun", b"00001740 03 n zz entity\n"), ("index.adv", b"well r 1 0 1 0 99999999\n")]:
        folder = copied(elsewhere / name)
        (folder / name).write_bytes(data)
        with pytest.raises(UsageError, match="cannot be read as a WordNet"):
            open_lexicon(folder, notice=lambda _: None)


def test_nothing_found_and_nothing_fetched_names_three_ways_out(elsewhere):
    for ask in (lambda: obtain(fetch=False), lambda: obtain_ic(fetch=False)):
        with pytest.raises(MissingError, match="three ways out") as caught:
            ask()
        assert caught.value.exit_code == 3
        for way in ("swarmkit data fetch", "apt install wordnet-base", search.VARIABLE):
            assert way in str(caught.value)


def test_information_content_is_found_beside_wordnet_by_name_or_by_path(elsewhere, copied, source):
    semcor = obtain_ic(source=source)
    folder = copied(elsewhere / "named")
    (folder / "ic-mine.dat").write_bytes(semcor.replace(b"\n", b"\r\n"))
    assert search.find_ic("ic-mine.dat", Source(folder, "named")) == semcor
    assert search.find_ic(str(folder / "ic-mine.dat")) == semcor
    assert search.find_ic("ic-mine.dat") is None
    with pytest.raises(UsageError, match="no information content file"):
        obtain_ic(str(folder / "ic-other.dat"))


def test_a_cache_that_cannot_be_made_gives_way_to_a_private_folder(elsewhere, copied, monkeypatch):
    (elsewhere / "file").write_text("")
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(elsewhere / "file" / "cache"))
    place = cache.writable_cache()
    assert place == cache.private_temporary()
    assert place.stat().st_mode & 0o777 == 0o700
    copied(place / search.FOLDER)
    assert search.find().is_3_0


def test_arrays_that_cannot_be_kept_are_used_from_memory(elsewhere, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("swarmkit_lexicon.lexicon.save", full)
    assert cached_arrays("x", lambda: {"a": b"made"}) == {"a": b"made"}
    assert not list((elsewhere / "cache").rglob("*.arrays"))


def test_broken_arrays_are_made_anew(elsewhere, synsets):
    made = []

    def build():
        made.append(1)
        return {"a": synsets}

    for _ in range(3):
        assert cached_arrays("x", build)["a"].tolist() == synsets.tolist()
    assert len(made) == 1
    kept = elsewhere / "cache" / "compiled" / "x.arrays"
    kept.write_bytes(kept.read_bytes()[:-100])
    assert cached_arrays("x", build)["a"].tolist() == synsets.tolist()
    assert len(made) == 2


def test_removing_takes_away_what_was_kept_and_nothing_else(elsewhere, copied):
    copied(elsewhere / "cache" / search.FOLDER)
    (elsewhere / "cache" / "mine").write_text("")
    assert search.find().is_3_0
    assert elsewhere / "cache" / search.FOLDER in remove()
    assert [path.name for path in (elsewhere / "cache").iterdir() if not path.name.startswith(".")] == ["mine"]
    assert search.find() is None


def test_status_says_what_is_there_and_which_is_used(elsewhere, copied):
    copied(elsewhere / "debian")
    incomplete = copied(elsewhere / "home" / "nltk_data" / "corpora" / "wordnet")
    (incomplete / "noun.exc").unlink()
    first, second = status()
    assert (first.found, first.used, first.remark) == ("nltk", False, "incomplete: noun.exc missing")
    assert (second.found, second.used, second.version, second.sha256) == ("debian", True, "3.0", PRINCETON)
    assert second.size > 28_000_000


def test_the_content_hash_is_what_sha256sum_says(source):
    assert content_hash(source) == source.sha256
