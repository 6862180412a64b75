"""The whole training of a sense model, in stages that a stopped training does not repeat."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit import UsageError, write_atomically
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_sense_model.training.base_model import FILES, fetch_base, read_base
from swarmkit_sense_model.training.dataset import Dataset, ambiguous_senses, make_dataset, make_examples
from swarmkit_sense_model.training.export import Training, write_model
from swarmkit_sense_model.training.finetuning import (
    Report,
    Tuning,
    all_context_vectors,
    held_out_accuracy,
    new_tuning,
    tune,
)
from swarmkit_sense_model.training.glosses import Glosses, gloss_vectors
from swarmkit_sense_model.training.heads import Heads, new_heads, share_right, train_heads
from swarmkit_sense_model.training.network import Encoder
from swarmkit_sense_model.training.scoring import Counts, LabelledContexts, context_table
from swarmkit_sense_model.training.word_classes import train_word_classes
from swarmkit_sense_model.wordpiece import WordPieces
from swarmkit_text.corpora.semcor import LabelledText


@dataclass(frozen=True)
class Plan:
    """What a training depends on besides its texts."""

    seed: int = 0
    epochs: int = 1
    """Of tuning the encoder."""
    head_epochs: int = 1
    """Of training the heads on its vectors."""
    held_out: int = 12
    """Documents that nothing is learnt from until their share of right answers is known."""


@dataclass(frozen=True)
class Split:
    """Labelled texts as datasets, and the counts of senses for each of them."""

    training: Dataset
    held_out: Dataset
    whole: Dataset
    inside: NDArray[np.bool_]
    """Which instances of `whole` are held out."""
    training_counts: Counts
    """Without held-out documents, and for each instance without its own."""
    held_out_counts: Counts
    """Without held-out documents."""
    total: NDArray[np.int64]
    """The counts of all documents, for the finished model."""


class Contexts(NamedTuple):
    """Vectors of contexts by the tuned encoder."""

    words: NDArray[np.float16]
    """Of all instances."""
    examples: NDArray[np.float16]
    """Of WordNet's examples."""


def train(
    texts: list[LabelledText], lexicon: Lexicon, plan: Plan, out: Path, folder: Path, report: Report
) -> dict[str, Any]:
    """Train a model, write it, and return its record: what was held out, and the share of right answers there.

    Args:
        texts: the training corpora.
        lexicon: the senses.
        plan: seed and epochs.
        out: the model file.
        folder: where intermediate results are kept, from which a stopped training goes on.
        report: called with messages on the progress.
    """
    training = train_all(texts, lexicon, plan, folder, report)
    write_model(out, training)
    return training.record


def train_all(texts: list[LabelledText], lexicon: Lexicon, plan: Plan, folder: Path, report: Report) -> Training:
    """Return a trained model; the arguments are those of `train`."""
    record = _record(texts, lexicon, plan)
    _claim(folder, record)
    base = fetch_base(report)
    pieces = WordPieces((base / "tokenizer.json").read_bytes())
    weights = read_base(base / "model.safetensors")
    report("reading the corpora")
    held_out = np.sort(np.random.default_rng(plan.seed).permutation(len(texts))[: plan.held_out])
    split = _split(make_dataset(texts, lexicon, pieces), texts, held_out, lexicon)
    report(f"{len(split.training):,} words with two senses or more to learn from, {len(split.held_out):,} held out")
    glosses = _glosses(lexicon, pieces, Encoder(weights), folder, report)
    tuning = new_tuning(Encoder(weights), plan.seed)
    tune(tuning, split.training, glosses, split.training_counts, plan.epochs, plan.seed, folder, report)
    alone = held_out_accuracy(tuning, split.held_out, glosses, split.held_out_counts)
    report(f"the encoder alone: {alone:.1%} right in the held-out documents")
    examples = make_examples(lexicon, pieces)
    contexts = _contexts(tuning, split, examples, folder, report)
    heads, accuracy = _heads(split, (glosses.with_relations(lexicon), examples, contexts), plan, folder, report)
    word_classes, pos_accuracy = train_word_classes(tuning.encoder, texts, held_out, pieces, plan.seed, report)
    record |= {
        "held_out": [texts[int(at)].text.id for at in held_out],
        "held_out_accuracy": {"encoder": alone, "heads": accuracy, "parts of speech": pos_accuracy},
        "held_out_instances": len(split.held_out),
        "instances": len(split.training),
    }
    # The finished model has the contexts of all documents, also of those that were held out.
    labelled = LabelledContexts(split.whole, contexts.words, Counts(split.total))
    heads = heads._replace(table=context_table(labelled, examples, contexts.examples, glosses.synset))
    tokenizer = (base / "tokenizer.json").read_bytes()
    return Training(tuning.encoder, heads, split.total, ambiguous_senses(lexicon), tokenizer, record, word_classes)


