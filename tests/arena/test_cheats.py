"""Every planted cheat is refused for a rule that it breaks; the honest solver around them is accepted."""

import pytest

from swarmkit_arena import RULES, enter
from tests.arena.cheats import CHEATS, SLOW
from tests.arena.entries import NONE, source

CASES = [pytest.param(cheat, id=cheat.name, marks=[pytest.mark.long] if cheat.name in SLOW else []) for cheat in CHEATS]


def written(cheat, folder):
    library = folder / "library"
    library.mkdir()
    (library / "answers_of_last_year.py").write_text("ANSWERS = {}\n")
    file = folder / "entry.py"
    file.write_text(source(cheat).replace("FOLDER", repr(str(library))), encoding="utf-8")
    return file


@pytest.mark.parametrize("cheat", CASES)
def test_a_planted_cheat_is_refused_for_a_rule_that_it_breaks(cheat, tmp_path, monkeypatch):
    monkeypatch.setattr("swarmkit_arena.arena.contest", lambda *_: pytest.fail("it has passed all gates"))
    verdict = enter(written(cheat, tmp_path), seed=1)
    assert not verdict.accepted
    assert {reason.rule for reason in verdict.reasons} & set(cheat.rules.split()), verdict.reasons
    assert all(reason.words and reason.rule in RULES for reason in verdict.reasons)
    assert verdict.standing is None
    assert not verdict.gates[-1].passed


def test_there_are_thirty_cheats_in_the_short_suite_and_some_for_every_rule():
    short = [cheat for cheat in CHEATS if cheat.name not in SLOW]
    assert len(short) >= 30
    assert len({cheat.name for cheat in CHEATS}) == len(CHEATS)
    assert set(SLOW) <= {cheat.name for cheat in CHEATS}
    broken = {rule for cheat in CHEATS for rule in cheat.rules.split()}
    assert broken == set(RULES)


def test_what_is_around_the_cheats_passes_all_audits(tmp_path):
    from numpy.random import default_rng

    from swarmkit_arena.audits import Audits
    from swarmkit_arena.families import FAMILIES
    from swarmkit_arena.submission import Submission

    audits = Audits(Submission(file=str(written(NONE, tmp_path))), default_rng(2))
    assert audits.run() == []
    assert len(audits.families) == len(FAMILIES)
    assert audits.refusals == {}
