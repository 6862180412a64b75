"""Tests mirror the tree: whoever looks for the tests of a module finds them by its name or by its package's."""

from pathlib import Path

from tests.conftest import ROOT

TESTS = ROOT / "tests"
WHOLE = {"architecture", "benchmarks", "cookbook", "docs", "examples", "layout", "packaging", "site", "surface"}
"""What tests at the top are about: more than one package, or none."""

MODULES = [
    path
    for pattern in ("swarmkit/*/**/*.py", "algorithms/swarmkit_*/**/*.py", "problems/swarmkit_*/**/*.py")
    for path in sorted(ROOT.glob(pattern))
    if path.stem != "__init__"
]
"""The modules of the packages of the core and of the plugins."""


def package_of(module: Path) -> str:
    """The package that a module belongs to: a part of the core, or a plugin without its prefix."""
    return module.relative_to(ROOT).parts[1].removeprefix("swarmkit_")


def has_tests(module: Path) -> bool:
    folder = TESTS / package_of(module)
    return any(folder.rglob("test_*.py")) or any(TESTS.rglob(f"test_{module.stem}.py"))


def test_most_modules_have_tests_in_a_file_or_folder_of_their_name():
    alone = [str(module.relative_to(ROOT)) for module in MODULES if not has_tests(module)]
    assert len(alone) <= 0.2 * len(MODULES), alone


def test_folders_of_tests_are_named_like_packages():
    packages = {package_of(module) for module in MODULES}
    folders = {path.parent.relative_to(TESTS).parts[0] for path in TESTS.glob("*/**/test_*.py")}
    assert folders - packages == {"faults", "fuzz"}  # files and readers of every package


def test_what_lies_at_the_top_is_about_the_whole_project():
    assert {path.stem.removeprefix("test_") for path in TESTS.glob("test_*.py")} == WHOLE
