"""The words that `benchmarks/names.py` counts. They were written before anything was renamed, and stay as they are."""

from __future__ import annotations

PRONOUNS_TEXT = """
    all another any anyone anything both each either everyone everything few he her hers him his it its many me mine
    more most much neither nobody none nothing one ones other others our ours own same she somebody someone something
    some such that their theirs them these they this those us we what which who whom whose you your yours
    """
PRONOUNS = frozenset(PRONOUNS_TEXT.split())
"""Pronouns, and words that stand in place of a noun."""

IRREGULAR_PARTICIPLES_TEXT = """
    asked begun bent born borne bred broken brought built burnt caught chosen dealt done drawn driven
    dug eaten fallen fed felt fled flown forgotten found frozen given gone got grown heard held hidden kept known laid
    led lent lost made meant met paid proven ridden risen said seen sent shaken shown shot sold sought spent spoken
    spun stolen stood struck stuck sung sunk swept sworn swum taken taught thought thrown told torn understood woken won
    worn wound woven written
    """
IRREGULAR_PARTICIPLES = frozenset(IRREGULAR_PARTICIPLES_TEXT.split())
"""Past participles that do not end in -ed."""

TERMS_TEXT = """
    accepted allowed based bed bleed breed closed compressed constrained cached deed deprecated directed done embed
    enabled exceed expected expired failed feed fixed finished hundred indeed infrared installed interrupted masked
    need nested normalized normalised ordered packed paired passed pinned proceed quoted ranked red related required
    seed shared shed signed skipped smoothed sorted speed squared started stopped succeed supported tagged tokenized
    tokenised trained trusted unmasked unordered unsigned unsorted untagged unvisited used visited weed weighted
    """
TERMS = frozenset(TERMS_TEXT.split())
"""Words in -ed that are no participles, and participles that are terms of art or the usual name of a flag."""
