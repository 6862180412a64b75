"""Files that people hand in: whatever is in them, they are read or refused in a sentence with the line."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from tests.test_flowshop import FILE
from tests.test_qap import SOUND
from tests.test_tsp import FULL, SQUARE

FILES = {
    "points of TSPLIB": ("tsp", "a.tsp", SQUARE),
    "a table of TSPLIB": ("tsp", "a.tsp", FULL),
    "a table of points": ("tsp", "a.csv", "name,x,y\na,1,2\nb,3,4\n"),
    "a file of QAPLIB": ("qap", "a.dat", SOUND),
    "a file of Taillard's": ("flowshop", "a.txt", FILE),
}
WORDS = [
    "nan",
    "-inf",
    "1e309",
    "1e300",
    "",
    "0",
    "-1",
    "9" * 25,
    "x",
    ":",
    "EOF",
    "\0",
    "\u2028",
    "\x85",
    "²",
    "\u0661",
    "1_0",
    '"',
]
WORDS += ["TYPE : ATSP", "DIMENSION : 3", "TOUR_SECTION", "NODE_COORD_SECTION", "processing times", "2 2"]

changes = st.lists(
    st.tuples(st.sampled_from([" ", "\n", ","]), st.floats(0, 1), st.sampled_from(["", *WORDS])), max_size=3
)


def changed(text, at):
    """Put other words into a text, or take some away."""
    for separator, place, word in at:
        words = text.split(separator)
        words[int(place * (len(words) - 1))] = word
        text = separator.join(words)
    return text


@pytest.mark.parametrize("kind", FILES)
@given(at=changes)
def test_a_changed_file_is_read_or_refused_with_its_line(tmp_path_factory, kind, at):
    problem, name, text = FILES[kind]
    path = tmp_path_factory.mktemp("changed") / name
    path.write_text(changed(text, at), newline="")
    try:
        made = swarmkit.make_problem(problem, file=str(path))
    except swarmkit.UsageError as error:
        said = str(error)
    else:
        said = f"{name}, line 1: sound"
        behaves(made)
    assert f"{name}, line " in said


def behaves(made):
    """Use a problem that was made."""
    x = np.arange(len(made.sizes))
    assert np.isfinite(made.score(x[None])).all()
    assert np.isfinite([*made.metrics(x).values()]).all()
    assert len(made.describe(x)) == len(x)


@pytest.mark.parametrize("kind", FILES)
@given(content=st.binary(max_size=60))
def test_bytes_are_refused_in_a_sentence(tmp_path_factory, kind, content):
    problem, name, _ = FILES[kind]
    path = tmp_path_factory.mktemp("bytes") / name
    path.write_bytes(b"?,?,?,?" + content)
    with pytest.raises(swarmkit.UsageError, match=f"{name}, line "):
        swarmkit.make_problem(problem, file=str(path))
