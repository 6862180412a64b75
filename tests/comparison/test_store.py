"""The store: experiments, migrations, concurrent writers, kill -9, files that are not stores."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import threading
import time

import pytest

import swarmkit
from swarmkit.comparison import schema
from swarmkit.comparison.schema import APPLICATION_ID, MIGRATIONS
from tests.comparison.test_comparison import experiment, outcomes
from tests.conftest import ROOT

COMPARE = ["compare", "-p", "synthetic", "-P", "n=30", "--algos", "random,greedy", "--store", "runs.db"]


def stored(path):
    with swarmkit.Store(path, create=False) as store:
        return sorted(outcomes(store.records()))


def test_runs_in_the_store_are_not_made_again(tmp_path):
    made = []
    first = swarmkit.compare(experiment(), store=tmp_path / "s.db", ready=made.append)
    again = swarmkit.compare(experiment(runs=3), store=tmp_path / "s.db", ready=made.append)
    assert len(made) == 4 + 2
    assert [o for o in outcomes(again) if o[3] < 2] == outcomes(first)
    assert [r.result.seconds for r in again if r.repetition < 2] == [r.result.seconds for r in first]


OLD = {
    "synthetic": "-P n=8 -P polysemy=3 --algos random,icm --looks 300",
    "flowshop": "-P jobs=6 -P machines=3 --algos random --evaluations 40 --target 100 --patience 5000",
}
"""The comparisons whose runs version 0.2 has written to tests/data/store-0.2.db."""


def test_a_store_of_version_0_2_opens_reports_and_goes_on(cli, tmp_path):
    shutil.copy(ROOT / "tests/data/store-0.2.db", tmp_path / "runs.db")
    before = stored(tmp_path / "runs.db")
    assert len(before) == 6
    assert "icm" in cli("runs", "runs.db").out
    for problem, arguments in OLD.items():
        said = cli("compare", "-p", problem, *arguments.split(), "--runs", "2", "--store", "runs.db")
        assert (said.code, stored(tmp_path / "runs.db") == before) == (0, True)
    assert cli("report", "runs.db", "-o", "report.html", "--markdown", "table.md").code == 0
    assert "icm" in (tmp_path / "table.md").read_text()
    more = cli("compare", "-p", "synthetic", *OLD["synthetic"].split(), "--runs", "3", "--store", "runs.db")
    assert (more.code, len(stored(tmp_path / "runs.db"))) == (0, 8)


def test_what_is_read_is_what_was_made(tmp_path):
    records = swarmkit.compare(experiment(gap=True), store=tmp_path / "s.db")
    with swarmkit.Store(tmp_path / "s.db") as store:
        assert store.records() == records
        assert store.keys() == {record.key for record in records}
        assert store.records(solver="sa", repetition=1) == [records[3]]


def test_methods_of_two_comparisons_in_one_store_have_distinct_labels(tmp_path):
    for population in (8, 20):
        solver = {"name": "ga", "params": {"population": population}}
        swarmkit.compare(experiment(solvers=[solver], runs=1), store=tmp_path / "s.db")
    with swarmkit.Store(tmp_path / "s.db") as store:
        assert [r.method for r in store.records()] == ["ga population=8", "ga population=20"]
        assert [r.result.params["population"] for r in store.records(method="ga population=20")] == [20]


def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path):
    text, other = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("these are not the rows you are looking for" * 100)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE songs (name TEXT)")
    connection.close()
    for path, said in (
        (text, "not a store of swarmkit"),
        (other, "a database, but not a store"),
        (tmp_path, "directory"),
    ):
        before = path.read_bytes() if path.is_file() else b""
        with pytest.raises(swarmkit.UsageError, match=said):
            swarmkit.Store(path)
        assert not path.is_file() or path.read_bytes() == before


def test_a_store_of_a_newer_schema_is_refused_and_left_alone(tmp_path):
    swarmkit.compare(experiment(runs=1), store=tmp_path / "s.db")
    connection = sqlite3.connect(tmp_path / "s.db")
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()
    before = (tmp_path / "s.db").read_bytes()
    with pytest.raises(swarmkit.UsageError, match=f"a newer swarmkit .schema {len(MIGRATIONS) + 1}"):
        swarmkit.compare(experiment(), store=tmp_path / "s.db")
    assert (tmp_path / "s.db").read_bytes() == before


def test_an_older_schema_is_migrated_in_one_transaction(tmp_path, monkeypatch):
    records = swarmkit.compare(experiment(runs=1), store=tmp_path / "s.db")
    monkeypatch.setattr(
        schema, "MIGRATIONS", (*MIGRATIONS, "ALTER TABLE runs ADD COLUMN note TEXT; CREATE TABLE runs (broken)")
    )
    with pytest.raises(swarmkit.UsageError, match="already exists"):
        swarmkit.Store(tmp_path / "s.db")
    monkeypatch.setattr(schema, "MIGRATIONS", (*MIGRATIONS, "ALTER TABLE runs ADD COLUMN note TEXT"))
    with swarmkit.Store(tmp_path / "s.db") as store:
        assert store.records() == records
    connection = sqlite3.connect(tmp_path / "s.db")
    assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS) + 1,)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    connection.close()


def earlier_version(path):
    """Turn a store into one of version 1 of the schema, which had no experiments."""
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE experiments")
        connection.execute("PRAGMA user_version = 1")
    connection.close()


def test_a_store_of_the_first_schema_opens_and_gets_the_experiment_with_the_next_comparison(tmp_path):
    records = swarmkit.compare(experiment(seed=2026), store=tmp_path / "s.db")
    earlier_version(tmp_path / "s.db")
    with swarmkit.Store(tmp_path / "s.db") as store:
        assert store.records() == records
        assert store.experiments() == []
    made = []
    swarmkit.compare(experiment(seed=2026), store=tmp_path / "s.db", ready=made.append)
    assert made == []
    with swarmkit.Store(tmp_path / "s.db") as store:
        assert [one.experiment.seed for one in store.experiments()] == [2026]


def test_the_store_keeps_each_experiment_once_with_its_seed_its_plan_and_its_refusals(tmp_path):
    problem = {"name": "synthetic", "options": {"n": 40}}
    first = experiment(problems=[problem], solvers=["exhaustive", "icm"], seed=2026)
    second = experiment(seed=2**70)
    for made in (first, second, first):
        swarmkit.compare(made, store=tmp_path / "s.db")
    with swarmkit.Store(tmp_path / "s.db") as store:
        kept = store.experiments()
        keys = store.keys()
    assert [one.experiment for one in kept] == [first, second]
    assert kept[0].keys | kept[1].keys == keys
    assert not kept[0].keys & kept[1].keys
    [refused] = kept[0].refused
    assert (refused.method, refused.solver, refused.problem) == ("exhaustive", "exhaustive", "synthetic")
    assert "limit" in refused.reason
    assert kept[1].refused == []


def test_the_plan_of_an_interrupted_comparison_has_the_runs_that_are_missing(tmp_path):
    def stop(record):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        swarmkit.compare(experiment(), store=tmp_path / "s.db", ready=stop)
    with swarmkit.Store(tmp_path / "s.db") as store:
        [one] = store.experiments()
        assert (len(one.keys), len(store.keys())) == (4, 1)


def test_refused_methods_have_labels_that_differ_from_those_of_runs(tmp_path):
    for limit, n in ((7, 8), (10_000_000, 4)):
        problem = {"name": "synthetic", "options": {"n": n}}
        solvers = [{"name": "exhaustive", "params": {"limit": limit}}]
        swarmkit.compare(experiment(problems=[problem], solvers=solvers, runs=1), store=tmp_path / "s.db")
    with swarmkit.Store(tmp_path / "s.db") as store:
        [record] = store.records()
        [refused] = store.experiments()[0].refused
    assert (record.instance, record.method) == ("synthetic n=4", "exhaustive limit=10000000")
    assert (refused.instance, refused.method) == ("synthetic n=8", "exhaustive limit=7")


def test_a_run_that_a_later_version_made_again_replaces_the_earlier_one(tmp_path):
    [record] = swarmkit.compare(experiment(solvers=["icm"], runs=1), store=tmp_path / "s.db")
    with swarmkit.Store(tmp_path / "s.db") as store:
        store.add(swarmkit.Record("again", record.instance, record.method, 0, record.result))
        assert [r.key for r in store.records()] == ["again"]


def test_a_damaged_experiment_is_reported_and_the_runs_can_be_read(tmp_path):
    records = swarmkit.compare(experiment(runs=1, solvers=["icm"]), store=tmp_path / "s.db")
    with sqlite3.connect(tmp_path / "s.db") as connection:
        connection.execute("UPDATE experiments SET experiment = '{}'")
    connection.close()
    with swarmkit.Store(tmp_path / "s.db") as store:
        assert store.records() == records
        with pytest.raises(swarmkit.UsageError, match="an experiment of the store is not of this version"):
            store.experiments()


def test_a_damaged_result_is_reported_with_its_key(tmp_path):
    swarmkit.compare(experiment(runs=1, solvers=["icm"]), store=tmp_path / "s.db")
    with sqlite3.connect(tmp_path / "s.db") as connection:
        connection.execute("UPDATE runs SET result = json_remove(result, '$.looks')")
    connection.close()
    with swarmkit.Store(tmp_path / "s.db") as store, pytest.raises(swarmkit.UsageError, match=r"run \w{12} is not"):
        store.records()


def test_a_killed_comparison_continues_where_it_stopped(tmp_path, command):
    arguments = [*COMPARE, "--runs", "8", "--looks", "5e5", "--jobs", "2"]
    killed = command(*arguments, cwd=tmp_path)
    while not (tmp_path / "runs.db").exists() or _count(tmp_path / "runs.db") < 3:
        assert killed.poll() is None, killed.communicate()
        time.sleep(0.02)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    before = _count(tmp_path / "runs.db")
    killed.communicate(timeout=20)  # its workers hold the pipe too, so they have ended by themselves
    assert before < 16
    made = []
    rest = swarmkit.compare(_same(500_000), store=tmp_path / "runs.db", ready=made.append)
    assert len(made) == 16 - before
    assert outcomes(rest) == outcomes(swarmkit.compare(_same(500_000)))
    assert stored(tmp_path / "runs.db") == sorted(outcomes(rest))


def test_two_writers_at_once_leave_one_whole_store(tmp_path, command):
    arguments = [*COMPARE, "--runs", "20", "--looks", "1e4"]
    writers = [command(*arguments, cwd=tmp_path) for _ in range(2)]
    for writer in writers:
        _, said = writer.communicate(timeout=120)
        assert writer.returncode == 0, said
    connection = sqlite3.connect(tmp_path / "runs.db")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    assert stored(tmp_path / "runs.db") == sorted(outcomes(swarmkit.compare(_same(10_000, runs=20))))


def _same(looks, runs=8):
    problem = {"name": "synthetic", "options": {"n": 30}}
    return experiment(problems=[problem], solvers=["random", "greedy"], runs=runs, budget={"looks": looks})


def _count(path):
    connection = sqlite3.connect(path, timeout=10)
    try:
        return connection.execute("SELECT count(*) FROM runs").fetchone()[0]
    except sqlite3.OperationalError:  # not made yet
        return 0
    finally:
        connection.close()


@pytest.fixture
def read_only(tmp_path):
    """A folder, and a function after which nothing can be written in it, not even by the administrator."""
    folder = tmp_path / "read-only"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "tmpfs", str(folder)]
    if os.getuid():
        yield folder, lambda: folder.chmod(0o555)
        folder.chmod(0o755)
    elif subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("needs the right to mount, or a user who is not the administrator")
    else:
        yield folder, lambda: subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        subprocess.run(["umount", str(folder)], check=True)


def test_runs_and_report_work_where_nothing_can_be_written(cli, read_only):
    folder, close = read_only
    records = swarmkit.compare(experiment(), store=folder / "s.db")
    close()
    listed = cli("runs", str(folder / "s.db"), "--json")
    assert listed.code == 0, listed.err
    assert [run["key"] for run in json.loads(listed.out)] == [record.key for record in records]
    reported = cli("report", str(folder / "s.db"), "--json")
    assert reported.code == 0, reported.err
    assert [path.name for path in folder.iterdir()] == ["s.db"]
    with pytest.raises(swarmkit.UsageError, match="cannot be opened or written"):
        swarmkit.compare(experiment(runs=3), store=folder / "s.db")


def test_runs_that_are_only_in_the_log_of_a_killed_writer_are_read_there_too(cli, read_only, tmp_path):
    folder, close = read_only
    swarmkit.compare(experiment(), store=tmp_path / "s.db")
    writer = sqlite3.connect(tmp_path / "s.db")
    writer.execute("UPDATE runs SET repetition = repetition + 7")
    writer.commit()
    for name in ("s.db", "s.db-wal"):
        shutil.copyfile(tmp_path / name, folder / name)
    writer.close()
    close()
    listed = cli("runs", str(folder / "s.db"), "--json")
    assert {run["repetition"] for run in json.loads(listed.out)} == {7, 8}, listed.err


def test_reading_leaves_a_store_as_it_is(tmp_path):
    records = swarmkit.compare(experiment(), store=tmp_path / "s.db")
    earlier_version(tmp_path / "s.db")
    before = (tmp_path / "s.db").read_bytes()
    with swarmkit.Store(tmp_path / "s.db", read_only=True) as store:
        assert store.records() == records
        assert store.experiments() == []
        with pytest.raises(swarmkit.UsageError):
            swarmkit.Store(tmp_path / "none.db", read_only=True)
    assert [path.name for path in tmp_path.iterdir()] == ["s.db"]
    assert (tmp_path / "s.db").read_bytes() == before


def test_a_store_that_is_only_read_takes_no_runs(tmp_path):
    [record] = swarmkit.compare(experiment(runs=1, solvers=["random"]), store=tmp_path / "s.db")
    with swarmkit.Store(tmp_path / "s.db", read_only=True) as store, pytest.raises(swarmkit.UsageError):
        store.add(record)


def change(path, *statements):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = DELETE")
    for statement in statements:
        connection.execute(statement)
    connection.close()


ENDLESS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n AS problem, n AS bound FROM c"
CHANGES = {
    "newer": (["PRAGMA user_version = 9"], "a newer swarmkit"),
    "not ours": (["PRAGMA application_id = 7"], "not a store of swarmkit"),
    "a negative version": (["PRAGMA user_version = -1"], "damaged (the version of its schema is -1)"),
    "a missing table": (["DROP TABLE bounds"], "damaged"),
    "a missing column": (["ALTER TABLE runs RENAME COLUMN result TO other"], "damaged"),
    "an endless view": (["DROP TABLE bounds", f"CREATE VIEW bounds AS {ENDLESS}"], "not a store"),
    "a trigger": (["CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END"], "not a store"),
    "a bound of words": (["INSERT INTO bounds VALUES ('a', 'b', '[\"x\", 1, 2, 3]')"], "a bound"),
    "a bound that is no JSON": (["INSERT INTO bounds VALUES ('a', 'b', '[')"], "a bound"),
    "nested settings": (["UPDATE runs SET problem_settings = replace(hex(zeroblob(9000)), '0', '[')"], "damaged"),
    "settings that are a number": (["UPDATE runs SET method_settings = '3'"], "damaged"),
    "bytes as a label": (["UPDATE runs SET instance = x'ff00'"], "damaged"),
    "a repetition in words": (["UPDATE runs SET repetition = 'first'"], "damaged"),
    "a result of bytes": (["UPDATE runs SET result = x'7b7d'"], "damaged"),
    "a nested result": (["UPDATE runs SET result = replace(hex(zeroblob(9000)), '0', '[')"], "is not a result"),
    "looks of 200 digits": (
        ["UPDATE runs SET result = replace(result, '\"looks\":', '\"looks\":1' || hex(zeroblob(100)))"],
        "is not a result",
    ),
    "a score that is no number": (["UPDATE runs SET result = json_set(result, '$.score', '1e999')"], "is not a result"),
    "refusals that are a number": (["UPDATE experiments SET refusals = '7'"], "experiment"),
    "refusals of numbers": (["UPDATE experiments SET refusals = '[7]'"], "experiment"),
    "refusals without a reason": (["UPDATE experiments SET refusals = '[{}]'"], "experiment"),
    "a plan that is a number": (["UPDATE experiments SET plan = '7'"], "experiment"),
    "a plan of lists": (["UPDATE experiments SET plan = '[[]]'"], "experiment"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_store_from_elsewhere_is_refused_in_a_sentence(cli, tmp_path, what):
    swarmkit.compare(experiment(runs=1, solvers=["random"]), store=tmp_path / "s.db")
    statements, said = CHANGES[what]
    change(tmp_path / "s.db", *statements)
    answer = cli("report", "s.db", "--json")
    assert (answer.code, answer.err.count("\n")) == (2, 1), answer.err
    assert said in answer.err
    assert "internal" not in answer.err


def test_what_cannot_be_opened_is_told_apart_from_what_is_damaged(cli, tmp_path):
    swarmkit.compare(experiment(runs=1, solvers=["random"]), store=tmp_path / "s.db")
    whole = (tmp_path / "s.db").read_bytes()
    (tmp_path / "text.db").write_text("not a database at all, but long enough to be one" * 9)
    (tmp_path / "empty.db").write_bytes(b"")
    (tmp_path / "damaged.db").write_bytes(whole[:4000] + b"\x55" * (len(whole) - 4000))
    os.mkfifo(tmp_path / "pipe.db")
    for name, said in {
        "text.db": "not a store of swarmkit",
        "empty.db": "not a store of swarmkit",
        "damaged.db": "damaged",
        "pipe.db": "cannot be opened",
        ".": "a directory",
        "none.db": "no such file",
    }.items():
        answer = cli("runs", name)
        assert (answer.code, said in answer.err) == (2, True), answer.err


def change_schema(column, new):
    """SQL that replaces a part of the text of the table of runs."""
    return f"UPDATE sqlite_master SET sql = replace(sql, '{column}', '{new}') WHERE name = 'runs'"  # noqa: S608  (texts of this file)


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE bounds",
        "ALTER TABLE bounds RENAME TO limits",
        "CREATE UNIQUE INDEX one_method ON runs (key, method)",
        "CREATE TRIGGER loses BEFORE INSERT ON runs BEGIN SELECT RAISE(IGNORE); END",
        change_schema("seed INTEGER NOT NULL", "seed INTEGER NOT NULL CHECK (seed > 99)"),
        change_schema("seed INTEGER NOT NULL", "seed INTEGER GENERATED ALWAYS AS (1) STORED"),
        change_schema("created TEXT NOT NULL", "created TEXT NOT NULL, note TEXT NOT NULL"),
        change_schema("instance TEXT NOT NULL", "instance TEXT NOT NULL COLLATE nowhere"),
        change_schema("CREATE TABLE", "CREATE TABLE ("),
        "UPDATE sqlite_master SET sql = NULL WHERE name = 'runs'",
        "UPDATE sqlite_master SET name = x'ff00' WHERE name = 'bounds'",
        "UPDATE sqlite_master SET type = 'index' WHERE name = 'bounds'",
        "UPDATE sqlite_master SET rootpage = 9999 WHERE name = 'runs'",
    ],
)
def test_a_store_whose_schema_is_damaged_is_refused_in_a_sentence_and_left_alone(cli, tmp_path, statement):
    swarmkit.compare(experiment(runs=1), store=tmp_path / "runs.db")
    connection = sqlite3.connect(tmp_path / "runs.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute(statement)
    connection.close()
    before = (tmp_path / "runs.db").read_bytes()
    for command in (["runs", "runs.db"], ["report", "runs.db", "--json"], COMPARE):
        said = cli(*command)
        assert (said.code, said.err.count("\n")) == (2, 1), said.err
        assert "runs.db: damaged" in said.err or "not a store of swarmkit" in said.err
    assert (tmp_path / "runs.db").read_bytes() == before


def test_a_store_may_have_tables_of_somebody_else(tmp_path):
    records = swarmkit.compare(experiment(runs=1), store=tmp_path / "s.db")
    with sqlite3.connect(tmp_path / "s.db") as connection:
        connection.execute("CREATE TABLE notes (text)")
        connection.execute("CREATE INDEX by_solver ON runs (solver)")
    connection.close()
    with swarmkit.Store(tmp_path / "s.db") as store:
        assert store.records() == records


def test_opening_a_store_waits_for_another_writer(tmp_path):
    path = tmp_path / "s.db"
    writer = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    writer.execute("BEGIN EXCLUSIVE")
    release = threading.Timer(0.5, writer.execute, ["COMMIT"])
    release.start()
    with swarmkit.Store(path) as store:
        assert release.finished.is_set()
        assert store.keys() == set()
    writer.close()
