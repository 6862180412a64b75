"""What plugins print goes to stderr, and stdout is itself again afterwards, whenever Ctrl-C comes."""

import dis
import os
import signal
import subprocess
import sys
import threading

from swarmkit.plugins.output import divert_plugin_output, plugin_output


def test_what_is_printed_goes_to_stderr_from_c_too(capfd):
    with divert_plugin_output():
        with plugin_output(), plugin_output():
            print("by Python")
            os.write(1, b"by C\n")
        print("the answer")
    os.write(1, b"afterwards\n")
    out, err = capfd.readouterr()
    assert out == "the answer\nafterwards\n"
    assert sorted(err.splitlines()) == ["by C", "by Python"]


def divert():
    with plugin_output():
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
    with divert_plugin_output():
        while interrupt_at(number):
            print("the answer", number, flush=True)
            out, _ = capfd.readouterr()
            assert out == f"the answer {number}\n"
            number += 1
    assert number > 10


def test_threads_that_run_plugins_share_one_stdout(capfd):
    begun, printed = threading.Event(), threading.Event()

    def run():
        with plugin_output():
            begun.set()
            printed.wait(60)

    with divert_plugin_output():
        thread = threading.Thread(target=run)
        thread.start()
        begun.wait(60)
        print("meanwhile")
        printed.set()
        thread.join()
        print("afterwards")
    assert capfd.readouterr() == ("afterwards\n", "meanwhile\n")


def test_a_worker_prints_to_stderr(start_process):
    code = "import os, swarmkit.plugins.output as output; output.divert_for_good(); print(1); os.write(1, b'2')"
    process = start_process([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = process.communicate(timeout=60)
    assert (out, sorted(err.split())) == ("", ["1", "2"])


def test_a_command_writes_to_a_pipe(start_process):
    command = f"'{sys.executable}' -c 'from swarmkit.cli import main; main()' describe icm | cat"
    process = start_process(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = process.communicate(timeout=60)
    assert ("Besag" in out, err) == (True, "")
