import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from types import SimpleNamespace

import pytest

import swarmkit
from swarmkit import PluginError, UsageError, hookimpl
from swarmkit.plugins import host as plugins
from swarmkit.plugins.host import Host
from tests.plugins.offering import Offering, icm, write


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
        ({"x": swarmkit.Solver}, "does not define start, step or steps"),
        ({3: icm}, "names are text"),
        (None, "the hook returned None; expected a dictionary with each solver by its name"),
        ([icm], "expected a dictionary with each solver by its name"),
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


PLACES = {
    "no_such_module:Mine": "ModuleNotFoundError: No module named 'no_such_module'",
    "swarmkit_baselines.icm:Mine": "AttributeError: module 'swarmkit_baselines.icm' has no attribute 'Mine'",
    "swarmkit_baselines.icm:icm.no_such": "AttributeError",
    "math:pi": "'mine' is 3.14",
    "swarmkit_tsp.problem:TravellingSalesman": "expected a subclass of swarmkit.Solver, or where it is: 'module:Class'",
    "swarmkit:Solver": "solver 'mine' does not define start, step or steps",
}


@pytest.mark.parametrize("place", PLACES)
def test_a_place_where_there_is_no_such_class_is_a_sentence_that_names_the_plugin(own_host, place):
    swarmkit.register(Offering(mine=place, climb="swarmkit_baselines.icm:Icm"), name="odd")
    start = rf"plugin 'odd' \(registered in Python\): solver 'mine' cannot be imported from '{re.escape(place)}' \("
    for _ in range(2):
        with pytest.raises(PluginError, match=start + ".*" + re.escape(PLACES[place])):
            swarmkit.make_solver("mine")
        assert swarmkit.find("solver", "climb") is icm()
        names = swarmkit.registered("solver")  # asks for all of them
        assert "mine" not in names
        assert {"climb", "icm", "dbees"} <= set(names)
    [broken] = [plugin for plugin in own_host().plugins if plugin.error]
    assert (broken.name, broken.error.startswith("swarmkit_solvers: solver 'mine' cannot be")) == ("odd", True)


@pytest.mark.parametrize("text", ["", "swarmkit_baselines.icm", "swarmkit_baselines.icm:", ":Icm", "a:b:c", "a b:c"])
def test_text_that_is_no_place_breaks_the_plugin(own_host, text):
    swarmkit.register(Offering(mine=text), name="odd")
    with pytest.raises(UsageError, match=r"no solver named 'mine'.* Broken plugins: odd"):
        swarmkit.make_solver("mine")
    [broken] = [plugin for plugin in own_host().plugins if plugin.error]
    assert f"'mine' is {text!r}; expected a subclass of swarmkit.Solver, or where it is: 'module:Class'" in broken.error


def test_only_what_is_asked_for_is_imported(own_host, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("first_asked", "never_asked"):
        text = """
        import swarmkit

        class Mine(swarmkit.find("solver", "icm")):
            pass
        """
        write(tmp_path / f"{name}.py", text)
    swarmkit.register(Offering(asked="first_asked:Mine", never="never_asked:Mine"), name="mine")
    assert swarmkit.solve("synthetic", "asked", looks=1000).solver == "asked"
    assert "never_asked" not in sys.modules


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


def test_a_plugin_is_registered_once(own_host):
    plugin = Offering(mine=icm())
    swarmkit.register(plugin, name="one")
    with pytest.raises(PluginError, match="it is registered already, as 'one'"):
        swarmkit.register(plugin, name="two")


def together(threads, call):
    """Call a function in several threads that begin at the same moment, and return what each returned."""
    begin = Barrier(threads)

    def wait_and_call(number):
        begin.wait()
        return call(number)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(wait_and_call, range(threads)))


def test_threads_that_ask_at_once_get_the_same_plugins(own_host):
    found = together(
        8, lambda number: (id(own_host()), swarmkit.find("solver", "icm"), len(swarmkit.registered("problem")))
    )
    assert len(set(found)) == 1
    assert not [plugin for plugin in own_host().plugins if plugin.error]


def test_a_hook_is_called_once_however_many_threads_ask(own_host):
    calls = []

    class Slow:
        @hookimpl
        def swarmkit_solvers(self):
            calls.append(1)
            time.sleep(0.05)
            return {"slow": icm_class}

    icm_class = icm()
    swarmkit.register(Slow())
    assert together(4, lambda number: swarmkit.find("solver", "slow")) == [icm_class] * 4
    assert len(calls) == 1


def test_threads_register_plugins_while_others_ask(own_host):
    def register_or_ask(number):
        if number % 2:
            return swarmkit.find("solver", "icm")
        swarmkit.register(Offering(**{f"mine{number}": icm_class}), name=f"plugin{number}")
        return swarmkit.find("solver", f"mine{number}")

    icm_class = icm()
    for _ in range(5):
        assert together(16, register_or_ask) == [icm_class] * 16
        assert len([offer for offer in own_host().offers("solver") if offer.name.startswith("mine")]) == 8
        plugins._host.cache_clear()
