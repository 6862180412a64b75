import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit_lexicon import arrays


@given(st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"])), unique=True), st.text())
def test_a_table_finds_its_strings_and_no_other(given_strings, other):
    table = arrays.table_in(arrays.table_arrays("t", given_strings), "t")
    assert [table.find(string) for string in given_strings] == list(range(len(given_strings)))
    assert [table[index] for index in range(len(table))] == given_strings
    assert (table.find(other) >= 0) == (other in given_strings)


@given(st.lists(st.lists(st.integers(0, 9)), min_size=1), st.data())
def test_gathering_rows_is_taking_them_one_by_one(rows, data):
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1)))
    flat = np.array([item for row in rows for item in row], np.int64)
    items, owners = arrays.gather(arrays.starts_of(map(len, rows)), np.array(chosen, np.int64))
    assert flat[items].tolist() == [item for row in chosen for item in rows[row]]
    assert owners.tolist() == [index for index, row in enumerate(chosen) for _ in rows[row]]


def test_arrays_come_back_as_they_were_saved(tmp_path):
    saved = {"a": np.arange(5, dtype=np.int32), "b": np.eye(3), "none": np.empty((0, 2), np.uint8)}
    arrays.save(tmp_path / "file", saved, {"made": "here"})
    loaded, facts = arrays.load(tmp_path / "file")
    assert facts == {"made": "here"}
    for name, array in saved.items():
        np.testing.assert_array_equal(loaded[name], array)
        assert loaded[name].dtype == array.dtype


@pytest.mark.parametrize("kept", [0, 10, 40, 200, -1])
def test_a_file_that_was_cut_short_is_noticed(tmp_path, kept):
    arrays.save(tmp_path / "file", {"a": np.arange(500)}, {})
    (tmp_path / "file").write_bytes((tmp_path / "file").read_bytes()[:kept])
    with pytest.raises((arrays.BrokenFileError, ValueError)):
        arrays.load(tmp_path / "file")


def test_a_foreign_file_is_noticed(tmp_path):
    (tmp_path / "file").write_bytes(b"something else entirely, and long enough to hold a header of ours" * 9)
    with pytest.raises(arrays.BrokenFileError):
        arrays.load(tmp_path / "file")
