from types import SimpleNamespace

import pytest

import swarmkit
from swarmkit import PluginError, hookimpl
from swarmkit.plugins import host as plugins
from tests.plugins.offering import icm


def test_a_plugin_can_observe_every_run(own_host):
    seen = []

    class Finished:
        @hookimpl
        def swarmkit_finished(self, result):  # a hook may leave out arguments it has no use for
            seen.append(result.solver)

    swarmkit.register(Finished())
    swarmkit.solve("synthetic", "first")
    assert seen == ["first"]


class Diary:
    """A plugin that notes when its hook is called."""

    def __init__(self, name, notes, **options):
        def swarmkit_finished(result):
            notes.append(name)

        self.swarmkit_finished = hookimpl(swarmkit_finished, **options)


def test_plugins_are_called_in_the_order_they_ask_for(own_host):
    notes = []
    swarmkit.register(Diary("last", notes, trylast=True), name="a")
    swarmkit.register(Diary("first", notes, tryfirst=True), name="b")
    swarmkit.register(Diary("middle", notes), name="c")
    swarmkit.solve("synthetic", "first")
    assert notes == ["first", "middle", "last"]


def test_wrappers_of_both_kinds_run_around_the_events(own_host):
    notes = []

    class New:
        @hookimpl(wrapper=True)
        def swarmkit_finished(self):
            notes.append("new before")
            result = yield
            notes.append("new after")
            return result

    class Old:
        @hookimpl(hookwrapper=True, tryfirst=True)
        def swarmkit_finished(self):
            notes.append("old before")
            yield
            notes.append("old after")

    swarmkit.register(New())
    swarmkit.register(Old())
    swarmkit.register(Diary("inside", notes), name="inside")
    swarmkit.solve("synthetic", "first")
    assert notes == ["old before", "new before", "inside", "new after", "old after"]


def test_a_wrapper_may_change_what_is_offered(own_host):
    class Hiding:
        @hookimpl(wrapper=True)
        def swarmkit_solvers(self):
            offered = yield
            kept = [{name: kind for name, kind in solvers.items() if name != "vote"} for solvers in offered]
            return [*kept, {"climb": icm_class}]

    class Adding:
        @hookimpl(hookwrapper=True)
        def swarmkit_problems(self):
            outcome = yield
            outcome.force_result([*outcome.get_result(), {"like-tsp": tsp}])

    icm_class, tsp = icm(), plugins.host().find("problem", "tsp").value
    swarmkit.register(Hiding(), name="hiding")
    swarmkit.register(Adding(), name="adding")
    assert "vote" not in [offer.name for offer in own_host().offers("solver")]
    assert own_host().find("solver", "climb").plugin.name == own_host().find("solver", "icm").plugin.name == "baselines"
    assert own_host().find("problem", "like-tsp").value is tsp
    assert not [plugin for plugin in own_host().plugins if plugin.error]


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("when", ["before", "after", "twice", "never", "nonsense"])
def test_a_wrapper_that_fails_is_broken_alone(own_host, when, old):
    class Failing:
        @hookimpl(wrapper=not old, hookwrapper=old)
        def swarmkit_solvers(self):
            if when == "never":
                return
            if when == "before":
                raise ValueError("ouch")
            result = yield
            if when == "after":
                raise ValueError("ouch")
            if when == "twice":
                yield
            if old and when == "nonsense":
                result.force_result([3])
            return [3]

    swarmkit.register(Failing(), name="odd")
    assert own_host().find("solver", "icm")
    assert own_host().find("solver", "vote")
    [broken] = [plugin for plugin in own_host().plugins if plugin.error]
    said = {"twice": "yielded twice", "never": "did not yield", "nonsense": "expected a list of mappings"}
    assert broken.name == "odd"
    assert said.get(when, "ValueError: ouch") in broken.error


def test_a_plugin_that_fails_in_an_event_is_left_out_of_the_run_alone(own_host):
    notes = []

    class Failing:
        @hookimpl(tryfirst=True)
        def swarmkit_finished(self):
            notes.append("failing")
            raise SystemExit(0)

    swarmkit.register(Failing(), name="odd")
    swarmkit.register(Diary("other", notes), name="other")
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match=r"plugin 'odd' \(registered in Python\): swarmkit_finished failed"):
            swarmkit.solve("synthetic", "first")
    assert notes == ["failing", "other"] * 2


@pytest.mark.parametrize(
    ("plugin", "said"),
    [
        (SimpleNamespace(swarmkit_solvers=hookimpl(lambda: {}, wrapper=True)), "not a generator function"),
        (SimpleNamespace(swarmkit_hookspecs=hookimpl(lambda: {}, wrapper=True)), "cannot be a wrapper"),
    ],
)
def test_wrappers_that_cannot_work_are_refused_at_registration(own_host, plugin, said):
    with pytest.raises(PluginError, match=said):
        swarmkit.register(plugin, name="odd")
    assert own_host().find("solver", "icm")


def test_hooks_of_other_names_and_optional_ones_are_pluggys(own_host):
    class Odd:
        @hookimpl(specname="swarmkit_solvers")
        def my_solvers(self):
            return {"climb": icm()}

        @hookimpl(optionalhook=True)
        def swarmkit_unheard_of(self):
            raise AssertionError("called")

    swarmkit.register(Odd())
    assert own_host().find("solver", "climb").plugin.name == "Odd"
