"""The senses of a text and why they were chosen, as the studio shows them."""

from __future__ import annotations

from typing import Any

from swarmkit import UsageError

MOST_CANDIDATES = 6
"""Senses that are listed for each word."""


def annotate(text: str) -> dict[str, Any]:
    """Senses of the words of an English text, and why."""
    from swarmkit import make_settings
    from swarmkit_lexicon.lexicon import open_lexicon
    from swarmkit_text.language import is_english
    from swarmkit_wsd.answers import Answers, Sense
    from swarmkit_wsd.disambiguation import Chunk, each_chunk
    from swarmkit_wsd.explanation import SenseWeight, weigh
    from swarmkit_wsd.options import WsdOptions

    def word(sense: Sense, values: list[SenseWeight]) -> dict[str, Any]:
        shares = {sense.synset: sense.confidence} | {other.synset: other.confidence for other in sense.alternatives}
        return {
            "start": sense.start,
            "end": sense.end,
            "label": sense.synset,
            "gloss": sense.gloss,
            "confidence": sense.confidence,
            "candidates": [
                {
                    "label": value.synset,
                    "gloss": value.gloss,
                    "share": shares.get(value.synset),
                    "chosen": value.chosen,
                    "because": [
                        f"alone {value.prior:.3g}",
                        *(f"{p.word} ({p.synset}) +{p.value:.3g}" for p in value.pulls),
                    ],
                }
                for value in values[:MOST_CANDIDATES]
            ],
        }

    def words(chunk: Chunk) -> list[dict[str, Any]]:
        problem, x = chunk.problem, chunk.problem.default_solution()
        senses = chunk.senses(Answers(alternatives=MOST_CANDIDATES))
        stages = problem.answered(x, chunk.answer_range)
        return [word(sense, weigh(problem, x, stage, count=3)) for sense, stage in zip(senses, stages, strict=True)]

    # The most accurate preset that there is: the page has no options.
    settings = make_settings(WsdOptions, {}, "wsd")
    lexicon = open_lexicon(settings.wordnet)
    chunks = list(each_chunk(text, lexicon, settings))
    senses = [sense for chunk in chunks for sense in words(chunk)]
    if not senses:
        raise UsageError("no word of the text is in WordNet; expected English text")
    unknown = dict.fromkeys(name for chunk in chunks for name in chunk.unknown)
    notes = [f"preset {settings.preset}"]
    if is_english(text.split()) is False:
        notes.append("the text does not look like English, the only language whose words are looked up")
    if unknown:
        notes.append(f"not in WordNet: {', '.join(unknown)}")
    return {
        "words": senses,
        "notes": notes,
        "watch": {"problem": "wsd", "options": {"text": text}, "solver": "dbees"},
    }


annotate.examples = (  # type: ignore[attr-defined]  # what a function may have
    "I bought a new wireless mouse for my Apple Mac laptop.",
    "They sat on the bank of the river and watched the current.",
    "The bank raised its interest rates to cool the economy.",
)
