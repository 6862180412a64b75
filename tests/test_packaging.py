"""What is built, what is listed and what is imported have to be the same."""

import ast
import importlib
import importlib.metadata
import inspect
import itertools
import json
import os
import re
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
FOLDERS = [path for parent in ("algorithms", "problems") for path in sorted((ROOT / parent).iterdir())]
PACKAGES = sorted(path.name for path in FOLDERS if (path / "__init__.py").is_file())
LIBRARIES = ["swarmkit_lexicon", "swarmkit_sense_model", "swarmkit_text", "swarmkit_wsd_services"]
"""The packages of word senses that offer nothing themselves: the plugin `wsd` names what is in them."""
PLUGINS = [name for name in PACKAGES if name not in LIBRARIES]


def test_the_wheel_takes_whole_folders_and_they_hold_packages_alone():
    hatch = PYPROJECT["tool"]["hatch"]["build"]
    assert hatch["targets"]["wheel"]["only-include"] == ["swarmkit", "algorithms", "problems"]
    assert hatch["targets"]["wheel"]["sources"] == ["algorithms", "problems"]
    assert hatch["dev-mode-dirs"] == [".", "algorithms", "problems"]
    assert sorted(path.name for path in FOLDERS if path.name != "__pycache__") == PACKAGES


def test_the_classifiers_name_versions_that_are_tested():
    kind = "Programming Language :: Python :: "
    classifiers = [name.removeprefix(kind) for name in PYPROJECT["project"]["classifiers"] if name.startswith(kind)]
    oldest = PYPROJECT["project"]["requires-python"].removeprefix(">=")
    newer = re.search(r"for version in (.*); do", (ROOT / ".ci" / "smoke").read_text())[1].split()
    assert classifiers[0] == oldest
    assert f".ci/python {oldest}" in (ROOT / ".ci" / "run").read_text()
    assert set(classifiers[1:]) <= set(newer)


def test_every_plugin_folder_is_an_entry_point():
    points = PYPROJECT["project"]["entry-points"]["swarmkit"]
    assert sorted(points.values()) == PLUGINS
    assert all(module == f"swarmkit_{name}" for name, module in points.items())


def test_every_plugin_folder_is_type_checked_and_kept_apart():
    assert PYPROJECT["tool"]["mypy"]["files"] == ["swarmkit", "algorithms", "problems"]
    linter = PYPROJECT["tool"]["importlinter"]
    assert sorted(linter["root_packages"]) == sorted(["swarmkit", *PACKAGES])
    apart, senses, senses_layers, doors, _, acyclic = linter["contracts"]
    assert (apart["type"], apart["protected_modules"], apart["allowed_importers"]) == ("protected", ["*"], [])
    elsewhere = {line.removeprefix("** -> ").removesuffix(".**") for line in apart["ignore_imports"]}
    assert elsewhere == {"swarmkit", *senses["protected_modules"]}
    assert sorted(senses["protected_modules"]) == sorted([*LIBRARIES, "swarmkit_wsd"])
    assert set(senses["allowed_importers"]) - set(senses["protected_modules"]) == {
        "swarmkit_dbees2014",
        "swarmkit_lexsub",
    }
    assert {part for line in senses_layers["layers"] for part in line.split(" | ")} == set(senses["allowed_importers"])
    assert (doors["type"], doors["allowed_importers"]) == ("protected", ["swarmkit"])
    assert (acyclic["type"], acyclic["ancestors"]) == ("acyclic_siblings", ["*"])


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
    return {name.name: module for name, module in found if name.name not in ("Left", "WHOLE_STEP")}  # of version 0.2


@DOORS
def test_a_door_offers_what_its_stub_lists(door):
    listed = names_in_stub(door)
    assert sorted(listed) == sorted(door.__all__) == sorted(set(dir(door)) - {"Left", "WHOLE_STEP"})
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
    """Its names are those that bundled plugins need, and the base of neighbourhoods of a problem's own."""
    plugins = [*ROOT.glob("algorithms/**/*.py"), *ROOT.glob("problems/**/*.py")]
    words = set(re.findall(r"\w+", "\n".join(path.read_text(encoding="utf-8") for path in plugins)))
    assert set(swarmkit.search.__all__) - words == set()
    assert len(swarmkit.search.__all__) <= 32


@DOORS
def test_no_name_of_a_door_hides_a_module(door):
    modules = {path.stem for path in Path(door.__file__).parent.iterdir()}
    assert not modules & set(door.__all__)


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="attribute nothing"):
        swarmkit.nothing  # noqa: B018  (the access is what is tested)


HEAVY = {"hypothesis", "joblib", "matplotlib", "nltk", "numba", "scipy", "spacy"}
LEFT_OUT = {
    "--help": HEAVY | {"numpy", "pydantic", "rich"},
    "list": HEAVY | {"swarmkit_wsd.raw_text", "swarmkit_text.tokenizer", "swarmkit_lexicon.languages.lexicon"},
}
"""Modules that a command does without, so that it is there at once."""


@pytest.mark.parametrize("command", LEFT_OUT)
def test_commands_that_only_tell_what_there_is_import_nothing_heavy(command):
    code = (
        f"import sys; sys.argv[1:] = ['{command}']\n"
        "from swarmkit.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"print(sorted({LEFT_OUT[command]} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("\n[]\n")


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
        "from swarmkit.kernels import compiling; compiling.PATIENCE = 0.01\n"
        "import swarmkit; swarmkit.solve('flowshop', 'first')"  # one small kernel
    )
    run = {"env": {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}, "capture_output": True, "text": True}
    first, second = (subprocess.run([sys.executable, "-c", code], check=True, **run) for _ in range(2))
    assert first.stderr.count("compiling kernels") == 1
    assert second.stderr == ""
