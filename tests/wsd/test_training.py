"""Parts of the training, which needs torch (extra `train`): run with --long where it is installed."""

import numpy as np
import pytest

pytestmark = pytest.mark.long
torch = pytest.importorskip("torch", reason="needs the extra 'train'")


def test_the_learning_rate_rises_and_falls_linearly():
    from swarmkit_wsd.training.finetuning import rate

    assert [rate(done) for done in (0.0, 0.05, 0.1, 1.0)] == [0.0, 0.5, 1.0, 0.0]


def test_batches_have_every_sequence_once_and_are_small_enough():
    from swarmkit_wsd.training.network import batches

    lengths = np.random.default_rng(0).integers(3, 60, size=200)
    made = batches(lengths, 120, np.random.default_rng(1))
    assert sorted(np.concatenate(made).tolist()) == list(range(200))
    assert all(len(batch) == 1 or len(batch) * lengths[batch].max() <= 120 for batch in made)


def test_counts_leave_out_the_document_of_an_instance():
    from swarmkit_wsd.training.dataset import Dataset
    from swarmkit_wsd.training.scoring import Counts

    senses, right = np.array([4, 5, 4, 5], np.int32), np.array([True, False, False, True])
    empty = np.zeros(2, np.int32)
    data = Dataset([], empty, empty, empty, np.array([0, 1], np.int32), empty, np.array([0, 2, 4]), senses, right)
    counts = Counts(np.array([0, 0, 0, 0, 3, 1]), data)
    assert counts.without(np.array([0, 1, 0, 1]), np.array([4, 4, 5, 5])).tolist() == [2, 3, 1, 0]
