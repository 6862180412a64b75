"""How entries of other languages are spelled: the name under which words and phrases are looked up."""

from __future__ import annotations

import re
import unicodedata

_SIGNS = str.maketrans(
    {"\u2019": "'", "\u00b4": "'", "\u2010": "-", "\u2011": "-", "\u00ad": None, "œ": "oe", "æ": "ae"}
)
_APART = re.compile(r"'\s+")


def entry_form(text: str) -> str:
    """Return a word or phrase as an entry: small letters with accents, underscores for spaces but behind apostrophes.

    >>> entry_form("Pomme de terre"), entry_form("dell\u2019 Acqua"), entry_form("Œil")
    ('pomme_de_terre', "dell'acqua", 'oeil')
    """
    plain = unicodedata.normalize("NFC", text).lower().translate(_SIGNS)
    return "_".join(_APART.sub("'", plain.replace("_", " ")).split())
