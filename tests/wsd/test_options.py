"""Presets: where the defaults of the other options come from."""

import pytest

import swarmkit
from swarmkit import UsageError, make_settings
from swarmkit_wsd import options
from swarmkit_wsd.options import PRESETS, WsdOptions, best_preset


def settings(**given):
    return make_settings(WsdOptions, given, "wsd")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_sets_the_defaults_of_the_other_options(preset):
    made = settings(preset=preset)
    assert {name: getattr(made, name) for name in PRESETS[preset]} == dict(PRESETS[preset])


def test_an_option_that_is_given_counts_over_the_preset():
    made = settings(preset="fast", window=7, measure="lesk")
    assert (made.window, made.measure, made.prior) == (7, "lesk", "counts")


def test_the_default_is_the_best_preset_and_the_settings_say_so():
    assert settings().preset == best_preset() == "best"
    assert settings() == settings(preset="best")


def test_the_field_s_own_defaults_are_those_of_the_best_preset():
    assert {name: WsdOptions.model_fields[name].default for name in PRESETS["best"]} == dict(PRESETS["best"])


def test_without_the_model_s_packages_the_default_is_fast(monkeypatch):
    monkeypatch.setattr(options.importlib.util, "find_spec", lambda name: None)
    assert settings().preset == "fast"


def test_a_chain_has_no_window_whatever_the_preset():
    assert settings(shape="chain").window is None
    with pytest.raises(UsageError, match="window"):
        settings(shape="chain", window=3)


def test_an_unknown_preset_is_refused_with_the_known_ones():
    with pytest.raises(UsageError, match="'paper', 'fast' or 'best'"):
        settings(preset="quick")


def test_a_model_without_its_evidence_is_refused():
    with pytest.raises(UsageError, match="evidence=model"):
        settings(preset="fast", model="x.safetensors")


@pytest.mark.usefixtures("source")
def test_viterbi_on_the_default_is_refused_with_the_way_out(cli):
    said = cli("solve", "-p", "wsd", "-a", "viterbi")
    assert said.code == 2
    assert "preset=paper" in said.err


@pytest.mark.usefixtures("source")
def test_the_setting_of_the_paper_is_a_chain_without_sense_order_in_the_score():
    problem = swarmkit.make_problem("wsd", preset="paper", text="The bank of the river.")
    assert problem.structure.chain is not None
