"""WordNet's lexicon, copies of its files, and machines that have none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from swarmkit_lexicon import cache, search
from swarmkit_lexicon.fetch import obtain_ic
from swarmkit_lexicon.lexicon import Lexicon, open_lexicon
from swarmkit_lexicon.source import FILES, Source
from tests.conftest import ROOT


@pytest.fixture(scope="session")
def lexicon(source: Source) -> Lexicon:
    return open_lexicon(source.path)


@pytest.fixture(scope="session")
def synsets(lexicon: Lexicon) -> np.ndarray:
    """Some hundred synsets as texts have them: all senses of frequent words, of every part of speech."""
    rng = np.random.default_rng(5)
    frequent = np.unique(lexicon.sense_lemma[rng.choice(np.flatnonzero(lexicon.sense_count > 0), 60)])
    senses = [lexicon.senses(lexicon.lemma_names[lemma]) for lemma in frequent]
    return np.unique(lexicon.sense_synset[np.concatenate(senses)])


@pytest.fixture
def elsewhere(tmp_path, monkeypatch) -> Path:
    """A machine without WordNet: an empty cache, an empty home, no Debian files, nothing named."""
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    monkeypatch.setattr(search, "DEBIAN_FOLDER", tmp_path / "debian")
    monkeypatch.delenv(search.VARIABLE, raising=False)
    monkeypatch.delenv("NLTK_DATA", raising=False)
    return tmp_path


@pytest.fixture
def copied(source):
    """Copy WordNet's files to a folder of choice."""

    def copy(folder: Path) -> Path:
        folder.mkdir(parents=True)
        for name in FILES:
            (folder / name).write_bytes(source.read(name))
        return folder

    return copy


@pytest.fixture
def python(start_process):
    """Start a Python of its own that knows the packages here."""

    def start(code: str, environment: dict[str, str]) -> subprocess.Popen[str]:
        env = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "problems")])} | environment
        command = [sys.executable, "-c", code]
        return start_process(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)

    return start


@pytest.fixture(scope="session")
def nltk_wordnet(source, tmp_path_factory):
    """NLTK's reader on the same files, the yardstick."""
    import nltk

    corpora = tmp_path_factory.mktemp("nltk_data") / "corpora"
    shutil.copytree(source.path, corpora / "wordnet")
    (corpora / "wordnet_ic").mkdir()
    (corpora / "wordnet_ic" / "ic-semcor.dat").write_bytes(obtain_ic(source=source))
    nltk.data.path.insert(0, str(corpora.parent))
    from nltk.corpus import wordnet as reader

    return reader
