"""Word sense disambiguation as a problem: a stage is a word, a candidate one of its senses, the score relatedness.

Every unit (sentence or document) is a part solved on its own; the score of a text is the sum over its units.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from swarmkit import Pairwise, PairwiseProblem, Part, UsageError, find, make_settings, unknown
from swarmkit_wsd.lexicon import Lexicon, open_lexicon
from swarmkit_wsd.measures import Measure, Prepared
from swarmkit_wsd.options import EXAMPLE, WsdOptions
from swarmkit_wsd.tables import chain_edges, pairwise_form, window_edges
from swarmkit_wsd.tokens import POS, Corpus, Sentence, Text, Token

if TYPE_CHECKING:
    from swarmkit_wsd.keys import Entry

HAIR = 1e-6
"""Ties are broken by at most this much of a score: far below any difference of relatedness."""


@dataclass(frozen=True)
class Target:
    """A word to disambiguate: where it stands, and its senses in WordNet's order."""

    token: Token
    text: str
    sentence: int
    position: int
    senses: NDArray[np.int32]


class WordSenses(PairwiseProblem):
    """Choose the senses that are most related to each other, for every word of a text that WordNet knows."""

    Options = WsdOptions
    reference = "Abualhaija & Zimmermann 2014, D-Bees; Pedersen, Banerjee & Patwardhan 2005"

    @classmethod
    def build(cls, options: WsdOptions) -> WordSenses:
        """Read the text or corpus, and WordNet."""
        from swarmkit_wsd.keys import read_keys

        lexicon = open_lexicon(options.wordnet)
        gold = read_keys(options.key) if options.key else None
        return cls(_read(options, lexicon), lexicon, options, gold)

    def __init__(
        self, corpus: Corpus, lexicon: Lexicon, options: WsdOptions, gold: Mapping[str, Entry] | None = None
    ) -> None:
        self.corpus, self.lexicon, self.settings = corpus, lexicon, options
        self.gold = _gold_of(corpus, gold) if gold is not None else None
        units = read_units(corpus, lexicon, options)
        self.targets = [target for unit in units for target in unit if len(target.senses)]
        self.unknown = [target.token for unit in units for target in unit if not len(target.senses)]
        self._measure = _make_measure(options)
        known = [[target for target in unit if len(target.senses)] for unit in units]
        forms = [self._form(unit) for unit in known if unit]
        super().__init__(side_by_side(forms))
        ends = np.cumsum([len(form.sizes) for form in forms], dtype=np.int64)
        self.parts = [
            Part(np.arange(end - len(form.sizes), end), PairwiseProblem(form))
            for form, end in zip(forms, ends, strict=True)
        ]
        self.groups = np.array([target.sentence for target in self.targets], np.int64)
        self.versions = {"wordnet": f"{lexicon.version} sha256:{lexicon.sha256}"}

    def _form(self, unit: Sequence[Target]) -> Pairwise:
        sizes = np.array([len(target.senses) for target in unit], np.int64)
        senses = np.concatenate([target.senses for target in unit])
        synsets = self.lexicon.sense_synset[senses]
        if self.settings.shape == "chain":
            edges = chain_edges(len(unit))
        else:
            edges = window_edges(np.array([target.position for target in unit]), self.settings.window)
            if not self.settings.repeats:
                lemma = self.lexicon.sense_lemma[[target.senses[0] for target in unit]]
                edges = edges[lemma[edges[:, 0]] != lemma[edges[:, 1]]]
        prepared = self._measure.prepare(self.lexicon, synsets)
        related = np.maximum(1, np.bincount(edges.ravel(), minlength=len(unit)))
        return pairwise_form(sizes, synsets, self._unary(senses, sizes, related), edges, prepared)

    def _unary(self, senses: NDArray[Any], sizes: NDArray[Any], related: NDArray[Any]) -> NDArray[np.float64]:
        """Weigh the senses alone: by their counts if these are wanted, and by a hair to break ties.

        Counts weigh as much beside few related words as beside many: they are multiplied by the number of these.
        """
        rank = np.concatenate([np.arange(size) / size for size in sizes])
        if self.settings.ties == "random":
            rank = np.random.default_rng(self.settings.ties_seed).random(len(senses))
        unary = HAIR * (1.0 - rank) / 2
        if self.settings.prior == "counts":
            weight = self.settings.prior_weight * np.repeat(related, sizes)
            unary += weight * np.log1p(self.lexicon.sense_count[senses])
        return np.asarray(unary)

    @cached_property
    def senses(self) -> NDArray[np.int32]:
        """The sense of every slot."""
        return np.concatenate([np.empty(0, np.int32), *(target.senses for target in self.targets)])

    @cached_property
    def _prepared(self) -> Prepared:
        return self._measure.prepare(self.lexicon, self.lexicon.sense_synset[self.senses])

    def relatedness(self, a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.float64]:
        """Give the measure's value for pairs of slots, whether their words are linked or not."""
        synsets = self.lexicon.sense_synset[self.senses]
        (names_a, at_a), (names_b, at_b) = (np.unique(synsets[side], return_inverse=True) for side in (a, b))
        return np.asarray(self._prepared.block(names_a, names_b)[at_a, at_b])

    def chosen(self, x: NDArray[Any]) -> NDArray[np.int32]:
        """Give the senses that a solution picks, stage by stage."""
        picked: NDArray[np.int32] = self.senses[self.form.offsets[:-1] + x]
        return picked

    def answers(self, x: NDArray[Any]) -> dict[str, str]:
        """Give the sense key picked for each instance."""
        keys = (self.lexicon.key(int(sense)) for sense in self.chosen(x))
        return {str(target.token.id): key for target, key in zip(self.targets, keys, strict=True)}

    def describe(self, x: NDArray[Any]) -> list[dict[str, Any]]:
        """Give each word with its sense, in the order of the text; the score is its relatedness to the others.

        With a gold key each row says whether the sense is right, which is what tests word by word are made of.
        """
        rows, chosen = [], self.chosen(x)
        for stage in self.in_text_order():
            target, sense = self.targets[stage], int(chosen[stage])
            synset = int(self.lexicon.sense_synset[sense])
            rows.append(
                {
                    "word": target.token.surface,
                    "sense": self.lexicon.name(synset),
                    "score": round(float(self.form.marginals(x[None], stage)[0, x[stage]]), 4),
                    "gloss": self.lexicon.definition(synset),
                    **self._right(target.token, self.lexicon.key(sense)),
                }
            )
        unknown = {"sense": "not in WordNet", "score": None, "gloss": ""}
        return rows + [{"word": token.surface, **unknown, **self._right(token, None)} for token in self.unknown]

    def _right(self, token: Token, key: str | None) -> dict[str, bool]:
        if self.gold is None:
            return {}
        from swarmkit_wsd.scoring import credit

        return {"right": key is not None and credit(self.gold[str(token.id)].keys, [key]) == 1}

    def in_text_order(self) -> list[int]:
        """Give the stages as their words stand in the text."""
        return sorted(range(len(self.targets)), key=lambda stage: self._place(self.targets[stage]))

    def _place(self, target: Target) -> tuple[int, int]:
        return target.sentence, target.token.start

    def metrics(self, x: NDArray[Any]) -> dict[str, float]:
        """Give the field's scores where a gold key is at hand."""
        found = {"words": float(len(self.targets)), "words not in WordNet": float(len(self.unknown))}
        if self.gold is None:
            return found
        from swarmkit_wsd import scoring

        report = scoring.score(self.gold, self.answers(x), np.random.default_rng(0), resamples=1)
        rates = {name: getattr(report.micro, name) for name in ("attempted", "precision", "recall", "f1")}
        return found | rates | {"macro f1": report.macro.f1}


