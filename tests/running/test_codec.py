import zipfile
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from typing_extensions import TypeAliasType

from swarmkit import SolverError, UsageError
from swarmkit.files.archive import write_arrays
from swarmkit.running import codec


@dataclass
class Member:
    path: np.ndarray
    quality: float


@dataclass
class Population:
    members: list[Member]
    best: Member | None = None
    notes: dict[str, int] = field(default_factory=dict)


def through_a_file(value, path, types):
    tree, arrays = codec.pack(value, types)
    codec.write(path, {"swarmkit": "checkpoint", "content": tree}, arrays)
    tree, arrays = read(path)
    return codec.unpack(tree["content"], arrays, types)


def read(path):
    return codec.read(path, "checkpoint", "a checkpoint of swarmkit")


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
arrays = st.lists(st.floats(allow_nan=False) | st.just(np.inf)).map(np.array)
names = st.text().filter(lambda name: name[:1] != "$")
trees = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(names, inner) | st.tuples(inner, inner))


@given(trees)
def test_trees_of_scalars_come_back_as_they_were(tmp_path_factory, value):
    restored = through_a_file(value, tmp_path_factory.mktemp("codec") / "x", {})
    assert restored == value
    assert repr(restored) == repr(value)  # 1 and 1.0 and True are equal, and not the same


@pytest.mark.parametrize("array", [np.arange(6).reshape(2, 3), np.array([np.nan, np.inf]), np.zeros(0, np.int8)])
def test_arrays_keep_values_shape_and_type(tmp_path, array):
    restored = through_a_file([array], tmp_path / "x", {})[0]
    assert np.array_equal(restored, array, equal_nan=array.dtype.kind == "f")
    assert (restored.dtype, restored.shape) == (array.dtype, array.shape)


def test_numpy_scalars_keep_their_type(tmp_path):
    restored = through_a_file({"a": np.int8(3), "b": np.float64(0.1)}, tmp_path / "x", {})
    assert [type(restored[name]) for name in "ab"] == [np.int8, np.float64]


def test_dataclasses_are_restored_as_the_types_that_were_announced(tmp_path):
    population = Population([Member(np.array([1, 2]), 0.5)], notes={"u": 3})
    population.best = population.members[0]
    restored = through_a_file(population, tmp_path / "x", codec.dataclasses_in(Population))
    assert isinstance(restored.members[0], Member)
    assert restored.notes == {"u": 3}
    assert restored.best.path is restored.members[0].path  # one array stays one array


class Arrays(NamedTuple):
    """What a kernel takes."""

    x: np.ndarray
    scores: np.ndarray


@dataclass
class Walk:
    arrays: Arrays


def test_named_tuples_of_kernels_are_restored_as_they_were_announced(tmp_path):
    known = codec.dataclasses_in(Walk)
    tree, arrays = codec.pack(Walk(Arrays(np.arange(3), np.ones(2))), known)
    restored = codec.unpack(tree, arrays, known)
    assert type(restored.arrays) is Arrays
    assert restored.arrays.x.tolist() == [0, 1, 2]
    with pytest.raises(UsageError, match="does not know"):
        codec.unpack(tree, arrays, {name: kind for name, kind in known.items() if kind is not Arrays})


def test_an_announced_type_is_found_behind_any_hint():
    for hint in (Population | None, list[Population], dict[str, list[Population]], tuple[Population, int]):
        assert set(codec.dataclasses_in(hint).values()) == {Population, Member}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({1, 2}, "state is a set"),
        ({"a": [object()]}, r"state\.a\[0\] is a object"),
        ({3: 4}, "state is a dict"),
        (np.array([object()]), "Python objects"),
        (Member(np.zeros(1), 1.0), "does not announce"),
    ],
)
def test_what_is_not_plain_data_is_refused_with_its_place(value, said):
    with pytest.raises(SolverError, match=said):
        codec.pack(value)


def test_a_file_cannot_name_a_class_of_its_own_choice(tmp_path):
    codec.write(tmp_path / "x", {"swarmkit": "checkpoint", "content": {"$dataclass": "os.system", "fields": {}}}, {})
    tree, arrays = read(tmp_path / "x")
    with pytest.raises(UsageError, match="does not know"):
        codec.unpack(tree["content"], arrays, {})


def test_pickled_arrays_are_not_read(tmp_path):
    np.savez(tmp_path / "x.npz", json=np.array([{"a": 1}], dtype=object))
    with pytest.raises(UsageError, match="not a checkpoint"):
        read(tmp_path / "x.npz")


@given(st.integers(0, 400), st.binary(max_size=5))
def test_damaged_files_are_refused_in_words(tmp_path_factory, at, noise):
    path = tmp_path_factory.mktemp("codec") / "x"
    codec.write(path, *codec.pack({"a": np.arange(5)}))
    whole = path.read_bytes()
    path.write_bytes(whole[: at % len(whole)] + noise)
    with pytest.raises(UsageError, match="not a checkpoint"):
        read(path)


def rebuilt(path, change, compression=zipfile.ZIP_STORED):
    """Write a sound file again with its members changed; checksums of the archive are right."""
    codec.write(path, *codec.pack({"a": np.arange(5)}))
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def claim(shape, kind="<i8"):
    """Return an array file of 40 bytes whose header claims a shape."""
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(40)


