"""Codes of languages: ISO 639-1 (fr) and 639-3 (fra), as the Open Multilingual Wordnet uses them."""

from __future__ import annotations

from typing import NamedTuple

from swarmkit import UsageError, quoted

_PAIRS = """
af:afr ar:arb az:azj be:bel bg:bul bn:ben bs:bos ca:cat cs:ces cy:cym da:dan de:deu el:ell en:eng eo:epo es:spa et:est
eu:eus fa:fas fi:fin fr:fra ga:gle gd:gla gl:glg gv:glv he:heb hi:hin hr:hrv hu:hun hy:hye id:ind is:isl it:ita ja:jpn
ka:kat ko:kor la:lat lb:ltz lt:lit lv:lav mk:mkd ml:mal ms:zsm nb:nob nl:nld nn:nno pl:pol pt:por ro:ron ru:rus se:sme
sk:slk sl:slv sq:als sr:srp sv:swe sw:swh th:tha tl:tgl tr:tur uk:ukr vi:vie zh:cmn
"""
THREE = dict(pair.split(":") for pair in _PAIRS.split())
"""The code of three letters for each code of two."""

TWO = {three: two for two, three in THREE.items()}

ALIASES = {
    "ara": "arb", "sqi": "als", "alb": "als", "msa": "zsm", "zho": "cmn", "chi": "cmn", "nor": "nob", "no": "nob",
    "fre": "fra", "ger": "deu", "dut": "nld", "gre": "ell", "per": "fas", "baq": "eus", "cze": "ces", "slo": "slk",
    "rum": "ron", "ice": "isl", "swa": "swh",
}  # fmt: skip
"""Other codes of languages: macrolanguages, and the bibliographic codes of ISO 639-2."""


class Code(NamedTuple):
    """A language."""

    three: str
    """Its ISO 639-3 code, with which the names of files are made."""
    two: str | None
    """Its ISO 639-1 code, if it has one here."""


def language_code(code: str) -> Code:
    """Return a language by its code of two or three letters; a country behind it (fr-CA) is left out.

    >>> language_code("fr"), language_code("ITA"), language_code("fr_CA").three
    (Code(three='fra', two='fr'), Code(three='ita', two='it'), 'fra')

    Raises:
        UsageError: it is not such a code.
    """
    name = code.strip().lower().replace("_", "-").partition("-")[0]
    # Aliases first: 'no' and 'zho' look like codes of one language, but the tab files are of another.
    three = ALIASES.get(name) or THREE.get(name, name)
    if len(three) != 3 or not (three.isascii() and three.isalpha()):
        raise UsageError(
            f"no language {quoted(code)}; expected an ISO 639 code of two or three letters, such as fr or fra: "
            f"two letters are known for {', '.join(THREE)}"
        )
    return Code(three, TWO.get(three))


def is_english(name: str) -> bool:
    """Return whether a code is that of English, which needs no other wordnet."""
    return language_code(name).three == "eng"
