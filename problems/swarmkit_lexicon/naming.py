"""How WordNet names things: entries, sense keys, base forms of words (morphy(7WN)), words with capital letters."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from swarmkit_lexicon.lexicon import Lexicon

ALL_POS = ("n", "v", "a", "r")
SS_TYPE = {"n": 1, "v": 2, "a": 3, "r": 4, "s": 5}
"""The number of each part of speech in a sense key, senseidx(5WN); s is a satellite adjective."""

LEXNAMES = tuple(
    """
    adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition
    noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object noun.person
    noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation noun.shape noun.state
    noun.substance noun.time verb.body verb.change verb.cognition verb.communication verb.competition verb.consumption
    verb.contact verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative
    verb.weather adj.ppl
    """.split()  # noqa: SIM905  (names, which quotes would hide)
)
"""The names of the lexicographers' files by their numbers, lexnames(5WN)."""

POS_BIT = {"n": 1, "v": 2, "a": 4, "r": 8, "s": 16}
"""The bit of each part of speech in the set of those that an entry has."""

POINTERS = tuple("! @ @i ~ ~i #m #s #p %m %s %p = + ;c -c ;r -r ;u -u * > ^ $ & < \\".split())  # noqa: SIM905  (symbols, which quotes would hide)
"""The symbols of the pointers between synsets, wninput(5WN); arrays store their index in this tuple."""


def entry_name(text: str) -> str:
    """Return a word or phrase as WordNet's index spells it.

    >>> entry_name("State of the Art")
    'state_of_the_art'
    """
    return text.lower().replace(" ", "_")


def sense_key(lemma: str, pos: str, lexfile: int, lex_id: int, head: str = "", head_id: int = 0) -> str:
    """Return the key of a sense, senseidx(5WN).

    >>> sense_key("bank", "n", 17, 1), sense_key("ablaze", "s", 0, 0, "lighted", 1)
    ('bank%1:17:01::', 'ablaze%5:00:00:lighted:01')

    Args:
        lemma: the lemma, lower case, with underscores for spaces.
        pos: the part of speech of the synset: n, v, a, r or s.
        lexfile: the number of the lexicographers' file of the synset.
        lex_id: tells senses of one lemma in one file apart.
        head: for a satellite (s), the first word of the head synset of its cluster.
        head_id: the lex_id of that word.
    """
    tail = f"{head}:{head_id:02}" if pos == "s" else ":"
    return f"{lemma}%{SS_TYPE[pos]}:{lexfile:02}:{lex_id:02}:{tail}"


DETACHMENT = {
    "n": "s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y",
    "v": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "a": "er: est: er:e est:e",
    "r": "",
}
"""The rules by part of speech, `suffix:replacement`."""

_RULES = {pos: [tuple(rule.split(":")) for rule in rules.split()] for pos, rules in DETACHMENT.items()}


def base_forms(form: str, pos: str, is_entry: Callable[[str], bool], exceptions: list[str] | None) -> list[str]:
    """Return the entries that a form may stand for, the form itself first.

    >>> base_forms("axes", "n", {"ax", "axis", "axe"}.__contains__, ["ax", "axis"])
    ['ax', 'axis']
    >>> base_forms("churches", "n", {"church"}.__contains__, None)
    ['church']

    Args:
        form: a word, lower case, with underscores for spaces.
        pos: n, v, a or r.
        is_entry: whether a word is an entry of this part of speech.
        exceptions: the base forms that WordNet's exception list has for the form; they replace the rules.
    """
    # morphy(7WN): the exception list comes in place of the rules, not before them.
    candidates = [form[: -len(old)] + new for old, new in _RULES[pos] if form.endswith(old)]
    forms = [form, *(candidates if exceptions is None else exceptions)]
    return [form for form in dict.fromkeys(forms) if is_entry(form)]


PERSON_FILE = 18
"""The number of the lexicographer file noun.person, lexnames(5WN)."""


class Spelling(NamedTuple):
    """Numbers of the senses of an entry by the way in which WordNet writes them."""

    small: int
    """Without capital letters."""
    capital: int
    """With capital letters."""
    persons: int
    """With capital letters, and an instance of `person`."""
    occurrences: int
    """The count in WordNet's tagged texts of those with capital letters."""
    people: bool
    """Whether the first sense without capital letters is a kind of person."""


def capitalised(lexicon: Lexicon, senses: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return for each sense whether WordNet writes its word with capital letters."""
    return np.array([_spelling_of(lexicon, sense) != lexicon.lemma(sense) for sense in senses.tolist()], bool)


def _spelling_of(lexicon: Lexicon, sense: int) -> str:
    """Return the word of a sense as WordNet writes it, with underscores for spaces."""
    lemma = lexicon.lemma(sense)
    return next((word for word in lexicon.words(int(lexicon.sense_synset[sense])) if word.lower() == lemma), lemma)


def spelling(lexicon: Lexicon, lemma: str, pos: str) -> Spelling:
    """Return how WordNet writes the senses of an entry."""
    senses = lexicon.senses(lemma, pos)
    names = capitalised(lexicon, senses)
    small, capital = senses[~names], senses[names]
    persons = sum(_is_person(lexicon, sense) for sense in capital.tolist())
    people = len(small) > 0 and _lexfile(lexicon, int(small[0])) == PERSON_FILE
    return Spelling(len(small), len(capital), persons, int(lexicon.sense_count[capital].sum()), people)


def _lexfile(lexicon: Lexicon, sense: int) -> int:
    return int(lexicon.arrays["synset.lexfile"][lexicon.sense_synset[sense]])


def _is_person(lexicon: Lexicon, sense: int) -> bool:
    """Return whether a sense is an instance, and by its lexicographer file a person."""
    instances = lexicon.related(int(lexicon.sense_synset[sense]), "@i")
    return _lexfile(lexicon, sense) == PERSON_FILE and next(instances, None) is not None
