"""Everything that users of version 0.2 typed, called and read is still there, or the changelog says what to do."""

import inspect
import json
import re
import sys
import warnings

import pytest

import swarmkit
from tests.conftest import ROOT

OLD = json.loads((ROOT / "tests" / "data" / "surface-0.2.json").read_text())
"""What `benchmarks/surface.py` printed for version 0.2."""

MIGRATION = (ROOT / "CHANGELOG.md").read_text().partition("## 0.2.0")[0].partition("### Migration")[2]

GONE = {
    "swarmkit.Recorder": {"pause_at"},
    "swarmkit.viewing.LiveRecorder": {"pause_at"},
    "swarmkit.Solver": {"unit"},
    "swarmkit.search": {"StepBudget", "random_moves"},
    "swarmkit.Structure": {"own_appeal"},
    "swarmkit.search.Moves": {"candidates", "evaluated", "gains", "part", "stage"},
    "swarmkit.search.TourState": {"improve_best"},
    "swarmkit.search.VisitingOrder": {"other", "own"},
}
"""Names without an old spelling; the table of migration in the changelog has each of them."""

STILL_ASKED_FOR = {"descriptions"}
"""Members of problems that are asked for where a problem defines them, and that the base class does not have."""


@pytest.fixture(scope="module")
def surface():
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        import surface

        return surface
    finally:
        sys.path.pop(0)


@pytest.fixture
def forget_names(module):
    """Let names that are asked for here be loaded again: an old spelling warns when it is loaded, which others test."""
    before = set(vars(sys.modules[module])) if module in sys.modules else set()
    yield
    for name in OLD["names"][module].keys() - before:
        vars(sys.modules[module]).pop(name, None)


def lost(old, new):
    """Return what of a dictionary of lists is not in another one."""
    missing = {name: set(entries) - set(new.get(name, ())) for name, entries in old.items()}
    return {name: entries for name, entries in missing.items() if entries or name not in new}


def test_every_command_and_option_is_there(surface):
    assert lost(OLD["commands"], surface.commands()) == {}


def test_every_extra_and_every_hook_is_there(surface):
    now = surface.extras(ROOT)
    assert set(OLD["extras"]) <= set(now)
    assert lost(OLD["hooks"], surface.hooks()) == {}


def test_everything_registered_is_there_with_its_settings(surface):
    now = surface.settings()
    missing = [lost(names, now[kind]) for kind, names in OLD["settings"].items()]
    assert not any(missing), missing


@pytest.mark.parametrize("module", OLD["names"])
def test_every_public_name_is_there_with_its_members(surface, module, forget_names):
    missing = {}
    for name, members in OLD["names"][module].items():
        here = surface.members(module, name)
        if here is None:
            missing.setdefault(module, set()).add(name)
        elif not takes_keywords(module, name) and set(members) - set(here) - STILL_ASKED_FOR:
            missing[f"{module}.{name}"] = set(members) - set(here) - STILL_ASKED_FOR
    assert missing == {path: names for path, names in GONE.items() if path.startswith(module) and of(module, path)}


def of(module, path):
    """Whether a path is a module, or a name in it and not in a module below it."""
    return path == module or path.removeprefix(f"{module}.") in OLD["names"][module]


def takes_keywords(module, name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        value = getattr(sys.modules[module], name)
    return inspect.isfunction(value) and "limits" in inspect.signature(value).parameters


def test_solve_takes_every_keyword_of_before():
    limits = {"looks": 500, "evaluations": 400, "iterations": 300, "seconds": 20.0, "target": 9e9, "patience": 200}
    keywords = {*OLD["names"]["swarmkit"]["solve"]} - {*inspect.signature(swarmkit.solve).parameters}
    arguments = limits | {"every": 5.0, "setup_seconds": 0.0}
    assert keywords == {*arguments}
    assert swarmkit.solve("synthetic", "icm", **arguments).stopped in limits


def test_what_is_gone_is_in_the_table_of_migration():
    for path, names in GONE.items():
        for name in names:
            assert re.search(rf"\b{name}\b", MIGRATION), f"{path}: {name}"


def test_every_key_of_json_is_there(surface):
    old = {name: set(keys) for name, keys in OLD["documents"].items()}
    old["describe"].remove("[].unit")  # Solver.unit is gone
    assert lost(old, surface.documents()) == {}
