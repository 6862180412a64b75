"""What is built, what is listed and what is imported have to be the same things."""

import importlib
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import swarmkit
import swarmkit.compiled
import swarmkit.report
import swarmkit.statistics
import swarmkit.testing
from tests.conftest import ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
FOLDERS = sorted(
    str(folder.relative_to(ROOT))
    for parent in ("algorithms", "problems")
    for folder in (ROOT / parent).iterdir()
    if (folder / "__init__.py").is_file()
)


def test_every_plugin_folder_is_in_the_wheel():
    listed = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert sorted(listed) == sorted(["swarmkit", *FOLDERS])


def test_every_plugin_folder_is_an_entry_point():
    points = PYPROJECT["project"]["entry-points"]["swarmkit"]
    modules = [folder.split("/")[1] for folder in FOLDERS]
    assert sorted(points.values()) == sorted(modules)
    assert all(module == f"swarmkit_{name}" for name, module in points.items())


def test_every_plugin_folder_is_type_checked_and_kept_apart():
    modules = [folder.split("/")[1] for folder in FOLDERS]
    assert sorted(PYPROJECT["tool"]["mypy"]["packages"]) == sorted(["swarmkit", *modules])
    contracts = {contract["name"]: contract for contract in PYPROJECT["tool"]["importlinter"]["contracts"]}
    assert sorted(contracts["plugins never import each other"]["modules"]) == sorted(modules)
    assert sorted(contracts["the core imports no plugin"]["forbidden_modules"]) == sorted(modules)
    assert sorted(contracts["plugins import only what swarmkit exports"]["source_modules"]) == sorted(modules)


def test_the_layers_hold():
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


DOORS = pytest.mark.parametrize(
    "door",
    [swarmkit, swarmkit.compiled, swarmkit.report, swarmkit.statistics, swarmkit.testing],
    ids=lambda door: door.__name__,
)


def homes(door):
    return {name: f"{door.__name__}.{module}" for module, names in door._HOME.items() for name in names}


@DOORS
def test_a_door_lists_what_can_be_imported(door):
    assert sorted(door.__all__) == sorted(homes(door)) == dir(door)
    for name, module in homes(door).items():
        assert getattr(door, name) is getattr(importlib.import_module(module), name)


@DOORS
def test_a_door_has_the_same_names_for_the_type_checker(door):
    import ast

    tree = ast.parse(Path(door.__file__).read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    assert {name.name: line.module for line in block.body for name in line.names} == homes(door)


@DOORS
def test_no_name_of_a_door_hides_a_module(door):
    modules = {path.stem for path in Path(door.__file__).parent.iterdir()}
    assert not modules & set(door.__all__)


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        swarmkit.nothing  # noqa: B018  (the access is what is tested)


def test_help_needs_neither_numpy_nor_pydantic():
    code = (
        "import sys; sys.argv[1:] = ['--help']\n"
        "from swarmkit.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'pydantic', 'rich', 'hypothesis', 'joblib', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_nobody_is_told_to_install_somebody_elses_project():
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("swarmkit/**/*.py")]:
        assert "pip install swarmkit\n" not in path.read_text(), path