def _record(texts: list[LabelledText], lexicon: Lexicon, plan: Plan) -> dict[str, Any]:
    digest = hashlib.sha256(repr([(text.text, sorted(text.keys.items())) for text in texts]).encode())
    packages = {name: version(name) for name in ("pyswarmkit", "torch", "numpy", "tokenizers", "safetensors")}
    return {
        "plan": asdict(plan),
        "texts": len(texts),
        "texts_sha256": digest.hexdigest(),
        "wordnet": lexicon.sha256,
        "base_sha256": FILES["model.safetensors"],
        "versions": {"python": platform.python_version(), **packages},
    }


def _claim(folder: Path, record: dict[str, Any]) -> None:
    """Write what is trained into the folder; refuse one in which something else was trained."""
    folder.mkdir(parents=True, exist_ok=True)
    plan = folder / "plan.json"
    content = json.dumps(record, indent=2)
    if not plan.exists():
        write_atomically(plan, content.encode())
    elif plan.read_text() != content:
        raise UsageError(f"{folder} has another training in it (see {plan.name}); name another folder with --work")


def _split(data: Dataset, texts: list[LabelledText], held_out: NDArray[np.int64], lexicon: Lexicon) -> Split:
    is_counted = np.array([text.counted for text in texts])
    total = np.array(lexicon.sense_count, np.int64)
    # WordNet's counts are those of SemCor: only the words of other texts are added.
    others = data.subset(~is_counted[data.document])
    np.add.at(total, others.senses[others.right], 1)
    inside = np.isin(data.document, held_out)
    training, aside = data.subset(~inside), data.subset(inside)
    counts = total.copy()
    np.subtract.at(counts, aside.senses[aside.right], 1)
    counts = np.maximum(counts, 0)
    return Split(training, aside, data, inside, Counts(counts, training), Counts(counts), total)


def _glosses(lexicon: Lexicon, pieces: WordPieces, encoder: Encoder, folder: Path, report: Report) -> Glosses:
    """Return the vectors of glosses, which are kept in the folder."""

    def build() -> dict[str, NDArray[np.float16]]:
        glosses = gloss_vectors(lexicon, pieces, encoder, lambda share: report(f"encoding glosses: {share:.0%}"))
        return {"text": glosses.text, "lemma": glosses.lemma}

    arrays = _kept(folder / "glosses.npz", build)
    return Glosses(arrays["text"], arrays["lemma"], np.array(lexicon.sense_synset))


def _contexts(tuning: Tuning, split: Split, examples: Dataset, folder: Path, report: Report) -> Contexts:
    """Return the vectors of all contexts by the tuned encoder, which are kept in the folder."""

    def build() -> dict[str, NDArray[np.float16]]:
        report("encoding all contexts")
        datasets = {"words": split.whole, "examples": examples}
        return {name: all_context_vectors(tuning.encoder, data) for name, data in datasets.items()}

    return Contexts(**_kept(folder / "contexts.npz", build))


def _kept(path: Path, build: Callable[[], dict[str, NDArray[np.float16]]]) -> dict[str, NDArray[np.float16]]:
    """Return the arrays of a file, which are built first if there is none; a reader sees the whole file or none."""
    if not path.exists():
        aside = path.with_suffix(".tmp.npz")
        np.savez(aside, allow_pickle=False, **build())
        aside.replace(path)
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)


def _heads(
    split: Split, vectors: tuple[Glosses, Dataset, Contexts], plan: Plan, folder: Path, report: Report
) -> tuple[Heads, float]:
    """Return the trained heads, which are kept in the folder, and their share of right answers on held-out words."""
    glosses, examples, contexts = vectors
    training = LabelledContexts(split.training, contexts.words[~split.inside], split.training_counts)
    held_out = LabelledContexts(split.held_out, contexts.words[split.inside], split.held_out_counts)
    heads = new_heads(glosses, context_table(training, examples, contexts.examples, glosses.synset))
    path = folder / "heads.pt"
    if not path.exists():
        train_heads(heads, training, plan.head_epochs, plan.seed, report)
        heads.save(path)
    heads.restore(path)
    accuracy = share_right(heads, held_out)
    report(f"held-out documents: {accuracy:.1%} right")
    return heads, accuracy
