"""The verdict of an accepted solver, as numbers, words, page and JSON; wrong use of the command."""

import json
import re
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from swarmkit.contract.errors import UsageError
from swarmkit.plugins.host import registered
from swarmkit_arena import contest as contests
from swarmkit_arena.arena import enter
from swarmkit_arena.command import show
from swarmkit_arena.contest import Match, draw_instances, rivals_for
from swarmkit_arena.families import FAMILIES
from swarmkit_arena.rules import Reason
from swarmkit_arena.submission import Submission
from swarmkit_arena.verdict import Gate, Verdict, make_page, make_standing
from tests.arena.entries import NONE, source
from tests.conftest import TOO_LONG_ASIDE, wait_for


def match(instance, method, score):
    return Match(
        family=instance.split()[0],
        instance=instance,
        method=method,
        score=score,
        evaluations=10,
        looks=100,
        cpu_seconds=None,
    )


def matches(**methods):
    return [
        match(f"family {i}", name, scores[i])
        for name, scores in methods.items()
        for i in range(len(next(iter(methods.values()))))
    ]


def verdict(**given):
    facts = {"solver": "mine", "source": "mine.py", "sha256": "0" * 64, "accepted": True, "seed": 7}
    rest = {"without_network": True, "version": "1", "seconds": 1.0, "cpu_seconds": 2.0}
    return Verdict(**{**facts, **rest, **given})


def test_a_method_that_wins_everywhere_is_better_than_its_rivals():
    low, high = list(range(10)), [value + 1 for value in range(10)]
    standing = make_standing(matches(mine=high, one=low, two=low), "mine")
    assert standing.rank == 1.0
    assert standing.better == ["one", "two"]
    assert [pair.effect for pair in standing.pairs] == [1.0, 1.0]
    assert all(pair.first == "mine" and pair.adjusted == 2 * pair.p for pair in standing.pairs)
    assert "better than one and two" in standing.words


def test_a_run_without_an_answer_is_worse_than_any_score():
    standing = make_standing(matches(mine=[None] * 8, other=[-1e9] * 8), "mine")
    assert standing.worse == ["other"]
    assert standing.rank == 2.0


def test_equal_scores_are_no_difference():
    standing = make_standing(matches(mine=[1.0] * 8, other=[1.0] * 8), "mine")
    assert standing.better == standing.worse == []
    assert "not shown to differ" in standing.words


def test_instances_are_fresh_for_every_seed_and_the_same_for_one():
    one, same, other = (draw_instances(FAMILIES[:2], seed, 4) for seed in (1, 1, 2))
    assert [len(draw.instances) for draw in one] == [2, 2]
    prints = [[p.fingerprint for draw in draws for p in draw.instances] for draws in (one, same, other)]
    assert prints[0] == prints[1]
    assert not set(prints[0]) & set(prints[2])


def test_rivals_are_the_heuristics_that_can_do_every_instance():
    draws = draw_instances(FAMILIES, 1, len(FAMILIES))
    rivals = rivals_for(draws, Submission(solver="ils"))
    assert {"auto", "random", "dbees", "ga"} <= set(rivals)
    assert "ils" not in rivals
    assert not any(registered("solver")[name].proof_rank is not None for name in rivals)


def test_an_honest_solver_is_accepted_and_compared(tmp_path, monkeypatch):
    monkeypatch.setattr(contests, "CPU_SECONDS", 0.03)
    monkeypatch.setattr(contests, "EVALUATIONS", 100)
    monkeypatch.setattr("swarmkit_arena.arena.INSTANCES", 6)
    monkeypatch.setattr("swarmkit_arena.arena.KIT_EXAMPLES", 1)
    monkeypatch.setattr("swarmkit_arena.arena.rivals_for", lambda draws, submission: ["first", "random"])
    file = tmp_path / "climber.py"
    file.write_text(source(NONE), encoding="utf-8")
    gates, played = [], []
    found = enter(file, seed=3, ready=gates.append, played=played.append)
    assert found.accepted
    assert [gate.name for gate in gates] == ["source", "audits", "conformance kit", "contest"]
    assert len(found.matches) == len(played) == 18
    assert found.standing is not None
    assert found.standing.rank < 2
    assert found.standing.pairs[0].effect == 1.0  # against the first candidates
    tables = {family.name for family in FAMILIES if family.tables}
    for one in found.matches:
        assert (one.cpu_seconds is not None) == (one.family in tables)
        assert one.score is not None
    page = make_page(found)
    assert "accepted" in page
    assert "climber" in page
    assert found.seed == 3
    assert f"--seed {found.seed}" in page


def test_a_page_shows_what_is_said_as_text_and_runs_no_script():
    reason = Reason(rule="file", words="It opens a file: <script>alert(1)</script>.")
    refused = verdict(accepted=False, reasons=[reason], solver="<b>mine</b>")
    page = make_page(refused)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "<b>mine</b>" not in page
    assert re.search(r"default-src &#39;none&#39;; script-src &#39;sha256-", page)


