"""Parts of the training, which needs torch (extra `train`): run with --long where it is installed."""

from dataclasses import replace

import numpy as np
import pytest

pytestmark = pytest.mark.long
torch = pytest.importorskip("torch", reason="needs the extra 'train'")


def test_the_learning_rate_rises_and_falls_linearly():
    from swarmkit_sense_model.training.finetuning import rate

    assert [rate(done) for done in (0.0, 0.05, 0.1, 1.0)] == [0.0, 0.5, 1.0, 0.0]


def test_batches_have_every_sequence_once_and_are_small_enough():
    from swarmkit_sense_model.training.network import batches

    lengths = np.random.default_rng(0).integers(3, 60, size=200)
    made = batches(lengths, 120, np.random.default_rng(1))
    assert sorted(np.concatenate(made).tolist()) == list(range(200))
    assert all(len(batch) == 1 or len(batch) * lengths[batch].max() <= 120 for batch in made)


def test_counts_leave_out_the_document_of_an_instance():
    from swarmkit_sense_model.training.dataset import Dataset
    from swarmkit_sense_model.training.scoring import Counts

    senses, right = np.array([4, 5, 4, 5], np.int32), np.array([True, False, False, True])
    empty = np.zeros(2, np.int32)
    data = Dataset([], empty, empty, empty, np.array([0, 1], np.int32), empty, np.array([0, 2, 4]), senses, right)
    counts = Counts(np.array([0, 0, 0, 0, 3, 1]), data)
    assert counts.without(np.array([0, 1, 0, 1]), np.array([4, 4, 5, 5])).tolist() == [2, 3, 1, 0]


WIDTH = 96


def labelled(instances=60, seed=0):
    """Return instances of two senses whose contexts lie in two directions, and vectors of both senses' glosses."""
    from swarmkit_sense_model.training.dataset import Dataset
    from swarmkit_sense_model.training.glosses import Glosses
    from swarmkit_sense_model.training.scoring import Counts, LabelledContexts

    rng = np.random.default_rng(seed)
    chosen = rng.integers(0, 2, instances)
    directions = rng.normal(size=(2, 2 * WIDTH))
    contexts = (directions[chosen] + 0.5 * rng.normal(size=(instances, 2 * WIDTH))).astype(np.float16)
    empty = np.zeros(instances, np.int32)
    data = Dataset(
        sequences=[],
        sequence=empty,
        begin=empty,
        end=empty,
        document=np.arange(instances, dtype=np.int32) % 4,
        pos=empty,
        starts=np.arange(0, 2 * instances + 1, 2),
        senses=np.tile(np.array([0, 1], np.int32), instances),
        right=np.column_stack([chosen == 0, chosen == 1]).ravel(),
    )
    more = rng.normal(size=(200, 2 * WIDTH))
    vectors = np.concatenate([directions, more]).astype(np.float16)
    glosses = Glosses(vectors[:, WIDTH:], vectors[:, :WIDTH], np.arange(len(vectors), dtype=np.int32))
    total = np.zeros(len(vectors), np.int64)
    total[:2] = np.bincount(chosen)
    return LabelledContexts(data, contexts, Counts(total, data)), glosses


def untrained(training, glosses):
    from swarmkit_sense_model.training.heads import new_heads
    from swarmkit_sense_model.training.scoring import context_table

    first = np.arange(len(training.data)) == 0
    example = training.data.subset(first)
    example = replace(example, senses=example.senses[example.right], right=np.array([True]), starts=np.array([0, 1]))
    return new_heads(glosses, context_table(training, example, training.vectors[first], glosses.synset))


def test_the_principal_directions_of_glosses_are_orthonormal_and_hold_the_largest_variance():
    from swarmkit_sense_model.training.heads import principal_directions

    _, glosses = labelled()
    found = principal_directions(glosses).numpy()
    assert np.allclose(found @ found.T, np.eye(len(found)), atol=1e-5)
    rows = np.concatenate([glosses.lemma, glosses.text], 1).astype(np.float64)
    kept = np.var(rows @ found.T, axis=0)
    assert np.allclose(kept, np.linalg.eigvalsh(np.cov(rows.T, bias=True))[::-1][: len(found)], rtol=1e-3)


def test_contexts_glosses_and_means_begin_with_one_projection():
    heads = untrained(*labelled())
    first, *others = heads.projections()
    assert all(torch.equal(first, other) for other in others)


def test_a_dropped_sense_has_neither_count_nor_mean_and_others_keep_theirs():
    from swarmkit_sense_model.training.scoring import candidates, sense_drop

    training, glosses = labelled()
    batch = np.arange(40)
    given = candidates(training.data, batch, training.counts)
    means = untrained(training, glosses).table.means(training.data.document[batch].astype(np.int64), given)
    dropped = sense_drop(given, 0.5, np.random.default_rng(0))
    assert 0 < dropped.sum() < len(batch)
    assert not dropped[~given.right].any()
    for whole, left in ((given.counts, given.without(dropped).counts), (means.number, means.without(dropped).number)):
        assert not left[dropped].any()
        assert torch.equal(left[~dropped], whole[~dropped])