def side_by_side(forms: Sequence[Pairwise]) -> Pairwise:
    """Join forms that have nothing to do with each other.

    >>> side_by_side([Pairwise.of([2]), Pairwise.of([3, 1])]).sizes.tolist()
    [2, 3, 1]
    """
    if not forms:
        return Pairwise.of([])
    stages = np.cumsum([0, *(len(form.sizes) for form in forms)])
    entries = np.cumsum([0, *(len(form.flat) for form in forms)])
    return Pairwise(
        sizes=np.concatenate([form.sizes for form in forms]),
        unary=np.concatenate([form.unary for form in forms]),
        edges=np.concatenate([form.edges + at for form, at in zip(forms, stages, strict=False)]),
        starts=np.concatenate([form.starts + at for form, at in zip(forms, entries, strict=False)]),
        weights=np.concatenate([form.weights for form in forms]),
        flat=np.concatenate([form.flat for form in forms]),
    )


def _read(options: WsdOptions, lexicon: Lexicon) -> Corpus:
    from swarmkit import read_text
    from swarmkit_wsd.corpora import read_corpus
    from swarmkit_wsd.text import read_sentences

    if options.corpus is not None:
        return only_text(read_corpus(options.corpus), options.text_id)
    text = options.text
    if options.file is not None:
        text = read_text(options.file, "a file of English text")
    elif text is None:
        text = EXAMPLE
    sentences = tuple(read_sentences(text, lexicon, options.tagger))
    return Corpus("unified", (Text("d000", sentences),))


