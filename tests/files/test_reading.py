"""Files that people hand in: whatever is in them, they are read or refused in a sentence with the line."""

import gzip
import lzma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.files.reading import read_decompressed
from tests.flowshop.test_flowshop import FILE
from tests.graphs.test_graphs import COL, RUDY
from tests.pairwise.test_files import CFN, COO, UAI, WCSP
from tests.qap.test_qap import SOUND
from tests.tsp.test_tsp import FULL, SQUARE

FILES = {
    "points of TSPLIB": ("tsp", "a.tsp", SQUARE),
    "a table of TSPLIB": ("tsp", "a.tsp", FULL),
    "a table of points": ("tsp", "a.csv", "name,x,y\na,1,2\nb,3,4\n"),
    "a map": ("tsp", "a.csv", "id;name;lat;lon\n1;a;53,1;8,8\n2;b;36,8;10,2\n3;c;59,9;10,7\n"),
    "a table of distances": ("tsp", "a.csv", ",a,b,c\na,0,1,2.5\nb,,0,4\nc,,,0\n"),
    "a file of QAPLIB": ("qap", "a.dat", SOUND),
    "a file of Taillard's": ("flowshop", "a.txt", FILE),
    "a graph of rudy's": ("maxcut", "a.txt", RUDY),
    "a graph of DIMACS": ("colouring", "a.col", COL),
    "a WCSP": ("pairwise", "a.wcsp", WCSP),
    "a network of UAI": ("pairwise", "a.uai", UAI),
    "a cost function network": ("pairwise", "a.cfn", CFN),
    "coordinates of a quadratic model": ("pairwise", "a.coo", COO),
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
WORDS += [
    "TYPE : ATSP",
    "DIMENSION : 3",
    "TOUR_SECTION",
    "NODE_COORD_SECTION",
    "processing times",
    "2 2",
    "p edge 3 2",
    "MARKOV",
    "mustbe",
    "{",
    "]",
    "# vartype=SPIN",
]

changes = st.lists(
    st.tuples(st.sampled_from([" ", "\n", ",", ";"]), st.floats(0, 1), st.sampled_from(["", *WORDS])), max_size=3
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
    x = np.arange(len(made.sizes)) % made.sizes
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


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize(("suffix", "compress"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_compressed_files_are_read_as_they_are(tmp_path, kind, suffix, compress):
    problem, name, text = FILES[kind]
    (tmp_path / name).write_text(text)
    (tmp_path / (name + suffix)).write_bytes(compress(text.encode()))
    plain, packed = (swarmkit.make_problem(problem, file=str(tmp_path / file)) for file in (name, name + suffix))
    assert packed.fingerprint == plain.fingerprint
    assert packed.view().caption == plain.view().caption


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path):
    for name, compress in (("a.txt.gz", gzip.compress), ("a.txt.xz", lzma.compress)):
        path = tmp_path / name
        path.write_bytes(compress(b"0" * (3 << 20)))
        with pytest.raises(OSError, match="unpacked it is larger than 2 MB"):
            read_decompressed(path, 2)
        assert len(read_decompressed(path, 3)) == 3 << 20


def test_damaged_compressed_files_are_refused(tmp_path):
    for name, compress in (("a.txt.gz", gzip.compress), ("a.txt.xz", lzma.compress)):
        whole = compress(RUDY.encode() * 100)
        for damaged in (whole[:-9], whole[:20], whole[:30] + b"\0\0" + whole[32:]):
            (tmp_path / name).write_bytes(damaged)
            with pytest.raises(swarmkit.UsageError, match="the compressed data are damaged"):
                swarmkit.make_problem("maxcut", file=str(tmp_path / name))
