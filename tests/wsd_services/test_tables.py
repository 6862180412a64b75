"""Tables of texts, CSV and TSV: a row for each word, or for each text."""

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarmkit_wsd import disambiguate
from swarmkit_wsd_services.csv_tables import TableReader, wrong_row

pytestmark = pytest.mark.usefixtures("source")

TEXTS = ["They sat on the bank, by the river.", "The bank\nlent money.", "", "The mouse is wireless."]
TAG = ["wsd", "tag", "--preset", "fast"]


def write(path, rows, delimiter=",", encoding="utf-8"):
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)


def read(text, delimiter=","):
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


@pytest.fixture
def table(tmp_path):
    write(tmp_path / "t.csv", [["id", "text", "pos"], *([f"n{at}", text, "x"] for at, text in enumerate(TEXTS))])
    return "t.csv"


def test_a_table_gets_a_row_for_each_word(cli, table):
    rows = read(cli(*TAG, table).out)
    expected = [(at, sense) for at, text in enumerate(TEXTS) for sense in disambiguate(text, preset="fast")]
    assert len(rows) == len(expected) > 6
    for row, (at, sense) in zip(rows, expected, strict=True):
        assert (row["row"], row["id"], row["text_pos"]) == (str(at + 1), f"n{at}", "x")
        assert TEXTS[at][int(row["start"]) : int(row["end"])] == row["word"] == sense.word
        names = ("lemma", "pos", "key", "synset", "gloss", "offset", "lexname", "ili", "confidence")
        assert [row[name] for name in names] == [str(getattr(sense, name)) for name in names]


def test_a_table_gets_a_column_of_senses(cli, table, tmp_path):
    assert cli(*TAG, table, "--rows", "texts", "--out", "o.csv").code == 0
    rows = read((tmp_path / "o.csv").read_text())
    assert [(row["id"], row["text"], row["pos"]) for row in rows] == [(f"n{i}", t, "x") for i, t in enumerate(TEXTS)]
    keys = [[(one["start"], one["key"]) for one in json.loads(row["senses"])] for row in rows]
    assert keys == [[(sense.start, sense.key) for sense in disambiguate(text, preset="fast")] for text in TEXTS]


def test_answers_are_the_same_for_any_number_of_processes(cli, tmp_path):
    write(tmp_path / "many.csv", [["text"], *([text] for text in TEXTS * 40)])
    assert cli(*TAG, "many.csv", "--out", "one.csv").code == 0
    assert cli(*TAG, "many.csv", "--out", "two.csv", "--jobs", "2").code == 0
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


def test_tabs_another_column_and_another_encoding(cli, tmp_path):
    write(tmp_path / "t.tsv", [["Satz", "n"], ["Zoë saw a river.", "1"]], "\t", "latin-1")
    answer = cli(*TAG, "t.tsv", "--column", "Satz", "--encoding", "latin-1")
    assert [(row["n"], row["word"]) for row in read(answer.out, "\t")] == [("1", "saw"), ("1", "river")]
    refused = cli(*TAG, "t.tsv", "--column", "Satz")
    assert refused.code == 2
    assert "--encoding" in refused.err


def test_rows_that_do_not_fit_the_header_are_named_and_the_others_answered(cli, tmp_path):
    (tmp_path / "t.csv").write_text('id,text\n1,"A\nriver."\nriver\n3,A river.,x\n\n4,A bank.\n')
    answer = cli(*TAG, "t.csv")
    assert answer.code == 1
    assert [(row["row"], row["word"]) for row in read(answer.out)] == [("1", "river"), ("4", "bank")]
    assert "2 of 4 rows could not be answered: t.csv:4: 1 cells; expected 2, as the header has" in answer.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["t.csv", "--column", "txt"], "t.csv: no column named 'txt'. Did you mean 'text'?"),
        (["t.csv", "--rows", "word"], "no kind of rows named 'word'. Did you mean 'words'?"),
        (["t.csv", "--out", "o.csv", "--resume"], "--resume goes with JSON Lines"),
        (["t.csv", "t.csv"], "each table gets one of its own: --out FOLDER/"),
        (["t.csv", "--alternatives", "2"], "tables have one sense for each word"),
        (["empty.csv"], "no column named 'text'"),
    ],
)
def test_what_a_table_cannot_have_is_refused(cli, table, tmp_path, arguments, said):
    (tmp_path / "empty.csv").write_text("")
    answer = cli(*TAG, *arguments)
    assert answer.code == 2
    assert said in answer.err


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)


@settings(deadline=None)
@given(st.lists(st.lists(CELLS, min_size=3, max_size=3).filter(any), max_size=6), st.sampled_from(["csv", "tsv"]))
def test_any_cells_are_read_as_they_were_written(cells, form):
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter="," if form == "csv" else "\t")
    writer.writerows([["a", "text", "b"], *cells])
    reader = TableReader(io.BytesIO(out.getvalue().encode()), "t", form, "utf-8-sig")
    table = reader.table(None, "words")
    rows = list(reader.rows())
    assert [row.cells for row in rows] == cells
    assert [row.number for row in rows] == list(range(1, len(cells) + 1))
    assert all(wrong_row(table, row) is None for row in rows)