def only_text(corpus: Corpus, text_id: str | None) -> Corpus:
    """Leave out all texts but one, if one is named."""
    if text_id is None:
        return corpus
    found = tuple(text for text in corpus.texts if text.id == text_id)
    if not found:
        raise unknown("text", text_id, [text.id for text in corpus.texts])
    return Corpus(corpus.format, found)


def _gold_of(corpus: Corpus, gold: Mapping[str, Entry]) -> dict[str, Entry]:
    """Keep the keys of the corpus's own instances: a corpus may be one text of several."""
    ids = [str(token.id) for _, token in corpus.targets()]
    missing = next((name for name in ids if name not in gold), None)
    if missing is not None:
        raise UsageError(f"the key has no entry for '{missing}' of the corpus; expected the key of this corpus")
    return {name: gold[name] for name in ids}


def read_units(corpus: Corpus, lexicon: Lexicon, options: WsdOptions) -> list[list[Target]]:
    """Give the words of each unit in the order of the problem's stages; those without senses are no stages."""
    return [_by_order(unit, options.order) for unit in _units(corpus, lexicon, options.unit)]


def _units(corpus: Corpus, lexicon: Lexicon, unit: str) -> list[list[Target]]:
    units: list[list[Target]] = []
    number = 0
    for text in corpus.texts:
        found: list[list[Target]] = []
        position = 0
        for sentence in text.sentences:
            found.append(_targets(sentence, text.id, number, position, lexicon))
            number += 1
            position += len(found[-1])
        units += found if unit == "sentence" else [[target for sentence in found for target in sentence]]
    return units


def _targets(sentence: Sentence, text: str, number: int, position: int, lexicon: Lexicon) -> list[Target]:
    return [
        Target(token, text, number, position + at, lexicon.senses(token.lemma, token.pos))
        for at, token in enumerate(sentence.targets)
    ]


def _by_order(unit: Iterable[Target], order: str) -> list[Target]:
    """Order a unit's words as the chain takes them; within a part of speech they stay as in the text."""
    key = {pos: rank for rank, pos in enumerate(POS)}
    return sorted(unit, key=lambda target: key.get(target.token.pos or "n", 0)) if order == "pos" else list(unit)


def _make_measure(options: WsdOptions) -> Measure:
    offered = find("measure", options.measure)
    made: Measure = make_settings(offered, options.measure_params, f"measure '{options.measure}'")
    return made
