"""Lemmas of inflected forms by simplemma, whose dictionaries are inside its package."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from swarmkit import MissingError, install_hint
from swarmkit_lexicon.languages.codes import Code

LONGEST = 60
"""Letters of the longest form that is looked up."""

OTHER_NAMES = {"hrv": "hbs", "srp": "hbs", "bos": "hbs"}
"""Languages whose dictionary has another name than their code of two letters."""


def dictionary_name(code: Code) -> str | None:
    """Return simplemma's name of a language; None if it has no dictionary of it.

    Raises:
        MissingError: simplemma is not installed.
    """
    if find_spec("simplemma") is None:
        raise MissingError(
            f"languages other than English need simplemma, which the extra 'languages' installs: "
            f"{install_hint('languages')}"
        )
    factory = import_module("simplemma.strategies.dictionaries.dictionary_factory")
    known: Any = factory.SUPPORTED_LANGUAGES
    names = (OTHER_NAMES.get(code.three), code.two, code.three)
    return next((name for name in names if name is not None and name in known), None)


@lru_cache(maxsize=1 << 16)
def lemmatise(form: str, name: str) -> str:
    """Return the lemma of a form in small letters; the form itself if the dictionary does not have it.

    Args:
        form: the form.
        name: simplemma's name of the language.
    """
    if len(form) > LONGEST or not form:
        return form
    lemma: str = import_module("simplemma").lemmatize(form, lang=name)
    return lemma
