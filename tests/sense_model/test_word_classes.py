"""Parts of speech by the encoder: the network, its place in the model file, and what it changes in raw text."""

import json
from math import exp, log

import numpy as np
import pytest
from safetensors.numpy import load, save

from swarmkit import UsageError
from swarmkit_sense_model import sentence_encoder
from swarmkit_sense_model.bundled import BUNDLED
from swarmkit_sense_model.sense_model import open_model
from swarmkit_sense_model.sentence_encoder import SentenceEncoder, word_means
from swarmkit_sense_model.word_classes import CLASSES, LAYER, NAMES, PREFIX, WordClasses
from swarmkit_sense_model.wordpiece import Pieces
from swarmkit_text.corpus import POS
from swarmkit_text.english import EnglishReader
from swarmkit_text.parts_of_speech import Share, second_opinion
from swarmkit_text.sentences import read_text, read_words
from swarmkit_wsd.options import WsdOptions
from swarmkit_wsd.raw_text import word_classifier

WIDTH = 384
EQUAL = np.full(CLASSES, -log(CLASSES), np.float32)


def network(favoured):
    """Return a network that finds one class e^3 times as probable as the others, whatever the word."""
    bias = np.zeros(CLASSES, np.float16)
    bias[favoured] = 3
    shapes = ((4, WIDTH), (4,), (CLASSES, 4))
    return dict(
        zip((PREFIX + name for name in NAMES), [*(np.zeros(shape, np.float16) for shape in shapes), bias], strict=True)
    )


def model_file(path, arrays):
    """Write the bundled model with these arrays instead of its own network, and return the file."""
    content = BUNDLED.read_bytes()
    metadata = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])["__metadata__"]
    kept = {name: value for name, value in load(content).items() if not name.startswith(PREFIX)}
    path.write_bytes(save(kept | arrays, metadata))
    return path


@pytest.fixture(scope="module")
def adjectives(tmp_path_factory):
    return model_file(tmp_path_factory.mktemp("models") / "adjectives.safetensors", network(POS.index("a")))


def test_log_probabilities_are_those_of_a_network_with_one_hidden_layer():
    arrays = network(0)
    arrays[PREFIX + "hidden.weight"][0, 0], arrays[PREFIX + "output.weight"][1, 0] = 1, 2
    vectors = np.zeros((2, WIDTH), np.float32)
    vectors[1, 0] = 10  # gelu(10) = 10
    found = WordClasses(arrays).log_probabilities(vectors)
    assert np.allclose(found[0], np.array([3, 0, 0, 0, 0]) - log(exp(3) + 4), atol=1e-5)
    assert np.allclose(found[1], np.array([3, 20, 0, 0, 0]) - log(exp(3) + exp(20) + 3), atol=1e-4)


def test_a_word_has_the_mean_of_its_pieces():
    sequence = Pieces(np.arange(5, dtype=np.int32), np.array([-1, 0, 0, 2, -1], np.int32))
    owners, means = word_means(sequence, np.array([[9.0], [1.0], [3.0], [5.0], [9.0]], np.float32))
    assert owners.tolist() == [0, 2]
    assert means.tolist() == [[2.0], [5.0]]


def test_lower_layers_stand_before_the_last_one():
    model = open_model()
    ids = [sequence.ids for sequence in model.pieces.split([["A", "bat", "flew", "out"]])[0]]
    both = model.encoder.encode(ids, (LAYER, model.encoder.depth))[0]
    assert np.array_equal(both[:, WIDTH:], model.encoder.encode(ids)[0])
    assert not np.allclose(both[:, :WIDTH], both[:, WIDTH:])


def test_opinions_are_mixed_geometrically_and_the_tagger_may_be_wrong():
    encoder = np.log(np.array([0.25, 0.04, 0.01, 0.01, 0.69], np.float32))
    found = second_opinion({"n": Share(0.64, 0.32)}, {"n": 1.5, "v": 0.5}, encoder)  # weight 0.5 · 2 / (2 + 2)
    weights = {"n": 0.64**0.75 * 0.25**0.25, "v": 0.02**0.75 * 0.04**0.25, None: 0.36**0.75 * 0.69**0.25}
    total = sum(weights.values())
    assert found["n"].share == pytest.approx(weights["n"] / total, rel=1e-5)
    assert found["n"].name == pytest.approx(found["n"].share / 2)
    assert found["v"].share == pytest.approx(weights["v"] / total, rel=1e-5)


def test_an_undecided_encoder_leaves_the_order_of_readings():
    found = second_opinion({"n": Share(0.7), "v": Share(0.2)}, {"n": 9, "v": 9, "a": 9}, EQUAL)
    assert found["n"].share > found["v"].share > found["a"].share


def test_the_tagger_decides_on_words_that_the_network_has_not_seen():
    found = second_opinion({"n": Share(0.7)}, {"n": 0, "a": 0}, np.log(np.array([0.01, 0.01, 0.96, 0.01, 0.01])))
    assert found["n"].share == pytest.approx(0.7 / 1.02)


@pytest.mark.usefixtures("source")
def test_the_encoder_changes_the_probabilities_of_parts_of_speech(lexicon, adjectives):
    def adjective_share(classify):
        (sentence,) = read_text("They carried the light.", EnglishReader(lexicon, classify=classify))
        (token,) = [token for token in sentence.targets if token.surface == "light"]
        return sum(exp(reading.bias) for reading in token.readings if reading.pos == "a")

    classify = word_classifier(WsdOptions(preset="best", model=str(adjectives)))
    assert adjective_share(classify) > adjective_share(None) + 0.1


@pytest.mark.usefixtures("source")
def test_words_of_a_list_are_classified_too(lexicon, adjectives):
    classify = word_classifier(WsdOptions(preset="best", model=str(adjectives)))
    (token,) = read_words(["light"], EnglishReader(lexicon, classify=classify)).targets
    assert token.readings[0].pos == "a"


def test_without_the_network_or_the_model_the_tagger_decides_alone(tmp_path):
    plain = model_file(tmp_path / "plain.safetensors", {})
    assert word_classifier(WsdOptions(preset="best", model=str(plain))) is None
    assert word_classifier(WsdOptions(preset="fast")) is None


def test_a_network_whose_layers_do_not_fit_together_is_refused(tmp_path):
    arrays = network(0) | {PREFIX + "output.weight": np.zeros((CLASSES, 3), np.float16)}
    with pytest.raises(UsageError, match="is not a sense model"):
        open_model(model_file(tmp_path / "broken.safetensors", arrays))


def test_a_sentence_is_encoded_once_while_it_is_kept(monkeypatch):
    model = open_model()
    monkeypatch.setattr(sentence_encoder, "MOST_PIECES", 12)
    encoder = SentenceEncoder(model.encoder, model.pieces, None)
    one, other = ["A", "bat", "flew"], ["The", "old", "bank", "closed"]
    first, again = encoder.encode([one, one])
    assert first is again
    assert encoder.encode([one])[0] is first
    encoder.encode([other])  # 6 pieces beside the first's 5: both are kept
    assert encoder.encode([one])[0] is first
    encoder.encode([["It", "rained"], other])
    later = encoder.encode([one])[0]
    assert later is not first
    assert np.array_equal(later.vectors[0], first.vectors[0])
