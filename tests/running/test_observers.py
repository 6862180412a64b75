"""Observers are told of what they listen to; one that fails is left out, the others go on."""

import warnings

import pytest

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
    observers = Observers([listener, object()])
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
