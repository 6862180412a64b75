"""Observers are told of what they listen to; one that fails is left out, the others go on."""

import warnings

import pytest

import swarmkit
from swarmkit.contract.errors import UsageError
from swarmkit.running.observers import Observers


class Listener:
    """Note what happens."""

    def __init__(self):
        self.heard = []

    def swarmkit_stepped(self, run):
        self.heard.append(run)


class Failing(Listener):
    """Fail at the second step."""

    def swarmkit_stepped(self, run):
        super().swarmkit_stepped(run)
        if len(self.heard) == 2:
            raise ValueError("too much")


def test_an_observer_hears_the_events_that_it_has_methods_for():
    listener = Listener()
    observers = Observers([listener])
    observers.notify("swarmkit_started", run=1)
    observers.notify("swarmkit_stepped", run=2)
    observers.notify("swarmkit_finished", run=3, result=4)
    assert listener.heard == [2]


def test_an_observer_that_fails_is_named_once_and_left_out_for_that_event_alone():
    failing, other = Failing(), Listener()
    observers = Observers([failing, other])
    observers.notify("swarmkit_stepped", run=1)
    with pytest.warns(RuntimeWarning, match=r"Failing: swarmkit_stepped failed .* \(ValueError: too much\)"):
        observers.notify("swarmkit_stepped", run=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        observers.notify("swarmkit_stepped", run=3)
    assert (failing.heard, other.heard) == ([1, 2], [1, 2, 3])


class Misspelt:
    def swarmkit_improve(self, run):
        raise AssertionError("no event calls it")


class WithoutPrefix:
    def on_improved(self, run):
        raise AssertionError("no event calls it")


@pytest.mark.parametrize("observer", [Misspelt(), WithoutPrefix()])
def test_a_method_that_no_event_calls_is_named_with_the_event_that_it_resembles(observer):
    with pytest.raises(UsageError, match=r"no event named '.*improve.*'\. Did you mean 'swarmkit_improved'"):
        swarmkit.solve("synthetic", "icm", looks=100, observers=[observer])


def test_an_observer_of_nothing_is_refused_with_the_events():
    with pytest.raises(UsageError, match="has none of the methods swarmkit_started, swarmkit_stepped"):
        swarmkit.solve("synthetic", "icm", looks=100, observers=[print])


def test_a_plugin_may_be_an_observer():
    class Both:
        seen = 0

        def swarmkit_solvers(self):
            return {}

        def swarmkit_finished(self, run, result):
            self.seen += 1

    both = Both()
    swarmkit.solve("synthetic", "icm", looks=100, observers=[both])
    assert both.seen == 1
