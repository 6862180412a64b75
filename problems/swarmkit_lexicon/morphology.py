"""Base forms of inflected words by WordNet's rules, morphy(7WN)."""

from __future__ import annotations

from collections.abc import Callable

DETACHMENT = {
    "n": "s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y",
    "v": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "a": "er: est: er:e est:e",
    "r": "",
}
"""The rules by part of speech, `suffix:replacement`."""

_RULES = {pos: [tuple(rule.split(":")) for rule in rules.split()] for pos, rules in DETACHMENT.items()}


def base_forms(form: str, pos: str, known: Callable[[str], bool], exceptions: list[str] | None) -> list[str]:
    """Return the entries that a form may stand for, the form itself first.

    >>> base_forms("axes", "n", {"ax", "axis", "axe"}.__contains__, ["ax", "axis"])
    ['ax', 'axis']
    >>> base_forms("churches", "n", {"church"}.__contains__, None)
    ['church']

    Args:
        form: a word, lower case, with underscores for spaces.
        pos: n, v, a or r.
        known: whether a word is an entry of this part of speech.
        exceptions: the base forms that WordNet's exception list has for the form; they replace the rules.
    """
    made = [form[: -len(old)] + new for old, new in _RULES[pos] if form.endswith(old)]
    forms = [form, *(made if exceptions is None else exceptions)]
    return [form for form in dict.fromkeys(forms) if known(form)]
