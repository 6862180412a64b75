"""What plugins print goes to stderr, and stdout is itself again afterwards, whenever Ctrl-C comes."""

import dis
import os
import signal
import sys
import threading

import pytest

from swarmkit.plugins.held_interrupt import HeldInterrupt
from swarmkit.plugins.output import plugin_output, plugin_output_diverted


def test_what_is_printed_goes_to_stderr_from_c_too(capfd):
    with plugin_output_diverted():
        with plugin_output(), plugin_output():
            print("by Python")
            os.write(1, b"by C\n")
        print("the answer")
    out, err = capfd.readouterr()
    assert out == "the answer\n"
    assert sorted(err.splitlines()) == ["by C", "by Python"]


def divert():
    with plugin_output_diverted(), plugin_output():
        pass


def interrupt_at(number):
    """Divert, and press Ctrl-C at the given one of the places where CPython looks at signals; return if there is one.

    It looks at them when a function begins, and after calls; the diversion has no loops.
    """
    seen = 0

    def trace(frame, event, _):
        nonlocal seen
        frame.f_trace_opcodes = True
        if event == "opcode" and follows_a_check(frame):
            if seen == number:
                sys.settrace(None)
                signal.raise_signal(signal.SIGINT)
            seen += 1
        return trace

    sys.settrace(trace)
    try:
        divert()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return seen > number  # held back to the end, where none was left to be raised in


def follows_a_check(frame):
    before = [each.opname for each in dis.get_instructions(frame.f_code) if each.offset < frame.f_lasti]
    return bool(before) and before[-1].startswith(("RESUME", "CALL", "PRECALL"))


def test_ctrl_c_at_any_moment_leaves_stdout_as_it_was(capfd):
    number = 0
    while interrupt_at(number):
        print("the answer", number, flush=True)
        os.write(1, b"C\n")
        out, _ = capfd.readouterr()
        assert out == f"the answer {number}\nC\n"
        number += 1
    assert number > 30


def test_ctrl_c_is_held_back_and_then_raised():
    done = []

    def change():
        with HeldInterrupt():
            signal.raise_signal(signal.SIGINT)
            done.append("whole")

    with pytest.raises(KeyboardInterrupt):
        change()
    assert done == ["whole"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_hold_nothing_back():
    handlers = []

    def change():
        with HeldInterrupt():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=change)
    thread.start()
    thread.join()
    assert handlers == [signal.default_int_handler]
