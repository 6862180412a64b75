"""What is built, what is listed and what is imported have to be the same."""

import ast
import importlib
import importlib.metadata
import inspect
import itertools
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import swarmkit
import swarmkit.report
import swarmkit.search
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
    assert sorted(contracts["plugins import only the doors and the kernels"]["source_modules"]) == sorted(modules)


def test_the_layers_hold():
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


DOORS = pytest.mark.parametrize(
    "door",
    [swarmkit, swarmkit.search, swarmkit.statistics, swarmkit.report, swarmkit.testing],
    ids=lambda door: door.__name__,
)


def names_in_stub(door):
    """The module of each name in the stub beside a door: `from .module import Name as Name`."""
    tree = ast.parse(Path(door.__file__).with_suffix(".pyi").read_text())
    assert all(isinstance(line, ast.ImportFrom) and line.level == 1 for line in tree.body)
    found = [(name, f"{door.__name__}.{line.module}") for line in tree.body for name in line.names]
    assert all(name.name == name.asname for name, _ in found)
    assert len(found) == len({name.name for name, _ in found}), "a name is there twice"
    return {name.name: module for name, module in found}


@DOORS
def test_a_door_offers_what_its_stub_lists(door):
    listed = names_in_stub(door)
    assert sorted(listed) == sorted(door.__all__) == sorted(dir(door))
    for name, module in listed.items():
        assert getattr(door, name) is getattr(importlib.import_module(module), name)


@DOORS
def test_every_public_object_has_a_docstring(door):
    for name, module in names_in_stub(door).items():
        offered = getattr(door, name)
        if inspect.isclass(offered) or inspect.isroutine(offered):
            assert offered.__doc__, name
            assert inspect.getdoc(offered), name
        else:
            assert name in documented_constants(module), name


def documented_constants(module):
    """The names that a module assigns with a docstring under the assignment."""
    body = ast.parse(Path(importlib.import_module(module).__file__).read_text()).body
    found = set()
    for line, below in itertools.pairwise(body):
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and isinstance(below.value.value, str):
            targets = line.targets if isinstance(line, ast.Assign) else [getattr(line, "target", None)]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def test_the_door_for_authors_of_solvers_stays_small():
    assert len(swarmkit.search.__all__) <= 15


@DOORS
def test_no_name_of_a_door_hides_a_module(door):
    modules = {path.stem for path in Path(door.__file__).parent.iterdir()}
    assert not modules & set(door.__all__)


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="attribute nothing"):
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


class Installed:
    """A distribution that was installed in one of the ways that pip knows."""

    requires = ("scipy>=1.11; extra == 'report'", "numpy>=1.26", 'jinja2>=3.1; extra == "report"')

    def __init__(self, source):
        self.source = source

    def read_text(self, name):
        return None if self.source is None else json.dumps(self.source)


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ({"url": "file:///a/b", "dir_info": {"editable": True}}, 'pip install -e ".[report]", in /a/b'),
        ({"url": "file:///a/x.whl", "archive_info": {}}, 'pip install "pyswarmkit[report] @ file:///a/x.whl"'),
        (
            {"url": "https://host/repo", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
            'pip install "pyswarmkit[report] @ git+https://host/repo@abc"',
        ),
        (None, 'pip install "scipy>=1.11" "jinja2>=3.1"'),
    ],
)
def test_a_hint_says_what_works_for_the_way_it_was_installed(monkeypatch, source, hint):
    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: Installed(source))
    assert swarmkit.install_hint("report") == hint


def test_nobody_is_told_to_install_from_an_index_that_does_not_have_it():
    for package in ("swarmkit", "algorithms", "problems"):
        for path in (ROOT / package).rglob("*.py"):
            assert "pip install 'pyswarmkit[" not in path.read_text(), path


def test_the_first_compilation_says_that_it_compiles_and_the_second_is_silent(tmp_path):
    code = (
        "from swarmkit.kernels import compile_notice; compile_notice.PATIENCE = 0.01\n"
        "import swarmkit; swarmkit.solve('synthetic', 'icm', looks=100)"
    )
    run = {"env": {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}, "capture_output": True, "text": True}
    first, second = (subprocess.run([sys.executable, "-c", code], check=True, **run) for _ in range(2))
    assert first.stderr.count("compiling kernels") == 1
    assert second.stderr == ""
