"""The corpora that the tests read: our own small ones, and the real ones where they are.

The real ones are in ../shared/data beside the project; $SWARMKIT_TEST_DATA names another folder.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import ROOT

OWN = Path(__file__).parent / "data"
REAL = Path(os.environ.get("SWARMKIT_TEST_DATA") or ROOT.parent / "shared" / "data")


OWN_WORDNETS = OWN / "omw"
"""Small tab files of our own, French and Italian."""

REAL_WORDNETS = REAL / "omw"
WORDNETS = [folder for folder in (OWN_WORDNETS, REAL_WORDNETS) if folder.is_dir()]
"""Folders with tab files at hand; the last one is the most complete."""


class AtHand(NamedTuple):
    """A corpus, its gold key, and what is known about it."""

    xml: Path
    gold: Path
    format: str
    texts: int
    targets: int
    unknown: int
    """Words that WordNet has not."""
    first: Path | None
    """A key with the first senses: ours, or the organisers'."""
    first_right: int
    first_f1: tuple[float, float]
    """Micro and macro F1 of that key."""


SEMEVAL = AtHand(
    REAL / "semeval2007-coarse" / "eng-coarse-all-words.xml",
    REAL / "semeval2007-coarse" / "dataset21.test.key",
    "coarse", 5, 2269, 5, REAL / "semeval2007-coarse" / "fs_baseline.key", 1790, (78.89, 79.50),
)  # fmt: skip
SENSEVAL = AtHand(
    REAL / "senseval2" / "senseval2.data.xml",
    REAL / "senseval2" / "senseval2.gold.key.txt",
    "unified", 3, 2282, 0, None, 0, (0, 0),
)  # fmt: skip
OUR_COARSE = AtHand(
    OWN / "coarse.xml", OWN / "coarse.gold.key", "coarse", 3, 57, 1, OWN / "coarse.first.key", 29, (51.33, 50.05)
)
OUR_UNIFIED = AtHand(
    OWN / "unified.xml", OWN / "unified.gold.key", "unified", 2, 34, 0, OWN / "unified.first.key", 15, (44.12, 44.12)
)
CORPORA = [
    pytest.param(corpus, id=corpus.xml.stem)
    for corpus in (OUR_COARSE, OUR_UNIFIED, SEMEVAL, SENSEVAL)
    if corpus.xml.is_file()
]
"""All corpora at hand."""

WITH_FIRST = [corpus for corpus in CORPORA if corpus.values[0].first]
"""Those with a key of first senses."""
