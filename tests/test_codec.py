from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import SolverError, UsageError
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
    codec.write(path, *codec.pack(value, types))
    return codec.unpack(*codec.read(path), types)


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
    codec.write(tmp_path / "x", {"$dataclass": "os.system", "fields": {}}, {})
    with pytest.raises(UsageError, match="does not know"):
        codec.unpack(*codec.read(tmp_path / "x"), {})


def test_pickled_arrays_are_not_read(tmp_path):
    np.savez(tmp_path / "x.npz", json=np.array([{"a": 1}], dtype=object))
    with pytest.raises(UsageError, match="not a checkpoint"):
        codec.read(tmp_path / "x.npz")


@given(st.integers(0, 400), st.binary(max_size=5))
def test_damaged_files_are_refused_in_words(tmp_path_factory, at, noise):
    path = tmp_path_factory.mktemp("codec") / "x"
    codec.write(path, *codec.pack({"a": np.arange(5)}))
    whole = path.read_bytes()
    path.write_bytes(whole[: at % len(whole)] + noise)
    with pytest.raises(UsageError, match="not a checkpoint"):
        codec.read(path)
