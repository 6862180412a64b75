"""The encoder in numpy: equal to the original library, and the same bits whatever is encoded beside a sentence."""

import json
import math
import os
import subprocess
import sys

import numpy as np
import pytest

from swarmkit_sense_model.sense_model import open_model
from swarmkit_sense_model.transformer import gelu
from tests.wsd.at_hand import OWN

REFERENCE = json.loads((OWN / "encoder_reference.json").read_text())
"""Vectors of three sentences by BertModel of the library transformers 4.57.6, with the bundled weights: pieces, the
first 16 dimensions of their mean and of the last vector, and the norms of all vectors."""

ENCODE = """
import numpy as np, sys
from swarmkit_sense_model.sense_model import open_model
model = open_model()
pieces = [part.ids for parts in model.pieces.split([["the", "bank", "of", "the", "river"]] * 3) for part in parts]
sys.stdout.buffer.write(b"".join(one.tobytes() for one in model.encoder.encode(pieces)))
"""


@pytest.fixture(scope="module")
def model():
    return open_model()


@pytest.mark.parametrize("one", REFERENCE, ids=lambda one: " ".join(one["words"]))
def test_vectors_are_those_of_the_original_library(one, model):
    ((pieces,),) = model.pieces.split([one["words"]])
    assert pieces.ids.tolist() == one["ids"]
    (vectors,) = model.encoder.encode([pieces.ids])
    assert np.allclose(vectors.mean(0)[:16], one["mean"], atol=1e-4)
    assert np.allclose(vectors[-1][:16], one["last"], atol=1e-4)
    assert np.allclose(np.linalg.norm(vectors, axis=1), one["norms"], atol=1e-3)


def test_a_sentence_has_the_same_bits_alone_and_among_others(model):
    sentences = [[word] * size for word, size in (("bank", 3), ("river", 140), ("plant", 1), ("star", 40))]
    pieces = [part.ids for parts in model.pieces.split(sentences) for part in parts]
    together = model.encoder.encode(pieces)
    for ids, vectors in zip(pieces, together, strict=True):
        assert np.array_equal(model.encoder.encode([ids])[0], vectors)


def test_vectors_do_not_depend_on_the_number_of_threads():
    found = {
        subprocess.run(
            [sys.executable, "-c", ENCODE],
            env=os.environ | {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
            capture_output=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(found) == 1


@pytest.mark.usefixtures("source")
def test_no_torch_is_imported_where_senses_are_found():
    code = (
        "import sys; from swarmkit_wsd import disambiguate; disambiguate('The bank.'); sys.exit('torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_gelu_is_x_times_the_normal_distribution_function():
    x = np.linspace(-6, 6, 1001, dtype=np.float32)
    exact = np.array([value * 0.5 * (1 + math.erf(value / math.sqrt(2))) for value in x.tolist()])
    assert np.allclose(gelu(x[None].copy())[0], exact, atol=1e-6)


@pytest.mark.long
def test_torch_gives_the_same_vectors(model):
    torch = pytest.importorskip("torch")
    from swarmkit_sense_model.training.network import Encoder, pad

    encoder = Encoder(model.encoder_weights()).eval()
    ((pieces,),) = model.pieces.split([REFERENCE[0]["words"]])
    with torch.inference_mode():
        assert np.allclose(encoder(pad([pieces]))[0].numpy(), model.encoder.encode([pieces.ids])[0], atol=1e-4)
