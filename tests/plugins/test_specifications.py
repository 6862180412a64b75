import json
from pathlib import Path
from types import SimpleNamespace

import pytest

import swarmkit
from swarmkit import PluginError, UsageError, hookimpl, hookspec
from swarmkit.plugins import hookspecs
from swarmkit.plugins.host import Host
from tests.plugins.offering import write

SPECIFYING = """
import swarmkit

class Specifications:
    @swarmkit.hookspec
    def swarmkit_tastes(self):
        "Offer tastes: name -> class."

    @swarmkit.hookspec
    def swarmkit_greets(self, name):
        "An event, not a kind."

@swarmkit.hookimpl
def swarmkit_hookspecs():
    return Specifications()
"""

OFFERING = """
import swarmkit

class Sweet(swarmkit.Settings):
    "Like honey."
    sugar: int = 3
    "Spoons."

@swarmkit.hookimpl
def swarmkit_tastes():
    return {"sweet": Sweet}
"""


@pytest.mark.parametrize("specifying_first", [True, False])
def test_a_plugin_may_bring_hook_specifications_in_any_order(cli, own_host, tmp_path, specifying_first):
    files = [write(tmp_path / "z_specifying.py", SPECIFYING), write(tmp_path / "a_offering.py", OFFERING)]
    options = [f"--plugin={file}" for file in (files if specifying_first else reversed(files))]
    document = json.loads(cli(*options, "list", "--json").out)
    assert [taste["name"] for taste in document["tastes"]] == ["sweet"]
    assert "taste" in document["clashes"]
    assert document["broken"] == []
    assert swarmkit.find("taste", "sweet").__name__ == "Sweet"
    assert own_host().kinds[-1] == "command"
    assert "greet" not in own_host().kinds
    assert cli(*options, "describe", "sweet").out.split()[:2] == ["taste", "sweet"]
    assert "sugar integer 3 Spoons." in " ".join(cli(*options, "describe", "sweet").out.split())
    assert "neither a problem nor a solver" in cli(*options, "check", "sweet").err


def test_a_plugin_waits_for_the_specification_of_its_hook(own_host, tmp_path):
    [offering] = own_host().load_files([Path(write(tmp_path / "b_offering.py", OFFERING))])
    assert "unknown hook 'swarmkit_tastes'" in offering.error
    with pytest.raises(UsageError, match="no kind named 'taste'"):
        swarmkit.find("taste", "sweet")
    own_host().load_files([Path(write(tmp_path / "b_specifying.py", SPECIFYING))])
    assert offering.error is None
    assert swarmkit.find("taste", "sweet").__name__ == "Sweet"


def test_specifications_can_be_registered_in_python(own_host):
    class Specifications:
        @hookspec
        def swarmkit_colours(self):
            """Offer colours."""

    class Bringing:
        @hookimpl
        def swarmkit_hookspecs(self):
            return Specifications()

        @hookimpl
        def swarmkit_colours(self):
            return {"red": 1}

    swarmkit.register(Bringing(), name="colours")
    assert swarmkit.find("colour", "red") == 1
    with pytest.raises(UsageError, match=r"no colour named 'rod'\. Did you mean 'red'"):
        swarmkit.find("colour", "rod")
    with pytest.raises(PluginError, match="swarmkit_colours"):
        swarmkit.register(SimpleNamespace(swarmkit_colours=hookimpl(lambda shade: {})), name="wrong")


@pytest.mark.parametrize("brought", [lambda: 3, lambda: 1 / 0, lambda: hookspecs])
def test_a_plugin_whose_specifications_fail_is_broken_alone(own_host, brought):
    with pytest.raises(PluginError, match="plugin 'odd'"):
        swarmkit.register(SimpleNamespace(swarmkit_hookspecs=hookimpl(brought)), name="odd")
    assert own_host().find("solver", "icm")
    assert own_host().find("problem", "synthetic")


def test_the_core_specifies_only_what_it_uses():
    assert Host(only="synthetic,baselines").kinds == ["problem", "solver", "command"]


def test_a_hook_may_take_the_first_result_but_not_be_historic(own_host):
    class Specifications:
        @hookspec(firstresult=True)
        def swarmkit_colours(self):
            """Offer colours."""

    class Historic:
        @hookspec(historic=True)
        def swarmkit_shades(self):
            """Offer shades."""

    class Colours:
        def __init__(self, **colours):
            self.colours = colours

        @hookimpl
        def swarmkit_colours(self):
            return self.colours

    swarmkit.register(SimpleNamespace(swarmkit_hookspecs=hookimpl(lambda: Specifications())), name="specifying")
    swarmkit.register(Colours(red=1), name="a")
    swarmkit.register(Colours(blue=2), name="b")
    assert [offer.name for offer in own_host().offers("colour")] == ["blue"]
    with pytest.raises(PluginError, match="swarmkit_shades is historic"):
        swarmkit.register(SimpleNamespace(swarmkit_hookspecs=hookimpl(lambda: Historic())), name="old")
