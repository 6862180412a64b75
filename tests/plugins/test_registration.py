"""Whatever a plugin raises or does while it is imported or asked, it is broken by name, and alone."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import swarmkit
from swarmkit import PluginError
from swarmkit.plugins import registration
from swarmkit.plugins.host import Host
from tests.plugins.offering import Offering, icm, write

MUTE = """
class Mute(Exception):
    def __str__(self):
        raise ValueError("no words")
"""

RAISED = {
    "raise BaseException('all of it')": "BaseException: all of it",
    "raise GeneratorExit": "GeneratorExit: ",
    "import asyncio\nraise asyncio.CancelledError('stop')": "CancelledError: stop",
    "raise KeyboardInterrupt": "it raised KeyboardInterrupt",
    "raise SystemExit(3)": "SystemExit: 3",
    MUTE + "raise Mute": "Mute: its text cannot be read: ValueError",
}
"""What a plugin raises, and how that is listed."""


def install(folder, name, text):
    """Put a distribution with one plugin into a folder, as pip does."""
    write(folder / f"{name}_plugin.py", text)
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[swarmkit]\n{name} = {name}_plugin\n")


def start(folder, *arguments):
    """Start the command in a process that finds what is installed in a folder."""
    code = "from swarmkit.cli import main; main()"
    environment = os.environ | {"PYTHONPATH": str(folder)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", code, *arguments], env=environment, cwd=folder, **pipes)


@pytest.mark.parametrize("text", RAISED)
def test_whatever_an_import_raises_breaks_the_plugin_alone(tmp_path, monkeypatch, text):
    monkeypatch.syspath_prepend(tmp_path)
    install(tmp_path, "odd", text)
    sys.modules.pop("odd_plugin", None)
    host = Host()
    assert {plugin.name: plugin.error for plugin in host.plugins if plugin.error} == {"odd": RAISED[text]}
    assert host.find("solver", "icm").value is icm()


@pytest.mark.parametrize("error", [BaseException("ouch"), KeyboardInterrupt(), GeneratorExit("ouch")])
def test_whatever_a_hook_raises_breaks_the_plugin_alone(own_host, error):
    class Failing:
        @swarmkit.hookimpl
        def swarmkit_solvers(self):
            raise error

    swarmkit.register(Failing(), name="odd")
    assert "icm" in swarmkit.registered("solver")
    [broken] = [plugin for plugin in own_host().plugins if plugin.error]
    assert broken.error.startswith("swarmkit_solvers: ")


@pytest.mark.parametrize("text", RAISED)
def test_whatever_the_module_of_a_class_raises_is_a_sentence(own_host, tmp_path, monkeypatch, text):
    monkeypatch.syspath_prepend(tmp_path)
    write(tmp_path / "module_of_class.py", text)
    sys.modules.pop("module_of_class", None)
    swarmkit.register(Offering(mine="module_of_class:Mine"), name="odd")
    with pytest.raises(PluginError, match=r"plugin 'odd'.*solver 'mine' cannot be imported"):
        swarmkit.make_solver("mine")
    assert "icm" in swarmkit.registered("solver")


def test_an_observer_that_raises_anything_is_left_out(own_host):
    class Failing:
        @swarmkit.hookimpl
        def swarmkit_improved(self, run):
            raise GeneratorExit

    swarmkit.register(Failing(), name="odd")
    with pytest.warns(RuntimeWarning, match=r"plugin 'odd'.*swarmkit_improved failed .*\(GeneratorExit: \)"):
        assert swarmkit.solve("synthetic", "icm", looks=1000).score is not None


def test_broken_plugins_are_listed_and_commands_work_beside_them(tmp_path):
    for number, text in enumerate(RAISED):
        install(tmp_path, f"odd{number}", text)
    out, err = start(tmp_path, "list", "--json").communicate(timeout=60)
    broken = {entry["plugin"]: entry["error"] for entry in json.loads(out)["broken"]}
    assert broken == {f"odd{number}": said for number, said in enumerate(RAISED.values())}, err


@pytest.mark.parametrize(
    "text",
    [
        "import time\ntime.sleep(60)",
        "import swarmkit, time\n@swarmkit.hookimpl\ndef swarmkit_solvers():\n    time.sleep(60)",
    ],
)
def test_an_import_or_hook_that_hangs_is_named_and_ctrl_c_ends_it(tmp_path, text):
    install(tmp_path, "slow", text)
    process, begin = start(tmp_path, "list"), time.monotonic()
    assert "plugin 'slow' (slow 1.0) is still being loaded or called after 5 seconds" in process.stderr.readline()
    assert registration.PATIENCE <= time.monotonic() - begin < 4 * registration.PATIENCE
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
