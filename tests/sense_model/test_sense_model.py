"""The model file: what is in it, and that damaged or hostile ones are refused."""

import json

import numpy as np
import pytest
from safetensors.numpy import load_file, save

import swarmkit
from swarmkit import UsageError
from swarmkit_sense_model.bundled import BUNDLED
from swarmkit_sense_model.evidence import Occurrence, sense_scores
from swarmkit_sense_model.sense_model import open_model, quantise
from swarmkit_text.corpus import POS, Sentence, Token


@pytest.fixture(scope="module")
def model():
    return open_model()


def occurrence(lexicon, sentence, word, pos="n", number=0):
    (token,) = [token for token in sentence.tokens if token.surface == word]
    return Occurrence(number, token.start, token.end, pos, lexicon.senses(word, pos))


def words(text):
    return Sentence("s", tuple(Token(word, word, None, at, at + 1) for at, word in enumerate(text.split())))


def test_the_bundled_model_fits_into_the_package_and_is_for_wordnet_3_0(model, lexicon):
    assert BUNDLED.stat().st_size <= 60e6
    assert model.facts.wordnet == lexicon.sha256
    assert len(model.counts) == len(lexicon.sense_synset)


def test_the_context_decides_between_the_senses_of_a_word(model, lexicon):
    river, money = (
        words("The boat lay at the muddy bank of the river"),
        words("The bank raised its interest rates on loans"),
    )
    scores = sense_scores(
        model, [river, money], [occurrence(lexicon, river, "bank"), occurrence(lexicon, money, "bank", number=1)]
    )
    names = [lexicon.name(int(lexicon.sense_synset[lexicon.senses("bank", "n")[one.argmax()]])) for one in scores]
    assert names == ["bank.n.01", "depository_financial_institution.n.01"]


def test_scores_do_not_depend_on_what_is_scored_beside(model, lexicon):
    texts = [words(text) for text in ("The plant needs water", "A bat flew out of the dark cave last night", "A plant")]
    asked = [occurrence(lexicon, texts[0], "plant"), occurrence(lexicon, texts[1], "bat", number=1)]
    together = sense_scores(model, texts, asked)
    alone = [sense_scores(model, [texts[one.sentence]], [one._replace(sentence=0)])[0] for one in asked]
    for one, other in zip(together, alone, strict=True):
        assert one.tolist() == other.tolist()


def unit(vector):
    return np.asarray(vector, float) / np.linalg.norm(vector)


def formula(model, x, senses, pos):
    """The score of each sense by the formula of the model's module, term by term; and which senses are unseen."""
    arrays, weights = load_file(BUNDLED), model.facts.weights

    def vector(table, sense):
        rows = np.flatnonzero(arrays.get(f"{table}.senses", np.arange(len(model.counts))) == sense)
        return (int(rows[0]), unit(arrays[f"{table}.vectors"][rows[0]])) if len(rows) else (None, np.zeros(128))

    gloss, context = (unit(arrays[f"project.{name}"].astype(np.float32) @ x) for name in ("gloss", "context"))
    total, rows, unseen = sum(int(model.counts[sense]) + 1 for sense in senses), [], []
    for sense in senses:
        row, mean = vector("context", sense)
        n = 0 if row is None else int(arrays["context.number"][row])
        score = np.exp(weights.gloss) * (vector("gloss", sense)[1] @ gloss)
        score += weights.prior[POS.index(pos)] * np.log((int(model.counts[sense]) + 1) / total)
        score += np.exp(weights.context) * n / (n + np.exp(weights.half)) * (mean @ context)
        score += (weights.unseen if n == 0 else 0) + np.exp(weights.example) * (vector("example", sense)[1] @ context)
        rows.append(score)
        unseen.append(n == 0)
    return rows, unseen


@pytest.mark.parametrize(("word", "pos"), [("bank", "n"), ("sat", "v"), ("muddy", "a")])
def test_scores_are_the_formula_term_by_term(model, lexicon, word, pos):
    sentence = words("They sat on the muddy bank of the river")
    lemma = {"sat": "sit"}.get(word, word)
    (at,) = (token.start for token in sentence.tokens if token.surface == word)
    senses = lexicon.senses(lemma, pos)
    (found,) = sense_scores(model, [sentence], [Occurrence(0, at, at + 1, pos, senses)])
    (encoding,) = model.sentences.encode([[token.surface for token in sentence.tokens]])
    expected, unseen = formula(model, encoding.pooled([at]), senses, pos)
    assert any(unseen)
    assert not all(unseen)
    np.testing.assert_allclose(found, expected, atol=2e-3)


