import json
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest

import swarmkit
from swarmkit import PluginError, UsageError, hookimpl, hookspec
from swarmkit.plugins import hookspecs
from swarmkit.plugins import host as plugins
from swarmkit.plugins.host import Host

GOOD = """
import numpy as np
import swarmkit

class Ones(swarmkit.Solver):
    "Take candidate 1 where there is one."
    def start(self, problem, rng) -> dict:
        return {}
    def step(self, problem, state, rng):
        x = np.minimum(1, np.asarray(problem.sizes) - 1)
        return swarmkit.Found(x, float(problem.score(x[None])[0]), looks=len(x), done=True)

@swarmkit.hookimpl
def swarmkit_solvers():
    return {"ones": Ones}
"""


def write(path, text):
    path.write_text(textwrap.dedent(text))
    return str(path)


class Offering:
    def __init__(self, **solvers):
        self.solvers = solvers

    @hookimpl
    def swarmkit_solvers(self):
        return self.solvers


def icm():
    return plugins.host().find("solver", "icm").value


def test_the_bundled_plugins_say_where_they_come_from():
    host = Host()
    assert not [plugin for plugin in host.plugins if plugin.error]
    assert host.find("solver", "icm").plugin.provenance.startswith("pyswarmkit ")


def test_an_object_can_be_registered(own_host):
    swarmkit.register(Offering(mine=icm()), name="mine")
    assert swarmkit.solve("synthetic", "mine", looks=1000).solver in {"mine", "icm"}
    assert own_host().find("solver", "mine").plugin.provenance == "registered in Python"


@pytest.mark.parametrize(
    ("plugin", "said"),
    [
        (SimpleNamespace(swarmkit_solvrs=hookimpl(lambda: {})), "swarmkit_solvrs"),
        (SimpleNamespace(swarmkit_solvers=hookimpl(lambda surprise: {})), "surprise"),
    ],
)
def test_hooks_that_do_not_exist_are_refused(own_host, plugin, said):
    with pytest.raises(PluginError, match=said):
        swarmkit.register(plugin, name="wrong")
    assert own_host().find("solver", "icm")


@pytest.mark.parametrize(
    ("offered", "said"),
    [
        ({"x": 3}, "expected a subclass of swarmkit.Solver"),
        ({"x": swarmkit.Solver}, "does not define start, step"),
        ({3: icm}, "names are text"),
        (None, "TypeError"),
    ],
)
def test_what_is_offered_has_to_be_what_the_hook_is_for(own_host, offered, said):
    plugin = Offering()
    plugin.solvers = offered
    swarmkit.register(plugin, name="odd")
    assert own_host().find("solver", "icm")
    [broken] = [p for p in own_host().plugins if p.error]
    assert broken.name == "odd"
    assert said in broken.error


def test_two_plugins_of_one_name_are_refused_with_both_named(own_host):
    swarmkit.register(Offering(icm=icm()), name="rival")
    with pytest.raises(PluginError, match=r"two plugins offer a solver named 'icm': 'baselines' .* and 'rival'"):
        swarmkit.solve("synthetic", "icm")
    assert own_host().clashes("solver") == ["icm"]
    assert swarmkit.solve("synthetic", "first").score is not None


def test_the_environment_limits_what_loads():
    assert [plugin.name for plugin in Host(only="synthetic").plugins] == ["synthetic"]
    assert "baselines" not in [plugin.name for plugin in Host(only="-baselines").plugins]
    assert Host(only="").plugins == []
    with pytest.raises(UsageError, match=r"SWARMKIT_PLUGINS: no plugin named 'sintetic'. Did you mean 'synthetic'"):
        Host(only="sintetic")


def test_a_single_file_is_a_plugin(cli, own_host, tmp_path):
    file = write(tmp_path / "ones_plugin.py", GOOD)
    said = cli("solve", "--plugin", file, "-p", "synthetic", "-a", "ones", "--json")
    assert said.code == 0, said.err
    assert json.loads(said.out)["solver"] == "ones"
    listed = json.loads(cli("list", f"--plugin={file}", "--json").out)["solvers"]
    assert {solver["name"]: solver["from"] for solver in listed}["ones"] == file


def test_runs_of_a_single_file_plugin_spread_over_processes(cli, own_host, tmp_path):
    file = write(tmp_path / "ones_plugin.py", GOOD)
    said = cli("--plugin", file, "solve", "-p", "synthetic", "-a", "ones", "--runs", "2", "--jobs", "2", "--json")
    assert said.code == 0, said.err
    assert len(json.loads(said.out)["runs"]) == 2


def test_a_single_file_plugin_can_bring_a_command(cli, own_host, tmp_path):
    text = """
    from swarmkit import hookimpl

    def greet(name: str):
        "Say hello."
        print(f"hello {name}")

    @hookimpl
    def swarmkit_commands():
        return {"greet": greet}
    """
    file = write(tmp_path / "greeting.py", text)
    assert cli("--plugin", file, "greet", "bee").out == "hello bee\n"
    assert "Say hello." in cli("--plugin", file, "--help").out


def test_a_command_cannot_take_the_name_of_ours(cli, own_host):
    def hijack():
        raise AssertionError("called")

    swarmkit.register(SimpleNamespace(swarmkit_commands=hookimpl(lambda: {"list": hijack})), name="thief")
    said = cli("list")
    assert said.code == 0
    assert "name of one of swarmkit's own" in said.out


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("broken_plugin.py", "import nothing_like_this", "ModuleNotFoundError"),
        ("syntax_plugin.py", "def (", "SyntaxError"),
        ("exit_plugin.py", "raise SystemExit(0)", "SystemExit"),
        ("json.py", "x = 1", "give the file another name"),
        ("not-a-module.py", "x = 1", "a name like my_solver.py"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_a_sentence(cli, own_host, tmp_path, name, text, expected):
    said = cli("--plugin", write(tmp_path / name, text), "list")
    assert said.code == 2
    assert expected in said.err
    assert "Traceback" not in said.err


def test_a_plugin_can_observe_every_run(own_host):
    seen = []

    class Finished:
        @hookimpl
        def swarmkit_finished(self, result):  # a hook may leave out arguments it has no use for
            seen.append(result.solver)

    swarmkit.register(Finished())
    swarmkit.solve("synthetic", "first")
    assert seen == ["first"]


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
    offering = own_host().load_file(Path(write(tmp_path / "b_offering.py", OFFERING)))
    assert "unknown hook 'swarmkit_tastes'" in offering.error
    with pytest.raises(UsageError, match="no kind named 'taste'"):
        swarmkit.find("taste", "sweet")
    own_host().load_file(Path(write(tmp_path / "b_specifying.py", SPECIFYING)))
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