def test_a_verdict_says_what_came_of_it():
    gate = Gate(name="source", passed=False, words="", seconds=0.1)
    refused = verdict(accepted=False, gates=[gate], reasons=[Reason(rule="clock", words="It asks for the time.")])
    assert refused.words == "mine is refused (clock)."
    assert verdict().words == "mine is accepted."


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("missing.py", "no such file"),
        ("no-solver", "no solver named"),
        ("entry", "the file entry.py"),
        ("notes.txt", "expected a Python file"),
        ("folder.py", "is a folder"),
        ("two-words.py", "a name like my_solver.py"),
        ("random.py", "which no module of Python has"),
    ],
)
def test_wrong_entries_are_refused_in_words(entry, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.py").mkdir()
    for name in ("two-words.py", "random.py", "entry.py", "notes.txt"):
        (tmp_path / name).write_text("")
    with pytest.raises(UsageError, match=said):
        enter(entry)


def test_a_choice_among_the_solvers_of_a_file_is_refused_for_an_installed_one():
    with pytest.raises(UsageError, match="leave -a out"):
        enter("icm", solver="other")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def broken(:\n", "not a Python file"),
        ("", "should offer one solver"),
        ("1 / 0\n", "ZeroDivisionError"),
        ("raise SystemExit(3)\n", "SystemExit"),
    ],
)
def test_files_without_a_solver_are_refused_for_that(text, said, tmp_path):
    file = tmp_path / "entry.py"
    file.write_text(text)
    found = enter(file, seed=1)
    assert [reason.rule for reason in found.reasons] == ["loading"]
    assert said in found.reasons[0].words


def test_a_network_that_could_not_be_taken_away_is_mentioned(capsys):
    show(verdict(without_network=False))
    assert "The network was not taken from it" in capsys.readouterr().out
    assert "not taken away" in make_page(verdict(without_network=False))
    show(verdict())
    assert "network" not in capsys.readouterr().out
    refused = verdict(accepted=False, without_network=False)  # it was not even started
    assert "not taken away" not in make_page(refused)


def test_the_command_prints_json_and_ends_with_1_for_a_refused_solver(cli, tmp_path):
    file = tmp_path / "entry.py"
    file.write_text("import socket\n")
    page = tmp_path / "verdict.html"
    said = cli("arena", str(file), "--json", "--seed", "5", "--out", str(page))
    assert said.code == 1
    told = json.loads(said.out)
    assert told["accepted"] is False
    assert told["reasons"] == [{"rule": "network", "words": "It imports socket (line 1)."}]
    assert told["words"] == "entry is refused (network)."
    assert told["seed"] == 5
    assert "Why it is refused" in page.read_text(encoding="utf-8")
    assert cli("arena", str(file), "--out", str(page)).code == 2  # it is there already


def test_ctrl_c_ends_a_visit_in_words_and_leaves_no_process(command, tmp_path):
    (tmp_path / "entry.py").write_text(source(NONE))
    process = command("arena", "entry.py", "--json", cwd=tmp_path)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    wait_for(lambda: children.read_text().split())
    time.sleep(0.5)
    started = children.read_text().split()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert not out
    assert "interrupted; there is no verdict" in err
    wait_for(lambda: not any(Path(f"/proc/{child}").exists() for child in started))


def test_a_page_that_cannot_be_written_does_not_lose_the_verdict(cli, tmp_path):
    (tmp_path / "entry.py").write_text("import socket\n")
    said = cli("arena", "entry.py", "--json", "--out", TOO_LONG_ASIDE)
    assert said.code == 2
    assert json.loads(said.out)["accepted"] is False


def test_the_command_explains_the_rules_that_were_broken(cli, tmp_path):
    file = tmp_path / "entry.py"
    file.write_text("import socket\nimport time\n")
    said = cli("arena", str(file))
    assert said.code == 1
    assert "network: No network is used." in said.out
    assert "failed  source" in said.err


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(registered("solver")))
def test_every_bundled_solver_is_accepted(name, monkeypatch):
    monkeypatch.setattr("swarmkit_arena.arena.INSTANCES", 6)
    found = enter(name, seed=4)
    assert found.accepted, found.reasons


def test_families_score_a_row_the_same_in_every_batch():
    for family in FAMILIES:
        problem = family.draw(np.random.default_rng(3))
        rng = np.random.default_rng(4)
        n, m = len(problem.sizes), int(problem.sizes[0])
        rows = [rng.permutation(m)[:n] if problem.distinct else rng.integers(0, problem.sizes) for _ in range(50)]
        whole = np.asarray(problem.score(np.array(rows)))
        assert whole.tolist() == [float(np.asarray(problem.score(row[None]))[0]) for row in rows]