def test_words_beyond_the_longest_sequence_and_without_pieces_have_scores(model, lexicon):
    long = Sentence("s", tuple(Token(word, word, None, at, at + 1) for at, word in enumerate(["river", "bank"] * 400)))
    last = Occurrence(0, 799, 800, "n", lexicon.senses("bank", "n"))
    empty = Sentence("s", (Token("\x07", "x", None, 0, 1),))
    found = sense_scores(model, [long, empty], [last, Occurrence(1, 0, 1, "n", lexicon.senses("bank", "n"))])
    assert all(np.isfinite(scores).all() for scores in found)
    assert found[0].argmax() == 0


@pytest.mark.usefixtures("source")
def test_the_fingerprint_covers_text_options_and_model_but_no_floats(monkeypatch):
    def fingerprint(**given):
        return swarmkit.make_problem("wsd", **{"text": "The bank of the river."} | given).fingerprint

    assert fingerprint() == fingerprint()
    assert len({fingerprint(), fingerprint(text="The bank of a river."), fingerprint(coherence=30)}) == 3
    before = fingerprint()
    monkeypatch.setattr("swarmkit_sense_model.evidence.DECIMALS", 3)
    assert fingerprint() == before


@pytest.mark.usefixtures("source")
def test_a_model_for_another_wordnet_is_refused(model, tmp_path):
    facts = model.facts.model_copy(update={"wordnet": "0" * 64})
    path = tmp_path / "other.safetensors"
    path.write_bytes(save(load_file(BUNDLED), {"facts": facts.model_dump_json()}))
    with pytest.raises(UsageError, match="preset=fast"):
        swarmkit.make_problem("wsd", model=str(path))


@pytest.fixture(scope="module")
def small():
    """The arrays of the bundled model, with four senses in each table."""
    tables = ("context", "example", "gloss", "counts")
    return {name: array[:4] if name.startswith(tables) else array for name, array in load_file(BUNDLED).items()}


def test_a_model_of_few_senses_is_read(model, small, tmp_path):
    (tmp_path / "small.safetensors").write_bytes(save(small, {"facts": model.facts.model_dump_json()}))
    assert open_model(tmp_path / "small.safetensors").facts == model.facts


DAMAGES = ["cut", "text", "no facts", "missing table", "unsorted", "too few vectors", "wide numbers", "a cube", "empty"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_model_is_refused_in_a_sentence(damage, model, small, tmp_path):
    path, arrays = tmp_path / "damaged.safetensors", small
    facts = {"facts": model.facts.model_dump_json()}
    match damage:
        case "cut":
            path.write_bytes(BUNDLED.read_bytes()[:100_000])
        case "text":
            path.write_text("This is no model.")
        case "no facts":
            path.write_bytes(save(arrays, {"facts": json.dumps({"format": 1})}))
        case "missing table":
            path.write_bytes(save({name: v for name, v in arrays.items() if name != "counts"}, facts))
        case "unsorted":
            path.write_bytes(save(arrays | {"context.senses": arrays["context.senses"][::-1].copy()}, facts))
        case "too few vectors":
            path.write_bytes(save(arrays | {"example.vectors": arrays["example.vectors"][:3]}, facts))
        case "wide numbers":
            path.write_bytes(save(arrays | {"example.vectors": arrays["example.vectors"].astype(np.float64)}, facts))
        case "a cube":
            path.write_bytes(save(arrays | {"example.vectors": arrays["example.vectors"][:, :, None]}, facts))
        case "empty":
            path.write_bytes(b"")
    with pytest.raises(UsageError, match="expected one that 'swarmkit wsd train' has written"):
        open_model(path)


def test_a_model_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no such file"):
        open_model(tmp_path / "none.safetensors")


def test_quantised_rows_are_within_half_a_step_of_the_matrix():
    matrix = np.random.default_rng(0).normal(size=(20, 30)).astype(np.float32)
    integers, scale = quantise(matrix)
    assert np.abs(integers * scale[:, None] - matrix).max() <= 0.5001 * scale.max()
