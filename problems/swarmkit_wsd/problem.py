"""Word sense disambiguation as a problem: a stage is a word, a candidate one of its senses, the score relatedness.

Every unit (sentence or document) is a part that is solved on its own; the score of a text is the sum over its units.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from textwrap import shorten
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from swarmkit import Pairwise, PairwiseProblem, Part, UsageError, find, local_search, make_settings
from swarmkit_wsd.corpus import Corpus, Pos, Sentence, Text, Token
from swarmkit_wsd.known import fixed_candidates
from swarmkit_wsd.languages.lexicon import LanguageLexicon
from swarmkit_wsd.measures import Measure, Prepared
from swarmkit_wsd.measures.bags import glosses
from swarmkit_wsd.options import EXAMPLE, WsdOptions
from swarmkit_wsd.raw_text import lexicon_of, sentence_of_words, sentences_of_text
from swarmkit_wsd.readings import covered, weigh_readings
from swarmkit_wsd.tables import between_lemmas, chain_edges, pairwise_form, side_by_side, window_edges
from swarmkit_wsd.units import Target, likeliest, only_text, read_units
from swarmkit_wsd.wordnet.lexicon import Lexicon

if TYPE_CHECKING:
    from swarmkit_wsd.corpora.keys import Entry
    from swarmkit_wsd.model.sense_model import SenseModel

CAPTION = 500
"""Characters of the text that are shown above the answer."""

CAPTION_SENTENCES = 20
"""Sentences from which they are taken."""

FIRST_PREFERRED = 1e-6
"""With ties=first, what the first of equally related senses is preferred by: far below any difference of relatedness.
With ties=random the score holds no preference; solvers break ties."""


class _Related:
    """The measure of relatedness between the senses of some slots, prepared when it is first asked for."""

    def __init__(self, measure: Measure, lexicon: Lexicon, synsets: NDArray[Any]) -> None:
        self._measure, self._lexicon, self._synsets = measure, lexicon, synsets

    @cached_property
    def _prepared(self) -> Prepared:
        return self._measure.prepare(self._lexicon, self._synsets)

    def __call__(self, a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.float64]:
        """Return the measure's value for pairs of slots."""
        (names_a, at_a), (names_b, at_b) = (np.unique(self._synsets[side], return_inverse=True) for side in (a, b))
        return np.asarray(self._prepared.block(names_a, names_b)[at_a, at_b])

    @cached_property
    def definitions(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The base forms of the content words in each slot's definition: where each slot's begin, and their numbers."""
        found = glosses(self._lexicon, self._synsets, examples=False)
        _, words = np.unique(self._lexicon.arrays["content.word"][found.item], return_inverse=True)
        return np.searchsorted(found.owner, np.arange(len(self._synsets) + 1)), words


GLOSSED_WORDS = 500
"""Words of a text whose glosses are in a moving picture."""


class _Unit(PairwiseProblem):
    """A sentence or document, which is solved on its own."""

    restructured = MappingProxyType({"chain": "preset=paper"})

    def __init__(self, form: Pairwise, groups: NDArray[Any], ranks: NDArray[Any] | None, related: _Related) -> None:
        super().__init__(form)
        self.groups, self.tie_ranks, self._related = groups, ranks, related

    def relatedness(self, a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.float64]:
        """Return the measure's value for pairs of slots, whether their words are linked or not."""
        return self._related(a, b)

    def descriptions(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the words of each sense's definition."""
        return self._related.definitions


class WordSenses(PairwiseProblem):
    """Choose the senses that are most related to each other, for every word of a text that WordNet has.

    The words of the stages, and their order, depend on the text and on the options `unit` and `order` alone.
    """

    Options = WsdOptions
    restructured = _Unit.restructured
    reference = "Abualhaija & Zimmermann 2014, D-Bees; Pedersen, Banerjee & Patwardhan 2005"

    @classmethod
    def build(cls, options: WsdOptions) -> WordSenses:
        """Read the text or corpus, and WordNet."""
        from swarmkit_wsd.corpora.keys import read_keys

        lexicon = lexicon_of(options)
        gold = read_keys(options.key) if options.key else None
        return cls(_read(options, lexicon), lexicon, options, gold)

    @classmethod
    def of_words(cls, words: Sequence[str], known_words: Mapping[int, tuple[str, Pos]], options: WsdOptions) -> Self:
        """Return the problem of one sentence, given as a list of words.

        Args:
            words: the words.
            known_words: lemma and part of speech of words of which they are known, by position; these are targets. The
                tagger finds them for all other words.
            options: the options of the problem; text, file and corpus are ignored.
        """
        lexicon = lexicon_of(options)
        read = sentence_of_words(words, lexicon, options)
        tokens = list(read.tokens)
        for at, (lemma, pos) in known_words.items():
            tokens[at] = Token(words[at], lemma, pos, at, at + 1, f"{read.id}.t{at:03}")
        sentence = Sentence(read.id, tuple(tokens))
        return cls(Corpus("unified", (Text("d000", (sentence,)),)), lexicon, options)

    def __init__(
        self,
        corpus: Corpus,
        lexicon: Lexicon,
        options: WsdOptions,
        gold: Mapping[str, Entry] | None = None,
        known: Mapping[str, str] | None = None,
    ) -> None:
        """Make the tables.

        Args:
            corpus: the texts.
            lexicon: the lexicon.
            options: the options of the problem.
            gold: the gold key, with which answers are scored.
            known: the sense keys of words whose sense is given, by token id; see `fixed`.
        """
        self.corpus, self.lexicon, self.settings = corpus, lexicon, options
        self.gold = _gold_of(corpus, gold) if gold is not None else None
        units = read_units(self._settled(corpus), lexicon, options.unit, options.order)
        self.targets = [target for unit in units for target in unit if len(target.senses)]
        self.fixed = fixed_candidates(self.targets, known or {}, lexicon)
        """The candidates of the stages whose sense is known: `fixed` of `swarmkit.solve`."""
        self.unknown = [target.token for unit in units for target in unit if not len(target.senses)]
        self._measure = _make_measure(options)
        self.model = _open_model(options, lexicon)
        answerable = [[target for target in unit if len(target.senses)] for unit in units]
        parts = [self._unit(unit) for unit in answerable if unit]
        super().__init__(side_by_side([part.form for part in parts]))
        ends = np.cumsum([len(part.sizes) for part in parts], dtype=np.int64)
        self.parts = [Part(np.arange(end - len(part.sizes), end), part) for part, end in zip(parts, ends, strict=True)]
        self.groups = np.array([target.sentence for target in self.targets], np.int64)
        if options.ties == "random":
            self.tie_ranks = np.concatenate([np.empty(0, np.int64), *(part.tie_ranks for part in parts)])
        self.versions = {"wordnet": f"{lexicon.version} sha256:{lexicon.sha256}"}
        if isinstance(lexicon, LanguageLexicon):
            self.versions[f"wordnet {lexicon.language}"] = f"sha256:{lexicon.file.sha256}"
        if self.model is not None:
            self.versions["sense model"] = f"sha256:{self.model.sha256}"

    def _settled(self, corpus: Corpus) -> Corpus:
        """Return the corpus with one reading of each word if the words form a chain, in which none may be skipped."""
        if self.settings.shape == "pairwise":
            return corpus
        texts = (Text(text.id, tuple(map(likeliest, text.sentences))) for text in corpus.texts)
        return Corpus(corpus.format, tuple(texts))

    def _unit(self, unit: Sequence[Target]) -> _Unit:
        """Return a sentence or document as a problem of its own, with a random order of equal senses if asked for."""
        synsets = self.lexicon.sense_synset[np.concatenate([target.senses for target in unit])]
        groups = np.array([target.sentence for target in unit], np.int64)
        ranks = None
        if self.settings.ties == "random":  # a stream of its own for each unit, whatever else is in the corpus
            name = self.sentences[int(groups.min())].id
            rng = np.random.default_rng([self.settings.ties_seed, zlib.crc32(name.encode())])
            ranks = rng.permutation(len(synsets))
        return _Unit(self._form(unit), groups, ranks, _Related(self._measure, self.lexicon.wordnet, synsets))

    def _form(self, unit: Sequence[Target]) -> Pairwise:
        sizes = np.array([len(target.senses) for target in unit], np.int64)
        senses = np.concatenate([target.senses for target in unit])
        synsets = self.lexicon.sense_synset[senses]
        if self.settings.shape == "chain":
            edges = chain_edges(len(unit))
        else:
            edges = window_edges(np.array([target.position for target in unit]), self.settings.window)
            if not self.settings.repeats:
                edges = between_lemmas(edges, np.repeat(np.arange(len(unit)), sizes), self.lexicon.sense_lemma[senses])
        prepared = self._measure.prepare(self.lexicon.wordnet, synsets)
        degrees = np.maximum(1, np.bincount(edges.ravel(), minlength=len(unit)))
        unary, weight = self._unary(senses, sizes, degrees), self.settings.reading_weight
        if self.model is None:
            return pairwise_form(sizes, synsets, weigh_readings(unary, unit, weight * degrees), edges, prepared)
        unary = weigh_readings(unary + self._evidence(self.model, unit), unit, weight * np.ones(len(unit)))
        weights = self.settings.coherence * (1.0 / degrees)[edges].mean(axis=1)
        return pairwise_form(sizes, synsets, unary, edges, prepared, weights)

    def _evidence(self, model: SenseModel, unit: Sequence[Target]) -> NDArray[np.float64]:
        """Return the model's score of each sense, less that of the worst sense of its reading: none is negative."""
        from swarmkit_wsd.model.evidence import Occurrence, sense_scores

        occurrences = [
            Occurrence(target.sentence, reading.start, reading.end, reading.pos, target.senses_of(number))
            for target in unit
            for number, reading in enumerate(target.readings)
        ]
        found = sense_scores(model, self.sentences, occurrences)
        return np.concatenate([scores - scores.min(initial=np.inf) for scores in found])

    @property
    def caption(self) -> str:  # type: ignore[override]  # an attribute of other problems, known beforehand
        """The first words of the text, and the preset."""
        words = " ".join(token.surface for sentence in self.sentences[:CAPTION_SENTENCES] for token in sentence.tokens)
        shown = self.settings.text or (
            EXAMPLE if self.settings.file is None and self.settings.corpus is None else words
        )
        return f"{shorten(shown, CAPTION, placeholder=' …')}\npreset {self.settings.preset}"

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the text, the options and the data that the tables are made from.

        The tables themselves are not part of it: the last digits of the model's arithmetic depend on the processor.
        """
        if self.model is None:
            return super().fingerprint
        left_out = {"text", "file", "corpus", "key", "model", "wordnet", "language", "wordnets"}
        options = self.settings.model_dump(mode="json", exclude=left_out)
        parts = [type(self).__qualname__, self.corpus, options, sorted(self.versions.items())]
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    @cached_property
    def sentences(self) -> list[Sentence]:
        """All sentences of the corpus, as targets number them."""
        return [sentence for text in self.corpus.texts for sentence in text.sentences]

    def _unary(self, senses: NDArray[Any], sizes: NDArray[Any], degrees: NDArray[Any]) -> NDArray[np.float64]:
        """Return the value of each sense alone: with ties=first a preference, and its count if the options ask for it.

        The weight is multiplied by the number of related words (`degrees`), so that counts and relatedness keep their
        proportion.
        """
        unary = np.zeros(len(senses))
        if self.settings.ties == "first":
            unary = FIRST_PREFERRED * (1.0 - np.concatenate([np.arange(size) / size for size in sizes])) / 2
        if self.settings.prior == "counts":
            weight = self.settings.prior_weight * np.repeat(degrees, sizes)
            unary += weight * np.log1p(self.lexicon.sense_count[senses])
        return np.asarray(unary)

    @cached_property
    def senses(self) -> NDArray[np.int32]:
        """The sense of every slot (stage and candidate)."""
        return np.concatenate([np.empty(0, np.int32), *(target.senses for target in self.targets)])

    @cached_property
    def _related(self) -> _Related:
        return _Related(self._measure, self.lexicon.wordnet, self.lexicon.sense_synset[self.senses])

    def relatedness(self, a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.float64]:
        """Return the measure's value for pairs of slots, whether their words are linked or not."""
        return self._related(a, b)

    def descriptions(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the words of each sense's definition."""
        return self._related.definitions

    @property
    def texts(self) -> list[str]:
        """The ids of the texts."""
        return [text.id for text in self.corpus.texts]

    def default_solution(self) -> NDArray[np.int64]:
        """Return the solution of `wsd tag`, and of `wsd annotate` without a solver: ICM from the best senses alone.

        Known senses stay as they are.
        """
        starts, unary = self.form.offsets, self.form.unary
        x = np.array([int(unary[begin:end].argmax()) for begin, end in pairwise(starts)], np.int64)
        rng = np.random.default_rng(0)
        return local_search(self, x[None], "icm", rng, self.fixed).solutions[0] if len(x) else x

    def posteriors(self, x: NDArray[Any]) -> list[NDArray[np.float64]]:
        """Return the probability of each candidate at each stage, the other stages being as in a solution."""
        from swarmkit_wsd.confidence import posteriors

        return posteriors(self, x)

    def chosen(self, x: NDArray[Any]) -> NDArray[np.int32]:
        """Return the sense that a solution chooses at each stage."""
        picked: NDArray[np.int32] = self.senses[self.form.offsets[:-1] + x]
        return picked

    def answers(self, x: NDArray[Any]) -> dict[str, str]:
        """Return the chosen sense key of each instance, by id."""
        keys = (self.lexicon.key(int(sense)) for sense in self.chosen(x))
        return {str(target.token.id): key for target, key in zip(self.targets, keys, strict=True)}

    def answer_lines(self, x: NDArray[Any]) -> list[str]:
        """Return the lines of an answers file, in the corpus's official format."""
        from swarmkit_wsd.corpora.keys import answer_lines

        return list(answer_lines(self.corpus, self.answers(x)))

    def credits(self, x: NDArray[Any]) -> dict[str, dict[str, float | None]]:
        """Return the credit by the gold key: text id -> instance id -> credit, None for instances without an answer."""
        from swarmkit_wsd.corpora.scoring import credit

        if self.gold is None:
            raise UsageError("credits need the gold keys of the corpus: expected the option 'key'")
        answers, gold = self.answers(x), self.gold
        found: dict[str, dict[str, float | None]] = {text: {} for text in self.texts}
        for text, token in self.corpus.targets():
            name = str(token.id)
            found[text.id][name] = credit(gold[name].keys, [answers[name]]) if name in answers else None
        return found

    def describe(self, x: NDArray[Any]) -> list[dict[str, Any]]:
        """Return each word with its sense, in the order of the text; its score is its relatedness to the others.

        With a gold key each row has `right`, on which tests word by word are based.
        """
        rows, chosen = [], self.chosen(x)
        for stage in self.answered(x):
            target, sense = self.targets[stage], int(chosen[stage])
            synset = int(self.lexicon.sense_synset[sense])
            rows.append(
                {
                    "word": target.chosen(x[stage]).surface,
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
        from swarmkit_wsd.corpora.scoring import credit

        return {"right": key is not None and credit(self.gold[str(token.id)].keys, [key]) == 1}

    def in_text_order(self, sentences: range | None = None) -> list[int]:
        """Return the stages in the order of their words in the text; only those of some sentences if they are given."""
        place = [(target.sentence, target.token.start) for target in self.targets]
        ordered = sorted(range(len(self.targets)), key=place.__getitem__)
        return ordered if sentences is None else [stage for stage in ordered if place[stage][0] in sentences]

    def answered(self, x: NDArray[Any], sentences: range | None = None) -> list[int]:
        """Return the stages, as `in_text_order`, without the words that are part of a longer entry that is chosen."""
        hidden = covered(self.targets, x)
        return [stage for stage in self.in_text_order(sentences) if stage not in hidden]

    def draw(self, x: NDArray[Any], axes: Any) -> None:
        """Draw the text with its answered words in colours; below, the sense of each, its gloss and the next senses."""
        from swarmkit_wsd.picture import draw_senses

        draw_senses(self, x, axes)

    def scene(self) -> dict[str, Any]:
        """Return the text, and for each word its senses and their glosses (of a long text those of the first words)."""
        name, gloss = self.lexicon.name, self.lexicon.definition
        synsets = [self.lexicon.sense_synset[target.senses].tolist() for target in self.targets]
        stages = {(target.sentence, target.token.start): stage for stage, target in enumerate(self.targets)}
        return {
            "kind": "words",
            "stages": [target.token.surface for target in self.targets],
            "candidates": [[name(synset) for synset in own] for own in synsets],
            "glosses": [[gloss(synset) for synset in own] for own in synsets[:GLOSSED_WORDS]],
            "text": [
                [token.surface, stages.get((number, token.start), -1)]
                for number, sentence in enumerate(self.sentences)
                for token in sentence.tokens
            ],
        }

    def metrics(self, x: NDArray[Any], answers: Mapping[str, str | Sequence[str]] | None = None) -> dict[str, float]:
        """Return the numbers of words, and with a gold key the official scores.

        Args:
            x: a solution.
            answers: the sense keys by instance that are scored; by default those of the solution.
        """
        found = {"words": float(len(self.targets)), "words not in WordNet": float(len(self.unknown))}
        if self.gold is None:
            return found
        from swarmkit_wsd.corpora.scoring import score

        report = score(
            self.gold, self.answers(x) if answers is None else answers, np.random.default_rng(0), resamples=1
        )
        rates = {name: getattr(report.micro, name) for name in ("attempted", "precision", "recall", "f1")}
        return found | rates | {"macro f1": report.macro.f1}


def _read(options: WsdOptions, lexicon: Lexicon) -> Corpus:
    from swarmkit import read_text
    from swarmkit_wsd.corpora.reader import read_corpus

    if options.corpus is not None:
        return only_text(read_corpus(options.corpus), options.text_id)
    text = options.text
    if options.file is not None:
        text = read_text(options.file, "a file of text")
    elif text is None:
        text = EXAMPLE
    return Corpus("unified", (Text("d000", tuple(sentences_of_text(text, lexicon, options))),))


def _gold_of(corpus: Corpus, gold: Mapping[str, Entry]) -> dict[str, Entry]:
    """Return the entries of the corpus's instances: a corpus may be one text of several."""
    ids = [str(token.id) for _, token in corpus.targets()]
    missing = next((name for name in ids if name not in gold), None)
    if missing is not None:
        raise UsageError(f"the key has no entry for '{missing}' of the corpus; expected the key of this corpus")
    return {name: gold[name] for name in ids}


def _make_measure(options: WsdOptions) -> Measure:
    offered = find("measure", options.measure)
    made: Measure = make_settings(offered, options.measure_params, f"measure '{options.measure}'")
    return made


def _open_model(options: WsdOptions, lexicon: Lexicon) -> SenseModel | None:
    """Return the model that the options ask for; one whose tables are for another WordNet is refused."""
    if options.evidence == "none":
        return None
    from swarmkit_wsd.model.sense_model import open_model

    model = open_model(options.model)
    if model.facts.wordnet != lexicon.sha256:
        raise UsageError(
            f"the sense model is for another WordNet than this one ({lexicon.version}); expected the one it was "
            "trained with, or preset=fast, which needs no model"
        )
    return model
