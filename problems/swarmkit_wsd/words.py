"""Words as the measures see them: the tokens of a gloss, function words, and base forms by WordNet's morphy."""

from __future__ import annotations

import re
from collections.abc import Callable

# Articles, pronouns, prepositions and conjunctions, as Banerjee & Pedersen leave out; auxiliaries too (ours), since
# every other verb's gloss begins with "be".
FUNCTION_WORDS = frozenset(
    """
    a an the
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves one's oneself this that these those who whom whose which
    what whatever whoever whichever someone somebody something anyone anybody anything everyone everybody everything
    nobody nothing none each either neither both all any some such other another one ones
    about above across after against along alongside amid among amongst around as at before behind below beneath beside
    besides between beyond by concerning despite down during except for from in inside into like near of off on onto
    out outside over past per regarding round since than through throughout to toward towards under underneath until
    unto up upon via with within without
    and or but nor so yet if because although though unless while whereas whether when where why how
    be am is are was were been being have has had having do does did doing done can could may might must shall should
    will would not no n't there here also etc e.g i.e
    """.split()  # noqa: SIM905 (forty lines of quotes would be no clearer)
)

BREAK = ""  # stands between the parts of a gloss: no overlap goes across
_TOKEN = re.compile(r"[a-z0-9]+(?:['.-][a-z0-9]+)*")
_PART = re.compile(r'[";]')
_QUOTED = re.compile(r'"([^"]*)"')


def tokens(text: str) -> list[str]:
    """Split a text into lower-case words.

    >>> tokens("the 2nd gear; e.g. a dog's well-known trick")
    ['the', '2nd', 'gear', 'e.g', 'a', "dog's", 'well-known', 'trick']
    """
    return _TOKEN.findall(text.lower())


def gloss_tokens(text: str) -> list[str]:
    """Split a gloss into words, with a break between its parts.

    >>> gloss_tokens('sloping land; "they pulled it up"')
    ['sloping', 'land', '', 'they', 'pulled', 'it', 'up']
    """
    parts = [words for part in _PART.split(text) if (words := tokens(part))]
    return [word for index, words in enumerate(parts) for word in ([BREAK, *words] if index else words)]


def definition(gloss: str) -> str:
    """Return the gloss without its examples.

    >>> definition('sloping land; "they pulled it up"')
    'sloping land'
    """
    return _QUOTED.sub("", gloss).strip().strip("; ")


def examples(gloss: str) -> list[str]:
    """Return the examples of a gloss.

    >>> examples('sloping land; "they pulled it up"')
    ['they pulled it up']
    """
    return _QUOTED.findall(gloss)


# morphy(7WN): what a suffix of an inflected form may stand for.
DETACHMENT = {
    "n": "s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y",
    "v": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "a": "er: est: er:e est:e",
    "r": "",
}
_RULES = {pos: [tuple(rule.split(":")) for rule in rules.split()] for pos, rules in DETACHMENT.items()}


def base_forms(form: str, pos: str, known: Callable[[str], bool], exceptions: list[str] | None) -> list[str]:
    """Return the entries a form may stand for: itself, then its exceptions or, if it has none, what the rules make.

    >>> base_forms("axes", "n", {"ax", "axis", "axe"}.__contains__, ["ax", "axis"])
    ['ax', 'axis']
    >>> base_forms("churches", "n", {"church"}.__contains__, None)
    ['church']
    """
    made = [form[: -len(old)] + new for old, new in _RULES[pos] if form.endswith(old)]
    forms = [form, *(made if exceptions is None else exceptions)]
    return [form for form in dict.fromkeys(forms) if known(form)]
