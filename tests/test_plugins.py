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
    assert Host(only="synthetic,baselines").kinds == ["problem", "solver", "annotator", "command"]


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


def test_a_plugin_is_registered_once(own_host):
    plugin = Offering(mine=icm())
    swarmkit.register(plugin, name="one")
    with pytest.raises(PluginError, match="it is registered already, as 'one'"):
        swarmkit.register(plugin, name="two")


FAILING = """
import ctypes, os, sys
from asyncio import CancelledError
import numpy as np
import swarmkit

print("at import")

class Failing(swarmkit.Solver):
    "Fail as asked."
    class Params(swarmkit.Settings):
        how: str = ""

    def start(self, problem, rng) -> dict:
        if self.params.how == "start":
            raise ValueError("at once")
        print("in start")
        return {}

    def step(self, problem, state, rng):
        if self.params.how == "raise":
            return self.helper()
        if self.params.how == "exit":
            sys.exit(0)
        if self.params.how == "cancel":
            raise CancelledError
        if self.params.how == "none":
            return None
        if self.params.how == "print":
            print("in step")
            os.write(1, b"by the file\\n")
            ctypes.CDLL(None).puts(b"from C")
        x = np.zeros(len(problem.sizes), np.int64)
        return swarmkit.Found(x, float(problem.score(x[None])[0]), looks=len(x), done=self.params.how == "print")

    def helper(self):
        return {}["key"]

class Odd(swarmkit.Problem):
    "Fail as asked."
    class Options(swarmkit.Settings):
        how: str = ""

    @classmethod
    def build(cls, options):
        if options.how == "build":
            raise OSError("no such place")
        made = cls()
        made.sizes, made.how, made.calls = (2, 2), options.how, 0
        return made

    def score(self, X):
        self.calls += len(X)
        if self.calls > 20 and self.how == "score":
            raise ArithmeticError("no sum")
        return np.full(len(X), np.nan if self.calls > 20 and self.how == "nan" else 1.0)

    def feasible(self, X):
        if self.how == "feasible":
            raise TypeError
        return np.ones(len(X) + (self.how == "shape"), bool)

    def describe(self, x):
        if self.how == "describe":
            raise sys.exit(3)
        return []

@swarmkit.hookimpl
def swarmkit_solvers():
    return {"failing": Failing}

@swarmkit.hookimpl
def swarmkit_problems():
    return {"odd": Odd}
"""


@pytest.fixture
def failing(own_host, tmp_path):
    return write(tmp_path / "failing_plugin.py", FAILING)


def place(file, text):
    """The line of a file that contains a text."""
    [line] = [n for n, line in enumerate(Path(file).read_text().splitlines(), 1) if text in line]
    return f"{file}:{line}"


@pytest.mark.parametrize(
    ("how", "code", "method", "line", "error"),
    [
        ("start", 1, "Failing.start failed at", 'ValueError("at once")', "(ValueError: at once)"),
        ("raise", 1, "Failing.helper failed at", '{}["key"]', "(KeyError: 'key')"),
        ("exit", 1, "Failing.step failed at", "sys.exit(0)", "(SystemExit: 0)"),
        ("cancel", 1, "Failing.step failed at", "raise CancelledError", "(CancelledError)"),
        ("none", 2, "Failing.step returned None; expected a Found (Failing.step:", "def step", ""),
    ],
)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_solver_that_fails_is_named_with_the_place(cli, failing, how, code, method, line, error, jobs):
    many = ("--runs", "2", "--jobs", jobs)
    said = cli("--plugin", failing, "solve", "-p", "synthetic", "-a", "failing", "-A", f"how={how}", *many)
    assert said.code == code
    last = said.err.splitlines()[-1]
    assert last.startswith("swarmkit: plugin 'failing_plugin' (")
    assert f"failing_plugin.py): {method} {place(failing, line)}" in last
    assert error in last
    assert "Traceback" not in said.err
    assert said.out == ""


@pytest.mark.parametrize(
    ("how", "code", "method", "line", "error"),
    [
        ("build", 1, "Odd.build failed at", "no such place", "(OSError: no such place)"),
        ("score", 1, "Odd.score failed at", "no sum", "(ArithmeticError: no sum)"),
        ("feasible", 1, "Odd.feasible failed at", "raise TypeError", "(TypeError)"),
        ("describe", 1, "Odd.describe failed at", "sys.exit(3)", "(SystemExit: 3)"),
        ("nan", 2, "Odd.score returned nan for [0, 0]; scores must be finite (Odd.score:", "def score", ""),
        ("shape", 2, "Odd.feasible must return one truth value per solution (Odd.feasible:", "def feasible", ""),
    ],
)
def test_a_problem_that_fails_is_named_with_the_place(cli, failing, how, code, method, line, error):
    arguments = ("solve", "-p", "odd", "-P", f"how={how}", "-a", "failing", "--evaluations", "40")
    said = cli("--plugin", failing, *arguments)
    assert said.code == code
    assert f"plugin 'failing_plugin' ({failing}): {method} {place(failing, line)}" in said.err
    assert error in said.err
    assert "Traceback" not in said.err


def test_a_plugin_that_fails_in_a_comparison_is_named_and_the_others_are_compared(cli, failing):
    arguments = ("-p", "synthetic", "-a", "failing,icm", "-A", "failing.how=raise", "--runs", "2", "--looks", "1000")
    for jobs in ("1", "2"):
        said = cli("--plugin", failing, "compare", *arguments, "--jobs", jobs)
        assert said.code == 1
        assert "Failing.helper failed at " + place(failing, 'return {}["key"]') in said.err
        assert "icm" in said.out


@pytest.mark.parametrize("where", [0, 3, 7])
def test_authors_can_see_the_traceback(cli, failing, where):
    arguments = ["--plugin", failing, "solve", "-p", "synthetic", "-a", "failing", "-A", "how=raise"]
    said = cli(*arguments[:where], "--traceback", *arguments[where:])
    assert "Traceback (most recent call last)" in said.err
    assert 'return {}["key"]' in said.err
    assert "--traceback shows" not in said.err
    assert "Traceback" not in cli(*arguments).err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_plugin_that_prints_does_not_spoil_the_document(command, failing, jobs):
    many = ("--runs", "2", "--jobs", jobs)
    process = command("--plugin", failing, "solve", "-p", "odd", "-a", "failing", "-A", "how=print", *many, "--json")
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert len(json.loads(out)["runs"]) == 2
    for text in ("at import", "in start", "in step", "by the file", "from C"):
        assert text in err, text


def test_a_problem_of_a_program_raises_its_own_error():
    class Mine(swarmkit.Problem):
        sizes = (2, 2)

        def score(self, X):
            raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        swarmkit.solve(Mine(), "icm")