def test_heads_learn_the_senses_of_contexts_and_can_be_kept(tmp_path):
    from swarmkit_sense_model.training.heads import share_right, train_heads

    training, glosses = labelled(instances=400)
    heads = untrained(training, glosses)
    train_heads(heads, training, epochs=20, seed=0, report=lambda message: None)
    assert share_right(heads, training) > 0.95
    heads.save(tmp_path / "heads.pt")
    other = untrained(training, glosses)
    other.restore(tmp_path / "heads.pt")
    assert share_right(other, training) == share_right(heads, training)
    for one, two in zip(heads.projections() + heads.scalars(), other.projections() + other.scalars(), strict=True):
        assert torch.equal(one, two)


def test_the_texts_of_related_synsets_are_averaged_and_unrelated_synsets_have_zeros(lexicon):
    from swarmkit_lexicon.bags import RELATIONS
    from swarmkit_sense_model.training.glosses import Glosses

    rng = np.random.default_rng(0)
    text = rng.normal(size=(len(lexicon.synset_pos), 8)).astype(np.float16)
    lemma = np.zeros((len(lexicon.sense_synset), 8), np.float16)
    glosses = Glosses(text, lemma, np.array(lexicon.sense_synset)).with_relations(lexicon)
    assert glosses.width == 24
    (found,) = glosses.related
    mouse = lexicon.synset_named("mouse.n.04")
    others = {other for symbols in RELATIONS.values() for other in lexicon.related(mouse, symbols)} - {mouse}
    mean = text[sorted(others)].astype(np.float32).sum(0)
    assert np.allclose(found[mouse], mean / np.linalg.norm(mean) * 8**0.5, atol=1e-2)
    symbols = " ".join(RELATIONS.values())
    alone = next(synset for synset in range(len(text)) if not list(lexicon.related(synset, symbols)))
    assert not found[alone].any()


def test_senses_of_words_with_several_senses_are_ambiguous_within_a_part_of_speech(lexicon):
    from swarmkit_sense_model.training.dataset import ambiguous_senses

    found = ambiguous_senses(lexicon)
    assert found[lexicon.senses("bank", "n")].all()
    assert found[lexicon.senses("wireless", "n")].all()
    assert not found[lexicon.senses("wireless", "a")].any()


def test_sums_of_contexts_leave_out_a_document():
    from swarmkit_sense_model.training.scoring import Sums

    vectors = np.array([[1, 0], [2, 0], [0, 4], [0, 8]], np.float16)
    sums = Sums(np.array([3, 3, 1, 3]), np.array([0, 1, 1, -1]), vectors, 5)
    number, found = sums.of(np.array([-1, 0, 1, 1, 0]), np.array([3, 3, 3, 1, 4]))
    assert number.tolist() == [3, 2, 2, 0, 0]
    assert found.tolist() == [[3, 8], [2, 8], [1, 8], [0, 0], [0, 0]]


def test_a_sense_without_contexts_of_its_own_has_those_of_its_synset():
    from swarmkit_sense_model.training.scoring import ContextTable, Sums

    vectors = np.array([[1, 0], [2, 0]], np.float16)
    senses, documents, synset = np.array([0, 1]), np.array([0, 1]), np.array([0, 0, 0], np.int32)
    table = ContextTable(Sums(senses, documents, vectors, 3), Sums(synset[senses], documents, vectors, 1), synset)
    number, _, shared, others = table.of(np.full(3, -1), np.arange(3))
    assert (number.tolist(), shared.tolist()) == ([1, 1, 0], [1, 1, 2])
    assert others.tolist() == [[2, 0], [1, 0], [3, 0]]


def test_words_with_a_sense_have_its_part_of_speech_and_names_are_left_out():
    from swarmkit_sense_model.training.word_classes import NO_CLASS, content_words, word_class
    from swarmkit_text.corpus import Sentence, Token

    tagged = [Token("Problems", "problem", "n", 0, 1, "t0"), *[Token("problem", "problem", "n", 0, 1, "t1")] * 9]
    plain = [Token(word, word, None, 0, 1) for word in ("problem", "of", "Of", "Smith", "took place", "--", "run")]
    content = content_words([Sentence("s", (*tagged, *plain))])
    assert content == {"problem", "problems"}
    assert [word_class(token, content) for token in (tagged[0], *plain)] == [0, NO_CLASS, 4, 4, *[NO_CLASS] * 3, 4]


def test_the_network_of_word_classes_learns_what_can_be_separated():
    from swarmkit_sense_model.training.word_classes import WordTable, fit, share_right

    rng = np.random.default_rng(0)
    classes = rng.integers(0, 5, 4000)
    vectors = (rng.normal(size=(5, WIDTH))[classes] + 0.5 * rng.normal(size=(4000, WIDTH))).astype(np.float16)
    table = WordTable(vectors, classes, np.arange(4000) % 8)
    network = fit(table.subset(table.document > 0), seed=0)
    assert share_right(network, table.subset(table.document == 0)) > 0.99
    again = fit(table.subset(table.document > 0), seed=0)
    assert all(torch.equal(one, other) for one, other in zip(network.parameters(), again.parameters(), strict=True))
