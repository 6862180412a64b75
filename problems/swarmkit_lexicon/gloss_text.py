"""The text of a gloss: its definition and examples, its words, and which words are function words."""

from __future__ import annotations

import re

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
"""Articles, pronouns, prepositions and conjunctions, which Banerjee & Pedersen leave out, and auxiliaries, which they
do not: the glosses of many verbs and adjectives begin with "be"."""

BREAK = ""
"""The token between two parts of a gloss; no overlap extends across it."""

_TOKEN = re.compile(r"[a-z0-9]+(?:['.-][a-z0-9]+)*")
_PART = re.compile(r'[";]')
_QUOTED = re.compile(r'"([^"]*)"')
_QUOTATION = re.compile(r'"(?:[^"]+"?)?')
_OPEN_END = re.compile(r"(?:[\s;:,]|\be\.g\.)+$")


def tokens(text: str) -> list[str]:
    """Return the words of a text, in lower case.

    >>> tokens("the 2nd gear; e.g. a dog's well-known trick")
    ['the', '2nd', 'gear', 'e.g', 'a', "dog's", 'well-known', 'trick']
    """
    return _TOKEN.findall(text.lower())


def gloss_tokens(text: str) -> list[str]:
    """Return the words of a gloss, with a `BREAK` between its parts (definitions and examples).

    >>> gloss_tokens('sloping land; "they pulled it up"')
    ['sloping', 'land', '', 'they', 'pulled', 'it', 'up']
    """
    # Quotation marks and semicolons separate definitions from examples and from each other.
    parts = [words for part in _PART.split(text) if (words := tokens(part))]
    return [word for index, words in enumerate(parts) for word in ([BREAK, *words] if index else words)]


def definition(gloss: str) -> str:
    """Return the definition, which ends where the first example begins; a phrase that it quotes is part of it.

    >>> definition('sloping land; "they pulled it up"'), definition('a truth; "to err is human"- Pope; "so be it"')
    ('sloping land', 'a truth')
    >>> definition('progress (as in "make strides"); "they made big strides"')
    'progress (as in "make strides")'
    """
    for quotation in _QUOTATION.finditer(gloss):
        before = gloss[: quotation.start()].rstrip()
        is_open = before.count("(") > before.count(")")
        if quotation[0] == '"' and not is_open:  # an example whose first quotation mark is missing, or the end
            return _OPEN_END.sub("", before.rpartition(";")[0] or before)
        if not (is_open or before[-1:].isalnum()):
            return _OPEN_END.sub("", before)
    return _OPEN_END.sub("", gloss)


def without_examples(gloss: str) -> str:
    """Return the gloss without what is in quotation marks, as NLTK does; names of quoted authors remain.

    >>> without_examples('a truth; "to err is human"- Pope')
    'a truth; - Pope'
    """
    return _QUOTED.sub("", gloss).strip().strip("; ")


def examples(gloss: str) -> list[str]:
    """Return the examples of a gloss.

    >>> examples('sloping land; "they pulled it up"')
    ['they pulled it up']
    """
    return _QUOTED.findall(gloss)
