import json
from types import SimpleNamespace

import pytest

import swarmkit
from swarmkit import hookimpl
from swarmkit.cli.app import called_alone, make_app


def test_a_command_cannot_take_the_name_of_ours(cli, own_host):
    def hijack():
        raise AssertionError("called")

    swarmkit.register(SimpleNamespace(swarmkit_commands=hookimpl(lambda: {"list": hijack})), name="thief")
    said = cli("list")
    assert said.code == 0
    assert "name of one of swarmkit's own" in said.out


def test_plugins_share_a_group_of_commands(cli, own_host):
    for name in ("ants", "bees"):
        command = {f"visit {name}": lambda name=name: print(f"visiting {name}")}
        swarmkit.register(SimpleNamespace(swarmkit_commands=hookimpl(lambda command=command: command)), name=name)
    assert cli("visit", "bees").out == "visiting bees\n"
    said = cli("visit", "--help").out
    assert "ants" in said
    assert "bees" in said
    assert "Did you mean 'bees'" in cli("visit", "bee").err


def test_a_plugin_adds_a_command_to_the_group_of_another(cli, own_host):
    group = swarmkit.new_group("Visits.")
    group.command("ants")(lambda: print("visiting ants"))
    offers = {
        "host": {"visit": group},
        "guest": {"visit bees": lambda: print("visiting bees")},
        "thief": {"visit ants": lambda: print("stealing")},
    }
    for name, command in offers.items():
        swarmkit.register(SimpleNamespace(swarmkit_commands=hookimpl(lambda c=command: c)), name=name)
    assert cli("visit", "ants").out == "visiting ants\n"
    assert cli("visit", "bees").out == "visiting bees\n"
    assert [command.name for command in group.registered_commands] == ["ants"]
    [broken] = json.loads(cli("list", "--json").out)["broken"]
    assert (broken["plugin"], "in the group 'visit'" in broken["error"]) == ("thief", True)


def test_a_command_cannot_take_the_name_of_a_group_and_a_group_not_that_of_a_command_of_ours(cli, own_host):
    for name, command in (("friend", "visit bees"), ("thief", "visit"), ("guest", "new world")):
        swarmkit.register(SimpleNamespace(swarmkit_commands=hookimpl(lambda c=command: {c: lambda: None})), name=name)
    said = cli("list", "--json")
    errors = {broken["plugin"]: broken["error"] for broken in json.loads(said.out)["broken"]}
    assert "friend" not in errors
    assert "the name of a group of other commands" in errors["thief"]
    assert "name of one of swarmkit's own" in errors["guest"]
    assert cli("visit", "bees").code == 0


@pytest.mark.parametrize(
    ("arguments", "commands", "groups"),
    [
        (["list", "--json"], ["list"], []),
        (["wsd", "tag"], [], ["wsd"]),
        (["lst"], None, None),
        (["--traceback", "list"], None, None),
        ([], None, None),
    ],
)
def test_only_the_command_that_is_called_is_read_if_its_name_is_known(own_host, arguments, commands, groups):
    whole, reduced = make_app(own_host()), called_alone(make_app(own_host()), arguments)
    for kind, expected in {"registered_commands": commands, "registered_groups": groups}.items():
        every, kept = ([one.name for one in getattr(app, kind)] for app in (whole, reduced))
        assert kept == (every if expected is None else expected)
