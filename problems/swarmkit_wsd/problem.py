"""Word sense disambiguation as a problem: a stage is a word, a candidate one of its senses, the score relatedness.

Every unit (sentence or document) is a part that is solved on its own; the score of a text is the sum over its units.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from swarmkit import PairwiseProblem, Part, UsageError, View, find, local_search, make_settings
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_text.corpora.keys import Entry, answer_lines, read_keys
from swarmkit_text.corpora.scoring import credit, score
from swarmkit_text.corpus import Corpus, Pos, Sentence, Text, Token
from swarmkit_wsd.confidence import posteriors
from swarmkit_wsd.known import fixed_candidates
from swarmkit_wsd.measures import Measure
from swarmkit_wsd.options import EXAMPLE, REFORMULATIONS, WsdOptions
from swarmkit_wsd.tables import SenseRelatedness, UnitTables, side_by_side
from swarmkit_wsd.units import covered_stages, likeliest, read_units
from swarmkit_wsd.unknown import unknown_words

if TYPE_CHECKING:
    from swarmkit_sense_model.sense_model import SenseModel

CAPTION = 500
"""Characters of the text that are shown above the answer."""

CAPTION_SENTENCES = 20
"""Sentences from which they are taken."""

GLOSSED_WORDS = 500
"""Words of a text whose glosses are in a moving picture."""


class WordSenses(PairwiseProblem):
    """Choose the senses that are most related to each other, for every word of a text that WordNet has.

    The words of the stages, and their order, depend on the text and on the options `unit` and `order` alone.
    """

    Options = WsdOptions
    reformulations = REFORMULATIONS
    reference = "Abualhaija & Zimmermann 2014, D-Bees; Pedersen, Banerjee & Patwardhan 2005"

    @classmethod
    def build(cls, options: WsdOptions) -> WordSenses:
        """Read the text or corpus, and WordNet."""
        from swarmkit_wsd.raw_text import lexicon_of, read_texts  # a list of problems needs no reader of texts

        lexicon = lexicon_of(options)
        # Before the text is tagged: a wrong key should not cost minutes.
        gold = read_keys(options.key) if options.key else None
        return cls(read_texts(options, lexicon), lexicon, options, gold)

    @classmethod
    def of_words(cls, words: Sequence[str], known_words: Mapping[int, tuple[str, Pos]], options: WsdOptions) -> Self:
        """Return the problem of one sentence, given as a list of words.

        Args:
            words: the words.
            known_words: lemma and part of speech of words of which they are known, by position; these are targets. The
                tagger finds them for all other words.
            options: the options of the problem; text, file and corpus are ignored.
        """
        from swarmkit_text.sentences import read_words
        from swarmkit_wsd.raw_text import lexicon_of, reader_of

        lexicon = lexicon_of(options)
        read = read_words(words, reader_of(lexicon, options))
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
        units = read_units(self._likeliest_readings(corpus), lexicon, options.unit, options.order)
        self.targets = [target for unit in units for target in unit if len(target.senses)]
        self.fixed = fixed_candidates(self.targets, known or {}, lexicon)
        """The candidates of the stages whose sense is known: `fixed` of `swarmkit.solve`."""
        self.unknown = [target.token for unit in units for target in unit if not len(target.senses)]
        kind = find("measure", options.measure)
        self._measure: Measure = make_settings(kind, options.measure_params, f"measure '{options.measure}'")
        self.model = _model_of(options, lexicon)
        answerable = [[target for target in unit if len(target.senses)] for unit in units]
        tables = UnitTables(options, lexicon, self._measure, self.model, self.sentences)
        parts = [tables.problem(unit) for unit in answerable if unit]
        super().__init__(side_by_side([part.form for part in parts]))
        # Units are not linked with each other: each is a part that solvers may solve on its own.
        ends = np.cumsum([len(part.sizes) for part in parts], dtype=np.int64)
        self.parts = [Part(np.arange(end - len(part.sizes), end), part) for part, end in zip(parts, ends, strict=True)]
        self.groups = np.array([target.sentence for target in self.targets], np.int64)
        if options.ties == "random":
            self.tie_ranks = np.concatenate([np.empty(0, np.int64), *(part.tie_ranks for part in parts)])
        self.versions = lexicon.versions
        if self.model is not None:
            self.versions["sense model"] = f"sha256:{self.model.sha256}"

    def _likeliest_readings(self, corpus: Corpus) -> Corpus:
        """Return the corpus with one reading of each word if the words form a chain, in which none may be skipped."""
        if self.settings.shape == "pairwise":
            return corpus
        texts = (Text(text.id, tuple(map(likeliest, text.sentences))) for text in corpus.texts)
        return Corpus(corpus.format, tuple(texts))

    @property
    def excerpt(self) -> str:
        """The first words of the text."""
        words = " ".join(token.surface for sentence in self.sentences[:CAPTION_SENTENCES] for token in sentence.tokens)
        text = self.settings.text or (EXAMPLE if self.settings.file is None and self.settings.corpus is None else words)
        return shorten(text, CAPTION, placeholder=" …")

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the text, the options and the data that the tables are made from.

        The tables themselves are not part of it: the last digits of the model's arithmetic depend on the processor.
        """
        if self.model is None:
            return super().fingerprint
        # What names the source says nothing about its content, and the versions have the hashes of data.
        left_out = {"text", "file", "corpus", "key", "model", "wordnet", "language", "wordnets"}
        options = self.settings.model_dump(mode="json", exclude=left_out)
        parts = [type(self).__qualname__, self.corpus, options, sorted(self.versions.items())]
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    @cached_property
    def sentences(self) -> list[Sentence]:
        """All sentences of the corpus, as targets number them."""
        return [sentence for text in self.corpus.texts for sentence in text.sentences]

    @cached_property
    def unknown_words(self) -> list[str]:
        """The words that are not in WordNet: targets of a corpus; content words and names of a text, each once."""
        surfaces = [token.surface for token in self.unknown]
        if self.settings.corpus is not None:
            return surfaces
        names = (name for sentence in self.sentences for name in unknown_words(sentence, self.lexicon))
        return [*dict.fromkeys([*names, *surfaces])]

    @cached_property
    def senses(self) -> NDArray[np.int32]:
        """The sense of every slot (stage and candidate)."""
        return np.concatenate([np.empty(0, np.int32), *(target.senses for target in self.targets)])

    @cached_property
    def _related(self) -> SenseRelatedness:
        return SenseRelatedness(self._measure, self.lexicon.wordnet, self.lexicon.sense_synset[self.senses])

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
        # Each word's best sense alone is the start of the climb.
        x = np.array([int(unary[begin:end].argmax()) for begin, end in pairwise(starts)], np.int64)
        rng = np.random.default_rng(0)
        return local_search(self, x[None], "icm", rng, self.fixed).solutions[0] if len(x) else x

    def posteriors(self, x: NDArray[Any]) -> list[NDArray[np.float64]]:
        """Return the probability of each candidate at each stage, the other stages being as in a solution."""
        return posteriors(self, x)

    def chosen(self, x: NDArray[Any]) -> NDArray[np.int32]:
        """Return the sense that a solution chooses at each stage."""
        senses: NDArray[np.int32] = self.senses[self.form.offsets[:-1] + x]
        return senses

    def sense_of(self, stage: int, candidate: int) -> dict[str, str]:
        """Return the sense key, the name of the synset and the gloss of a candidate."""
        sense = int(self.targets[stage].senses[candidate])
        synset = int(self.lexicon.sense_synset[sense])
        lexicon = self.lexicon
        return {"key": lexicon.key(sense), "synset": lexicon.name(synset), "gloss": lexicon.definition(synset)}

    def answers(self, x: NDArray[Any]) -> dict[str, str]:
        """Return the chosen sense key of each instance, by id."""
        keys = (self.lexicon.key(int(sense)) for sense in self.chosen(x))
        return {str(target.token.id): key for target, key in zip(self.targets, keys, strict=True)}

    def answer_lines(self, x: NDArray[Any]) -> list[str]:
        """Return the lines of an answers file, in the corpus's official format."""
        return list(answer_lines(self.corpus, self.answers(x)))

    def credits(self, x: NDArray[Any]) -> dict[str, dict[str, float | None]]:
        """Return the credit by the gold key: text id -> instance id -> credit, None for instances without an answer."""
        if self.gold is None:
            raise UsageError("credits need the gold keys of the corpus: expected the option 'key'")
        answers, gold = self.answers(x), self.gold
        credits_of: dict[str, dict[str, float | None]] = {text: {} for text in self.texts}
        for text, token in self.corpus.targets():
            name = str(token.id)
            credits_of[text.id][name] = credit(gold[name].keys, [answers[name]]) if name in answers else None
        return credits_of

    def describe(self, x: NDArray[Any]) -> list[dict[str, Any]]:
        """Return each word with its sense, in the order of the text; its score is its relatedness to the others.

        With a gold key each row has `right`, on which tests word by word are based.
        """
        rows: list[dict[str, Any]] = []
        for stage in self.answered(x):
            target, sense = self.targets[stage], self.sense_of(stage, x[stage])
            rows.append(
                {
                    "word": target.reading_of(x[stage]).surface,
                    "sense": sense["synset"],
                    "score": round(float(self.form.marginals(x[None], stage)[0, x[stage]]), 4),
                    "gloss": sense["gloss"],
                    **self._right(target.token, sense["key"]),
                }
            )
        unknown = {"sense": "not in WordNet", "score": None, "gloss": ""}
        return rows + [{"word": token.surface, **unknown, **self._right(token, None)} for token in self.unknown]

    def _right(self, token: Token, key: str | None) -> dict[str, bool]:
        if self.gold is None:
            return {}
        return {"right": key is not None and credit(self.gold[str(token.id)].keys, [key]) == 1}

    def in_text_order(self, sentences: range | None = None) -> list[int]:
        """Return the stages in the order of their words in the text; only those of some sentences if they are given."""
        place = [(target.sentence, target.token.start) for target in self.targets]
        ordered = sorted(range(len(self.targets)), key=place.__getitem__)
        return ordered if sentences is None else [stage for stage in ordered if place[stage][0] in sentences]

    def answered(self, x: NDArray[Any], sentences: range | None = None) -> list[int]:
        """Return the stages, as `in_text_order`, without the words that are part of a longer entry that is chosen."""
        hidden_stages = covered_stages(self.targets, x)
        return [stage for stage in self.in_text_order(sentences) if stage not in hidden_stages]

    def view(self) -> View:
        """Return the caption, the drawing of a text with its senses and the scene of moving pictures."""
        return View(f"{self.excerpt}\npreset {self.settings.preset}", draw=self._draw, scene=self._scene)

    def _draw(self, x: NDArray[Any], axes: Any) -> None:
        """Draw the text with its answered words in colours; below, the sense of each, its gloss and the next senses."""
        from swarmkit_wsd.picture import draw_senses

        draw_senses(self, x, axes)

    def _scene(self) -> dict[str, Any]:
        """Return the text, and for each word its senses and their glosses (of a long text those of the first words)."""
        name, gloss = self.lexicon.name, self.lexicon.definition
        synsets = [self.lexicon.sense_synset[target.senses].tolist() for target in self.targets]
        stages = {(target.sentence, target.token.start): stage for stage, target in enumerate(self.targets)}
        return {
            "kind": "words",
            "stages": [target.token.surface for target in self.targets],
            "candidates": [[name(synset) for synset in row] for row in synsets],
            "glosses": [[gloss(synset) for synset in row] for row in synsets[:GLOSSED_WORDS]],
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
        counts = {"words": float(len(self.targets)), "words not in WordNet": float(len(self.unknown_words))}
        if self.gold is None:
            return counts
        report = score(
            self.gold, self.answers(x) if answers is None else answers, np.random.default_rng(0), resamples=1
        )
        rates = {name: getattr(report.micro, name) for name in ("attempted", "precision", "recall", "f1")}
        return counts | rates | {"macro f1": report.macro.f1}


def _gold_of(corpus: Corpus, gold: Mapping[str, Entry]) -> dict[str, Entry]:
    """Return the entries of the corpus's instances: a corpus may be one text of several."""
    ids = [str(token.id) for _, token in corpus.targets()]
    missing = next((name for name in ids if name not in gold), None)
    if missing is not None:
        raise UsageError(f"the key has no entry for '{missing}' of the corpus; expected the key of this corpus")
    return {name: gold[name] for name in ids}


def _model_of(options: WsdOptions, lexicon: Lexicon) -> SenseModel | None:
    """Return the model that the options ask for; one whose tables are for another WordNet is refused."""
    if options.evidence == "none":
        return None
    from swarmkit_sense_model.sense_model import open_model

    # The model's tables are rows for synsets by number, which mean nothing in another WordNet.
    model = open_model(options.model)
    if model.facts.wordnet != lexicon.sha256:
        raise UsageError(
            f"the sense model is for another WordNet than this one ({lexicon.version}); expected the one it was "
            "trained with, or preset=fast, which needs no model"
        )
    return model
