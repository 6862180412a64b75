"""Parts of speech without a tagger: what function words say about the next word, and how frequent its entries are.

There is no tagged text of these languages here, so the shares are set by hand; the objective decides between the parts
of speech that they leave.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from swarmkit_lexicon.languages.rules import LanguageRules
from swarmkit_text.corpus import Pos

Shares = Mapping[Pos, float]

ANYWHERE: Shares = {"n": 0.45, "v": 0.30, "a": 0.15, "r": 0.10}
"""The share of each part of speech among content words."""

AFTER: Mapping[str, Shares] = {
    "determiners": {"n": 0.80, "v": 0.01, "a": 0.17, "r": 0.02},
    "pronouns": {"n": 0.01, "v": 0.93, "a": 0.01, "r": 0.05},
    "prepositions": {"n": 0.75, "v": 0.60, "a": 0.08, "r": 0.07},
    "auxiliaries": {"n": 0.05, "v": 0.55, "a": 0.30, "r": 0.10},
}
"""The shares behind a word of a kind; those of verbs behind prepositions are those of infinitives."""

INFLECTIONS: Shares = {"n": 0.3, "v": 0.1, "a": 0.3, "r": 0.3}
"""About how many occurrences of a lemma have one form that is not the lemma."""

FINITE = 0.01
"""The factor of verbs behind prepositions if their form is not the infinitive."""

SMOOTHED = 0.5
"""Is added to the counts of entries."""


def kind_before(forms: Sequence[str], at: int, rules: LanguageRules) -> str | None:
    """Return the kind of function word that the word at a position follows, of those in `AFTER`; None for others.

    Clitics between a pronoun and a word count as part of the pronoun (il la porte); otherwise they are determiners.

    Args:
        forms: the words of the sentence, as entries are spelled.
        at: the position.
        rules: those of the language.
    """
    if at == 0:
        return None
    before = at - 1
    # il la porte: the clitic between pronoun and verb is passed over.
    while before > 0 and forms[before] in rules.clitics:
        before -= 1
    if forms[before] in rules.pronouns:
        return "pronouns"
    last = forms[at - 1]
    return next((kind for kind in ("determiners", "prepositions", "auxiliaries") if last in getattr(rules, kind)), None)


def share(pos: Pos, kind: str | None, is_inflection: bool, count: float) -> float:
    """Return the share of an entry among those that a word may stand for; only ratios of shares count.

    >>> share("n", "determiners", False, 0.0) > share("v", "determiners", True, 100.0)
    True

    Args:
        pos: the part of speech.
        kind: what the word follows, as `kind_before` returns it.
        is_inflection: whether the word is another form than the lemma.
        count: how often the entry occurs in tagged texts.
    """
    # Proportional to P(part of speech | context) · (count · P(form | lemma) + smoothing).
    expected = AFTER[kind][pos] if kind else ANYWHERE[pos]
    if pos == "v" and kind == "prepositions" and is_inflection:
        expected *= FINITE
    return expected * (count * (INFLECTIONS[pos] if is_inflection else 1.0) + SMOOTHED)
