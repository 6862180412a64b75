"""Whether a text is English, by its frequent words."""

import re

import pytest

from swarmkit_text.language import ENOUGH, is_english


@pytest.mark.parametrize(
    "text",
    [
        "Die Bank am Ufer des Flusses war steil und grau.",
        "Le chat est sur la table.",
        "El banco está cerca del río.",
        "La banca è vicino al fiume.",
        "De bank staat aan de oever van de rivier.",
        "O banco fica na margem do rio.",
        "Han satt på banken och fiskade.",
    ],
)
def test_a_single_sentence_of_another_language_is_told(text):
    assert is_english(re.findall(r"\w+", text)) is False


@pytest.mark.parametrize(
    "text",
    [
        "The bell rang.",
        "Vincent van Gogh and Ludwig van Beethoven died poor.",
        "Charles de Gaulle visited Rio de Janeiro.",
        "Stocks fall sharply",
    ],
)
def test_short_english_sentences_with_foreign_names_are_not_warned_of(text):
    assert is_english(text.split()) is None


def test_no_gloss_or_example_of_wordnet_is_taken_for_another_language(lexicon):
    for synset in range(0, len(lexicon.synset_pos), 7):
        for text in (lexicon.definition(synset), *lexicon.examples(synset)):
            words = re.findall(r"[\w']+", text)
            assert len(words) >= ENOUGH or is_english(words) is None, text


def test_the_command_warns_of_a_single_german_sentence(cli, lexicon):
    foreign = cli("wsd", "tag", "Die Bank am Ufer des Flusses war steil und grau.", "--preset", "fast")
    assert "does not look like English" in foreign.err
    assert "does not look like English" not in cli("wsd", "tag", "The bell rang.", "--preset", "fast").err
