import numpy as np
import pytest
from pydantic import ValidationError

import swarmkit
from swarmkit import UsageError
from swarmkit_wsd.measures import GlossCosine, Lesk, Lin, WeightedMean


def block(lexicon, synsets, measure):
    return measure.prepare(lexicon, synsets).block(synsets, synsets)


def test_the_mean_is_weighted_and_identity_is_1(lexicon, synsets):
    mean = block(lexicon, synsets, WeightedMean(weights={"lesk": 3.0, "lin": 1.0}))
    expected = (3 * block(lexicon, synsets, Lesk()) + block(lexicon, synsets, Lin())) / 4
    np.testing.assert_allclose(mean, expected, atol=1e-15)


def test_one_measure_alone_is_itself_and_weight_0_is_none(lexicon, synsets):
    alone = block(lexicon, synsets, WeightedMean(weights={"gloss-cosine": 7.0, "lesk": 0.0}))
    np.testing.assert_array_equal(alone, block(lexicon, synsets, GlossCosine()))


def test_each_measure_has_its_own_parameters(lexicon, synsets):
    params = {"lesk": {"normalise": "jaccard"}}
    mean = block(lexicon, synsets, WeightedMean(weights={"lesk": 1.0}, params=params))
    np.testing.assert_array_equal(mean, block(lexicon, synsets, Lesk(normalise="jaccard")))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"weights": {}}, "at least one measure with a weight above 0"),
        ({"weights": {"lesk": 0.0}}, "at least one measure with a weight above 0"),
        ({"weights": {"lesk": -1.0}}, "greater than or equal to 0"),
        ({"weights": {"lesk": 1.0}, "params": {"lin": {}}}, "parameters of 'lin', which has no weight"),
    ],
)
def test_weights_that_give_no_mean_are_refused(wrong, said):
    with pytest.raises(ValidationError, match=said):
        WeightedMean(**wrong)


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"weights": {"gloss-cosin": 1}}, "no measure named 'gloss-cosin'. Did you mean 'gloss-cosine'"),
        ({"weights": {"lesk": 1}, "params": {"lesk": {"x": 1}}}, "measure 'lesk': no setting named 'x'"),
    ],
)
def test_unknown_measures_and_parameters_are_refused_by_name(source, params, said):
    with pytest.raises(UsageError, match=said):
        swarmkit.make_problem("wsd", preset="paper", measure="weighted-mean", measure_params=params)


def test_a_problem_takes_a_mean_as_its_measure(source):
    options = {"preset": "fast", "text": "The fisherman sat on the bank of the river."}
    mean, lesk, lin = (
        swarmkit.make_problem("wsd", **options, **measure)
        for measure in (
            {"measure": "weighted-mean", "measure_params": {"weights": {"lesk": 1, "lin": 1}}},
            {"measure": "lesk"},
            {"measure": "lin"},
        )
    )
    np.testing.assert_allclose(mean.form.flat, (lesk.form.flat + lin.form.flat) / 2)
