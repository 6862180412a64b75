"""Texts of other languages, read by rules: how they are split, and what their words may stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from swarmkit import UsageError, quoted
from swarmkit_lexicon.languages.lexicon import LanguageLexicon
from swarmkit_lexicon.languages.rules import NO_SPACES, entry_form, read_rules
from swarmkit_text.corpus import POS, Pos
from swarmkit_text.languages.readings import Annotation, Words, content_pos, read_options, sentence_words
from swarmkit_text.readings import Option
from swarmkit_text.sentences import CONTENT, FUNCTION, Analysis, AnnotatedWord
from swarmkit_text.tokenizer import Cuts, Passage, Rules, Word, token_pattern

_APOSTROPHE = "['\u2019]"
_NEVER = r"(?!)"


@dataclass(frozen=True)
class LanguageReader:
    """Reads a language by the rules of its lexicon; see `Reader`."""

    lexicon: LanguageLexicon

    @property
    def rules(self) -> Rules:
        """The rules by which its texts are split."""
        return split_rules(self.lexicon.language)

    def read_raw(self, passages: Iterator[Passage]) -> Iterator[tuple[Passage, Analysis]]:
        """Iterate over the sentences of a raw text, one in memory at a time."""
        if self.lexicon.language in NO_SPACES:
            raise UsageError(
                f"language '{self.lexicon.language}': its words are not separated by spaces, and nothing here "
                "separates them; expected a list of words, as disambiguate(words, language=…) takes it"
            )
        for passage in passages:
            yield passage, self._analysis(sentence_words(passage.words), passage.text)

    def read_tags(self, text: str, words: Sequence[AnnotatedWord]) -> Analysis:
        """Return what words with universal tags, which are binding, and lemmas may stand for."""
        annotations = [_annotation(word) for word in words]
        return self._analysis(sentence_words([word.word for word in words], annotations), text)

    def read_list(self, words: Sequence[Word], pos: Sequence[Pos | None] | None) -> Analysis:
        """Return what the words of a list may stand for, each alone."""
        return self._analysis(sentence_words(words, None if pos is None else [Annotation(True, tag) for tag in pos]))

    def _analysis(self, words: Words, text: str | None = None) -> Analysis:
        return Analysis(content_pos(words, self.lexicon), read_options(words, self.lexicon, text))

    def any_options(self, word: str, at: int, pos: Pos | None) -> list[Option]:
        """Return the entries of a word of every part of speech; if there is none, the word itself."""
        options = [Option(lemma, pos, 1.0, at) for pos in POS for lemma in self.lexicon.base_forms(word, pos)]
        return options or [Option(entry_form(word), "n", 1.0, at)]


def _annotation(word: AnnotatedWord) -> Annotation:
    """Return what the universal tag and the lemma of a word say; other tags differ from language to language."""
    if word.universal and word.universal not in CONTENT and word.universal not in FUNCTION:
        raise UsageError(
            f"{quoted(word.word.surface)} has the tag {quoted(word.universal)}; expected a universal tag such as NOUN"
        )
    return Annotation(bool(word.universal), CONTENT.get(word.universal), word.lemma)


@lru_cache(maxsize=32)
def split_rules(language: str) -> Rules:
    """Return how a text is split, by the code of its language of three letters."""
    values = read_rules(language)
    short = values.get("abbreviations", {})
    # A language without a file has none of these: the pattern that never matches stands for an empty list.
    titles, abbreviations = (_alternatives(short.get(name, "")) for name in ("titles", "others"))
    starters = re.compile(_alternatives(short.get("starters", "")), re.IGNORECASE)
    cuts = _cuts(values.get("elisions", ""), values.get("enclitics", ""))
    return Rules(token_pattern(titles, abbreviations), cuts, re.compile(titles), starters)


def _alternatives(words: str) -> str:
    return "|".join(map(re.escape, words.split())) or _NEVER


def _cuts(elisions: str, enclitics: str) -> Cuts:
    """Return the function that cuts words behind elided ones (l'|homme) and before enclitics (donne|-moi).

    >>> _cuts("l qu", "moi il")("donne-moi", 0, 9), _cuts("*", "")("dell'acqua", 0, 10)
    ((5,), (5,))
    """
    # "*" stands for any word with an apostrophe (Italian), a list for these alone (French aujourd'hui stays whole).
    every = "" if elisions == "*" else "|".join(map(re.escape, elisions.split())) or _NEVER
    before = re.compile(rf"(?:{every}){_APOSTROPHE}" if every else rf"[^'\u2019]+{_APOSTROPHE}", re.IGNORECASE)
    behind = re.compile(rf"(?s:.+?)((?:-t)?-(?:{_alternatives(enclitics)}))", re.IGNORECASE)

    def cut(text: str, start: int, end: int) -> tuple[int, ...]:
        places: list[int] = []
        while (elision := before.match(text, start, end)) and elision.end() < end:
            start = elision.end()
            places.append(start)
        if match := behind.fullmatch(text, start, end):
            places.append(match.start(1))
        return tuple(places)

    return cut
