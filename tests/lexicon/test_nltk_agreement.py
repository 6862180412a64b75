"""NLTK's reader, on the same files, says the same."""

import numpy as np
import pytest

from swarmkit_lexicon.arrays import strings_in
from swarmkit_lexicon.gloss_text import without_examples
from swarmkit_wsd.measures import Lin


def test_wordnet_is_as_nltk_reads_it(lexicon, nltk_wordnet, request):
    """Compare every eighth synset of ours, and with --long all of NLTK's."""
    every = 1 if request.config.getoption("--long") else 8
    keys: dict[int, set[str]] = {}
    for sense, synset in enumerate(lexicon.sense_synset.tolist()):
        keys.setdefault(synset, set()).add(lexicon.key(sense))
    numbers = {(lexicon.pos(s), o): s for s, o in enumerate(lexicon.arrays["synset.offset"].tolist())}
    some = [nltk_wordnet.synset_from_pos_and_offset(*place) for place, synset in numbers.items() if synset % every == 0]
    for theirs in some if every > 1 else nltk_wordnet.all_synsets():
        synset, lemmas = numbers.pop((theirs.pos(), theirs.offset())), theirs.lemmas()
        name = lexicon.name(synset) if theirs.pos() != "s" else theirs.name()  # see Lexicon.name
        definition = without_examples(lexicon.gloss(synset))
        ours = (name, definition, lexicon.examples(synset), lexicon.words(synset))
        assert ours == (theirs.name(), theirs.definition(), theirs.examples(), [lemma.name() for lemma in lemmas])
        # Of "ddC" and "DDC" in one synset, which are one entry, NLTK has both keys, and index.sense the first.
        assert keys[synset] == set({lemma.name().lower(): lemma.key() for lemma in reversed(lemmas)}.values())
    assert len(numbers) == len(lexicon.synset_pos) - len(lexicon.synset_pos[::every])


def test_senses_are_in_the_order_of_nltk(lexicon, nltk_wordnet, request):
    """Compare every fourth lemma that has several senses, and all of them with --long."""
    offsets, starts = lexicon.arrays["synset.offset"], lexicon.lemma_senses
    for index in np.flatnonzero(np.diff(starts) > 1)[:: 1 if request.config.getoption("--long") else 4].tolist():
        lemma = lexicon.lemma_names[index]
        for pos in "nvar":
            ours = lexicon.sense_synset[lexicon.senses(lemma, pos)]
            theirs = [synset.offset() for synset in nltk_wordnet.synsets(lemma, pos)]
            assert offsets[ours].tolist() == theirs[: len(ours)]  # those of "canvas" follow those of "canvass" there


def test_base_forms_are_those_of_nltk(lexicon, nltk_wordnet):
    vocabulary = strings_in(lexicon.arrays, "word")
    listed = [lexicon._exceptions[index][2:] for index in range(len(lexicon._exceptions))]
    forms = [vocabulary[index] for index in range(1, len(vocabulary))] + listed + ["", "s", "es", "xyzzyes"]
    for form in np.random.default_rng(2).choice(forms, 6000).tolist():
        assert lexicon.morphy(form) == nltk_wordnet.morphy(form)
        for pos in "nvar":
            assert lexicon.morphy(form, pos) == nltk_wordnet.morphy(form, pos)


def test_counts_are_those_of_nltk(lexicon, nltk_wordnet):
    for sense in np.random.default_rng(3).integers(0, len(lexicon.sense_count), 1500).tolist():
        key = lexicon.key(sense)
        if not (key.split(":")[3] and lexicon.sense_count[sense]):  # 83 keys NLTK does not find in cntlist.rev
            assert lexicon.sense_count[sense] == nltk_wordnet.lemma_from_key(key).count()


@pytest.fixture(scope="module")
def nltk_ic(nltk_wordnet):
    from nltk.corpus import wordnet_ic

    return wordnet_ic.ic("ic-semcor.dat")


def near_pairs(lexicon, rng, pos, count):
    """Pairs of one part of speech: half at random, half of synsets with a common ancestor not far away."""
    of_pos = np.flatnonzero(lexicon.synset_pos == ord(pos))
    a = rng.choice(of_pos, count)
    near = np.clip(a + rng.integers(-40, 40, count), of_pos[0], of_pos[-1])
    return a, np.where(rng.random(count) < 0.5, rng.choice(of_pos, count), near)


@pytest.mark.parametrize("pos", ["n", "v"])
def test_lin_is_that_of_nltk(lexicon, nltk_wordnet, nltk_ic, pos):
    a, b = near_pairs(lexicon, np.random.default_rng(7), pos, 3000)
    prepared = Lin().prepare(lexicon, a)
    rows = [prepared.block(a[i : i + 50], b[i : i + 50]).diagonal() for i in range(0, len(a), 50)]
    offsets, ours = lexicon.arrays["synset.offset"], np.concatenate(rows)
    for value, one, other in zip(ours.tolist(), a.tolist(), b.tolist(), strict=True):
        pair = [nltk_wordnet.synset_from_pos_and_offset(pos, int(offsets[synset])) for synset in (one, other)]
        assert value == pytest.approx(1.0 if one == other else pair[0].lin_similarity(pair[1], nltk_ic), abs=1e-9)
    assert np.count_nonzero((ours > 0) & (ours < 1)) > 100