HOSTILE = {
    "petabytes": lambda members: members.update({"a0.npy": claim((2**50,))}),
    "overflowing": lambda members: members.update({"a0.npy": claim((2**40, 2**40))}),
    "negative": lambda members: members.update({"a0.npy": claim((-5,))}),
    "endless and of no size": lambda members: members.update({"a0.npy": claim((10**18,), "|V0")}),
    "of objects": lambda members: members.update({"a0.npy": claim((5,), "|O")}),
    "longer than claimed": lambda members: members.update({"a0.npy": claim((2,))}),
    "another value": lambda members: members.update({"a0.npy": members["a0.npy"][:-8] + bytes(8)}),
    "another name": lambda members: members.update({"../x": b""}),
    "no text": lambda members: members.pop("json.npy"),
    "no digest": lambda members: members.pop("digest.npy"),
    "deeply nested header": lambda members: members.update({"a0.npy": b"\x93NUMPY\x01\x00\x88\x13" + b"(" * 5000}),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_members_are_refused_before_they_are_read(tmp_path, what):
    rebuilt(tmp_path / "x", HOSTILE[what])
    with pytest.raises(UsageError, match=r"x: not a checkpoint of swarmkit, or damaged \(.+\)"):
        read(tmp_path / "x")


def test_compressed_members_are_refused(tmp_path):
    rebuilt(tmp_path / "x", lambda members: None, zipfile.ZIP_DEFLATED)
    with pytest.raises(UsageError, match="is compressed"):
        read(tmp_path / "x")


def test_members_that_overlap_are_refused(tmp_path):
    rebuilt(tmp_path / "x", lambda members: members.update({f"a{i}.npy": b"\0" * 5000 for i in range(1, 30)}))
    whole = (tmp_path / "x").read_bytes()
    start = whole.index(b"PK\x01\x02")
    directory = whole[start:]
    with zipfile.ZipFile(tmp_path / "x") as archive:
        offset = archive.getinfo("a1.npy").header_offset
    for i in range(2, 30):  # all entries of the directory point to one member
        at = directory.index(f"a{i}.npy".encode()) - 4
        directory = directory[:at] + offset.to_bytes(4, "little") + directory[at + 4 :]
    kept = whole[: offset + 30 + len("a1.npy") + 5000]
    end = directory.index(b"PK\x05\x06")
    directory = directory[: end + 16] + len(kept).to_bytes(4, "little") + directory[end + 20 :]
    (tmp_path / "x").write_bytes(kept + directory)
    with pytest.raises(UsageError, match="larger than the file"):
        read(tmp_path / "x")


def test_a_plain_array_is_not_a_checkpoint(tmp_path):
    np.save(tmp_path / "x.npy", np.arange(5))
    with pytest.raises(UsageError, match="not a checkpoint"):
        read(tmp_path / "x.npy")


@pytest.mark.parametrize("text", ["[" * 5000 + "]" * 5000, "[" * 200 + "]" * 200, "9" * 400, '"\\ud800"', "{", "\xff"])
def test_json_is_bounded_in_depth_digits_and_characters(tmp_path, text):
    write_arrays(tmp_path / "x", {"json": np.frombuffer(text.encode("latin-1"), np.uint8)})
    with pytest.raises(UsageError, match="not a checkpoint"):
        read(tmp_path / "x")


@pytest.mark.parametrize(
    "tree",
    [
        {"$array": "a7"},
        {"$array": 3},
        {"$array": ["a0"]},
        {"$scalar": "a0"},
        {"$tuple": 3},
        {"$dataclass": "tests.running.test_codec.Member"},
        {"$other": 1},
        {"$dataclass": f"{Member.__module__}.Member", "fields": {"path": 1}},
        {"$dataclass": f"{Member.__module__}.Member", "fields": {"path": 1, "quality": 2, "__class__": 3}},
    ],
)
def test_a_tree_that_was_never_packed_is_refused(tree):
    with pytest.raises(UsageError):
        codec.unpack([tree], {"a0": np.arange(3)}, codec.dataclasses_in(Member))


def test_what_could_not_be_read_again_is_not_written():
    deep = []
    for _ in range(200):
        deep = [deep]
    for value in (deep, 10**400):
        with pytest.raises(SolverError, match="not plain data"):
            codec.pack(value)


Number = TypeVar("Number", bound=np.generic)
Array = TypeAliasType("Array", np.ndarray[Any, np.dtype[Number]], type_params=(Number,))
"""An alias as `NDArray` is one from numpy 2.5 on, where Python has them."""


@dataclass
class Aliased:
    path: Array[np.int64]
    values: Array[np.float64] | None


@pytest.mark.parametrize("kind", [Array, NDArray])
def test_an_alias_announces_the_array_that_it_stands_for(kind):
    assert codec.fits(np.zeros(2), kind[np.float64])
    assert not codec.fits(np.zeros(2, np.int64), kind[np.float64])
    for value in (3, "abc", [1.0], None):
        assert not codec.fits(value, kind[np.float64])


def test_fields_with_an_alias_are_checked():
    assert codec.fits(Aliased(np.zeros(2, np.int64), None), Aliased)
    assert not codec.fits(Aliased("no array", None), Aliased)
    assert not codec.fits(Aliased(np.zeros(2, np.int64), "no array"), Aliased)


def test_dataclasses_behind_an_alias_are_announced():
    members = TypeAliasType("Members", list[Member])
    assert list(codec.dataclasses_in(members).values()) == [Member]
