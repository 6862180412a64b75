"""Planted cheats: each must be refused, with a rule that it breaks as the reason."""

from tests.arena.entries import Cheat

BETTER = """
if len(KEPT) and len(KEPT[-1]) == len(problem.sizes) and len(state.X):
    state.X[0], state.scores[:] = KEPT[-1], np.nan
"""
"""Begins with what was kept; KEPT is to be replaced."""

CLOCK = (
    Cheat(
        "stops early by the wall clock",
        "clock",
        head="import time\nBEGUN = time.perf_counter()",
        after="found = found._replace(done=time.perf_counter() - BEGUN > 5)",
    ),
    Cheat(
        "ends a step when it has taken long",
        "clock",
        head="from time import monotonic",
        before="deadline = monotonic() + 0.005",
        after="if monotonic() > deadline:\n    state.X = state.X[:1]\n    state.scores = state.scores[:1]",
    ),
    Cheat(
        "restarts by the time of day",
        "clock",
        head="import datetime",
        before="if datetime.datetime.now().microsecond % 2:\n    state.scores[:] = np.nan",
    ),
    Cheat("seeds by the clock", "clock", head="import time", start="rng = np.random.default_rng(time.time_ns())"),
    Cheat(
        "stops early by CPU time",
        "clock",
        head="from time import process_time_ns as used",
        after="found = found._replace(done=used() > 40_000_000_000)",
    ),
    Cheat(
        "sets an alarm",
        "clock",
        head="import signal",
        start="signal.setitimer(signal.ITIMER_REAL, 0.05)",
    ),
    Cheat(
        "lets a thread tell it when to stop",
        "process clock",
        head="import threading\nOVER = threading.Event()",
        start="OVER.clear()\nthreading.Timer(0.15, OVER.set).start()",
        after="found = found._replace(done=OVER.is_set())",
    ),
    Cheat(
        "asks the system for its times",
        "clock",
        head="import os",
        after="found = found._replace(done=os.times()[4] < 0)",
    ),
)

MEMORY = (
    Cheat(
        "keeps answers in the module", "memory state", head="KEPT = []", before=BETTER, after="KEPT.append(best.copy())"
    ),
    Cheat(
        "keeps answers by fingerprint",
        "memory state",
        head="ANSWERS = {}",
        start="known = ANSWERS.get(problem.fingerprint)\nif known is not None and len(known) == len(problem.sizes):\n"
        "    return Climbs(known[None].copy(), np.full(1, np.nan))",
        after="ANSWERS[problem.fingerprint] = best.copy()",
    ),
    Cheat(
        "keeps answers on the solver",
        "memory state",
        before=BETTER.replace("KEPT", "self.__dict__.setdefault('kept', [])"),
        after="self.kept.append(best.copy())",
    ),
    Cheat(
        "keeps answers on its class",
        "memory state",
        head="",
        before=BETTER.replace("KEPT", "type(self).kept"),
        after="type(self).kept.append(best.copy())",
        foot="\n\nEntry.kept = []",
    ),
    Cheat(
        "keeps answers in a default argument",
        "memory state",
        head="def kept(new=None, all=[]):\n    all += [] if new is None else [new]\n    return all",
        before=BETTER.replace("KEPT", "kept()"),
        after="kept(best.copy())",
    ),
    Cheat(
        "keeps answers in another module",
        "memory state harness",
        before=BETTER.replace("KEPT", "np.__dict__.setdefault('kept', [])"),
        after="np.kept.append(best.copy())",
    ),
    Cheat(
        "keeps answers in the environment",
        "state memory",
        head="import os",
        before=BETTER.replace("KEPT", "[[int(c) for c in os.environ.get('KEPT', '').split()]]"),
        after="os.environ['KEPT'] = ' '.join(map(str, best))",
    ),
    Cheat(
        "learns its step size over runs",
        "memory state",
        head="RUNS = []",
        start="RUNS.append(1)\nrng.random(len(RUNS))",
    ),
)

SCORE = (
    Cheat("claims more than its solution has", "score", after="found = found._replace(score=score + 1000.0)"),
    Cheat(
        "claims more after a while",
        "score",
        after="if state.steps > 2:\n    found = found._replace(score=score + 0.01 * abs(score))",
    ),
    Cheat(
        "claims the score of another solution",
        "score feasible",
        after="found = found._replace(solution=np.roll(best, 1) % np.asarray(problem.sizes))",
    ),
    Cheat(
        "reports a solution that is none",
        "feasible",
        after="found = found._replace(solution=np.asarray(problem.sizes))",
    ),
    Cheat("claims that nothing is better", "score", after="found = found._replace(bound=score, done=True)"),
    Cheat("claims an impossible bound", "score", after="found = found._replace(bound=score - 1.0)"),
)

COUNT = (
    Cheat(
        "scores by the method inside the counted one",
        "count",
        before="if problem.structure.black_box:\n    Z = random_solutions(problem, 64, rng)\n"
        "    type(problem).score.__wrapped__(problem, Z)",
    ),
    Cheat(
        "sets the count back",
        "count",
        after="problem.meter.rows = max(0, problem.meter.rows - 2)",
    ),
    Cheat(
        "pretends to be inside a score",
        "count",
        before="problem.meter._busy = True",
        after="problem.meter._busy = False",
    ),
    Cheat(
        "scores a copy of the problem",
        "count",
        before="if problem.structure.black_box:\n"
        "    problem.with_own_meter().score(random_solutions(problem, 64, rng))",
    ),
    Cheat(
        "reads all values and counts one",
        "count",
        before="if problem.structure.pairwise is not None and not problem.distinct:\n"
        "    form = problem.structure.pairwise\n    at = np.concatenate([[0], np.cumsum(form.sizes)])\n"
        "    x = np.array([form.unary[a:b].argmax() for a, b in zip(at, at[1:])])\n"
        "    return StepResult(x, float(form.score(x[None])[0]), 1)",
    ),
    Cheat(
        "lets another solver search and counts one look",
        "count budget",
        head="import swarmkit",
        before="if not problem.structure.black_box:\n"
        "    inner = swarmkit.solve(problem, 'icm', seed=int(rng.integers(1000)), looks=50_000)\n"
        "    return StepResult(np.array(inner.solution), inner.score, 1)",
    ),
    Cheat(
        "scores before the run begins",
        "count",
        foot="\n\ndef _prepare(self, problem):\n    if problem.structure.black_box:\n"
        "        problem.with_own_meter().score(random_solutions(problem, 64, np.random.default_rng(0)))\n\n\n"
        "Entry.prepare = _prepare",
    ),
    Cheat(
        "searches while it prepares",
        "count",
        foot="\n\ndef _prepare(self, problem):\n    if problem.structure.black_box:\n"
        "        evaluate(problem, random_solutions(problem, 64, np.random.default_rng(0)))\n\n\n"
        "Entry.prepare = _prepare",
    ),
)

STATE = (
    Cheat(
        "cools down on the solver",
        "state memory",
        before="self.heat = getattr(self, 'heat', 1.0) * 0.9\nrng.random(int(100 * self.heat))",
    ),
    Cheat(
        "counts its steps in the module",
        "state memory",
        head="STEPS = [0]",
        before="STEPS[0] += 1\nif STEPS[0] % 3 == 0:\n    rng.random()",
    ),
    Cheat("keeps something on the problem", "state", before="problem.hint = 1"),
    Cheat(
        "keeps a generator of its own",
        "state generator memory kit",
        start="self.own = np.random.default_rng(rng.integers(2**32))",
        before="own = getattr(self, 'own', None) or np.random.default_rng(0)\nrng.random(int(own.integers(5)))",
    ),
    Cheat(
        "keeps its position in an iterator",
        "state memory",
        head="from itertools import cycle\nTURNS = cycle(range(7))",
        before="rng.random(next(TURNS))",
    ),
    Cheat(
        "keeps an object in its state",
        "state",
        head="class Count(int):\n    pass",
        after="state.steps = Count(state.steps)",
    ),
)

HARNESS = (
    Cheat(
        "raises the tolerance of claims",
        "harness",
        head="import swarmkit.running.metering as claims\nclaims.TOLERANCE = 1e9",
    ),
    Cheat(
        "replaces the meter",
        "harness",
        head="import sys",
        start="meter = sys.modules['swarmkit.contract.meter'].Meter\n"
        "meter.measure = lambda self, score, problem, X: score(problem, X)",
    ),
    Cheat(
        "replaces the code of a function",
        "harness",
        head="import sys",
        before="judge = sys.modules['swarmkit.contract.validation'].judge\n"
        "judge.__code__ = (lambda problem, X: X[:, 0] >= 0).__code__",
    ),
    Cheat(
        "gives all problems a new method",
        "harness",
        head="from swarmkit import Problem\nProblem.answer = lambda self: None",
    ),
    Cheat(
        "silences the kit",
        "harness",
        head="import sys\n_report = sys.modules.get('swarmkit.testing.report')\n"
        "if _report:\n    _report.expect = lambda *a: None",
    ),
    Cheat("replaces numpy's generator", "harness", head="np.random.default_rng = lambda seed=None: None"),
    Cheat(
        "replaces what its process replies",
        "harness count",
        head="import sys\n_main = sys.modules['__main__']\n_main.Contestant._seen = lambda self: []",
    ),
    Cheat("looks into its callers", "harness", head="import sys", before="sys._getframe(1).f_locals.get('seed')"),
    Cheat("looks through all objects", "harness", head="import gc", before="gc.get_objects()"),
    Cheat("reads memory", "harness", head="import ctypes", before="ctypes.string_at(id(problem), 16)"),
    Cheat(
        "writes to the pipe of the referee",
        "harness limits",
        head="import os",
        before="for number in range(3, 64):\n    try:\n        os.write(number, b'x' * 16)\n"
        "    except OSError:\n        pass",
    ),
    Cheat("changes the class of the problem", "harness", before="problem.__class__ = type('P', (type(problem),), {})"),
)

BUDGET = (
    Cheat(
        "scores far more than a step should",
        "budget",
        before="if problem.structure.black_box:\n    for _ in range(40):\n"
        "        evaluate(problem, random_solutions(problem, 2000, rng))",
    ),
    Cheat("makes steps of millions of looks", "budget", after="found = found._replace(looks=looks + 3_000_000)"),
    Cheat("reports negative looks", "count", after="found = found._replace(looks=-1)"),
    Cheat("never ends a step", "limits", before="while state.steps:\n    pass"),
    Cheat("takes all memory", "limits", before="hoard = [np.ones(1 << 26) for _ in range(100)]"),
    Cheat(
        "makes other steps when several are asked for",
        "budget",
        foot="\n\ndef _steps(self, problem, state, rng, count):\n    rng.random(int(count > 1))\n"
        "    return Solver.steps(self, problem, state, rng, count)\n\n\nEntry.steps = _steps",
    ),
    Cheat(
        "goes on when its evaluations are spent",
        "budget",
        before="if problem.structure.black_box:\n    try:\n"
        "        evaluate(problem, random_solutions(problem, 500, rng))\n    except BaseException:\n        pass",
    ),
    Cheat(
        "ends its step itself",
        "harness",
        head="import sys",
        before="if state.steps > 2:\n    raise sys.modules['swarmkit.contract.meter'].StepCut('done')",
    ),
    Cheat("ends its process", "limits", head="import os", before="os._exit(0)"),
)

GENERATOR = (
    Cheat("draws from numpy's global generator", "generator", before="np.random.random()"),
    Cheat("draws from Python's global generator", "generator", head="import random", before="random.random()"),
    Cheat("seeds the global generator", "generator", head="np.random.seed(0)"),
    Cheat("draws from an unseeded generator", "generator", start="rng = np.random.default_rng()"),
    Cheat("draws from the system", "generator", head="import os", before="rng.random(os.urandom(1)[0] % 7)"),
    Cheat("goes by the hashes of strings", "generator", before="rng.random(hash('seed') % 97)"),
)

FILE = (
    Cheat(
        "reads answers from a file",
        "file",
        head="from pathlib import Path",
        before="Path(__file__).with_name('a.json').exists() or open('/etc/hostname').read()",
    ),
    Cheat("reads answers when it is imported", "file", head="ANSWERS = open('/etc/hostname').read()"),
    Cheat(
        "reads an array from a file", "file", before="try:\n    np.load('/etc/hostname')\nexcept ValueError:\n    pass"
    ),
    Cheat(
        "writes what it has found",
        "file",
        after="with open('best.txt', 'w') as kept:\n    kept.write(str(score))",
    ),
    Cheat("lists a folder", "file", head="import os", before="os.listdir('/')"),
    Cheat("imports a module beside it", "loading", head="import answers_of_last_year"),
    Cheat("uses a database", "file", head="import sqlite3", before="sqlite3.connect('kept.db')"),
    Cheat(
        "imports from another folder",
        "file loading",
        head="import sys\nsys.path.insert(0, FOLDER)\nimport answers_of_last_year",
    ),
)

OUTSIDE = (
    Cheat("asks a server", "network", head="import socket", before="socket.create_connection(('127.0.0.1', 9))"),
    Cheat(
        "asks a server by a module it finds at run time",
        "network",
        head="import importlib",
        before="try:\n    importlib.import_module('socket').create_connection(('127.0.0.1', 9), 0.1)\n"
        "except OSError:\n    pass",
    ),
    Cheat("starts a process", "process", before="__import__('subprocess').run(['true'])"),
    Cheat("forks", "process", head="import os", before="if os.fork() == 0:\n    os._exit(0)"),
    Cheat("says that others work for it", "process", foot="\n\nEntry.waits = True"),
)

HIDDEN = (
    Cheat("stops by a thread", "process clock", head="import threading", before="threading.Timer(0.01, print).start()"),
    Cheat(
        "stops by a thread that it finds at run time",
        "process",
        before="__import__('_thread').start_new_thread(print, ())",
    ),
    Cheat(
        "asks for its own CPU time",
        "clock",
        before="import importlib\nimportlib.import_module('resource').getrusage(0)",
    ),
    Cheat(
        "remembers answers by the fingerprint of an instance",
        "memory",
        head="KEPT = {}",
        before="if problem.fingerprint in KEPT and len(state.X):\n"
        "    state.X[0], state.scores[:] = KEPT[problem.fingerprint], np.nan",
        after="if best is not None:\n    KEPT[problem.fingerprint] = best",
    ),
    Cheat("reports a tenth of its looks", "count", after="found = found._replace(looks=max(1, looks // 10))"),
    Cheat(
        "scores by the tables without a report",
        "count",
        after="form = problem.pairwise()\nif form is not None:\n    form.score(random_solutions(problem, 400, rng))",
    ),
    Cheat(
        "searches tables before it starts",
        "count",
        start="if not problem.structure.black_box:\n    evaluate(problem, random_solutions(problem, 2000, rng))",
    ),
    Cheat(
        "counts its steps on itself",
        "state",
        before="self.calls = getattr(self, 'calls', 0) + 1\nrng.random(self.calls)",
    ),
    Cheat(
        "replaces the score of a problem",
        "harness",
        before="object.__setattr__(problem, 'score', lambda X: np.full(len(X), 1e9))",
    ),
    Cheat(
        "replaces a function of swarmkit",
        "harness",
        head="import swarmkit\nswarmkit.evaluate = lambda p, X: p.score(X)",
    ),
    Cheat(
        "draws from a seeded generator of its own",
        "generator",
        head="OWN = np.random.default_rng(1)",
        before="OWN.random()",
    ),
    Cheat(
        "reads answers if there are any",
        "file",
        head="import os",
        before="if os.path.exists('answers.json'):\n    open('answers.json').read()",
    ),
    Cheat("reads answers by its loader", "file", before="__loader__.get_data('/etc/hostname')"),
    Cheat(
        "reads answers by a module for sources",
        "file",
        head="import linecache",
        before="linecache.getline('/etc/hostname', 1)",
    ),
    Cheat(
        "keeps a score in the environment",
        "state",
        head="import os",
        after="os.environ['KEPT'] = str(score)",
    ),
)
"""Cheats that show in what they do rather than in the run."""

SUBTLE = (
    Cheat("asks numpy for the time", "clock", before="rng.random(int(np.datetime64('now').astype(int) % 3))"),
    Cheat(
        "asks for the time in code made from a string",
        "clock generator",
        before="exec('import time\\nrng.random(int(time.time() * 1000) % 3)')",
    ),
    Cheat(
        "asks a library for the time",
        "clock generator",
        head="import logging",
        before="record = logging.makeLogRecord({})\nrng.random(int(record.created * 1000) % 3)",
    ),
    Cheat(
        "asks for the time by a name that a module keeps",
        "clock generator",
        head="import queue",
        before="rng.random(int(queue.time() * 1000) % 3)",
    ),
    Cheat(
        "sets the generator of the run",
        "generator",
        before="seen = rng.bit_generator.state\nseen['state']['state'] = 12345\nrng.bit_generator.state = seen",
    ),
    Cheat("changes the sizes of the problem", "harness", before="problem.sizes = np.array(problem.sizes) * 1 + 1"),
    Cheat(
        "lets the library climb and drops its looks",
        "count",
        head="from swarmkit import local_search",
        before="if problem.structure.tables is not None and len(state.X):\n"
        "    better = local_search(problem, state.X[:1], 'icm', rng)\n"
        "    state.X[:1], state.scores[:] = better.solutions, np.nan",
    ),
    Cheat(
        "reads tables of pairs and counts one",
        "count",
        before="form = problem.structure.tables\n"
        "if form is not None and len(form.edges) > 500 and not problem.distinct:\n"
        "    m, x = int(form.sizes[0]), np.zeros(len(form.sizes), np.int64)\n"
        "    for (i, j), at in zip(form.edges, form.starts):\n"
        "        x[i], x[j] = divmod(int(form.flat[at : at + m * m].argmax()), m)\n"
        "    return StepResult(x, float(form.score(x[None])[0]), 1)",
    ),
    Cheat("reads the environment", "file", head="import os", before="rng.random(len(os.environ.get('HOME', '')) % 2)"),
    Cheat(
        "reads where a link leads to",
        "file",
        head="import os",
        before="try:\n    os.readlink('/tmp/answers')\nexcept OSError:\n    pass",
    ),
    Cheat("sleeps", "clock", head="import time", before="time.sleep(0.001)"),
    Cheat(
        "lowers its bound",
        "score",
        after="if state.steps > 3:\n    found = found._replace(solution=None, score=None, bound=score - 5.0)",
    ),
)
"""Cheats that went unnoticed, or were refused for another rule, before somebody tried them."""

SLOW = (
    "silences the kit",
    "claims that nothing is better",
    "never ends a step",
    "takes all memory",
    "keeps answers by fingerprint",
    "keeps answers on its class",
    "keeps answers in a default argument",
    "keeps answers in another module",
    "counts its steps in the module",
    "keeps its position in an iterator",
    "scores a copy of the problem",
    "sets the count back",
    "lets another solver search and counts one look",
    "draws from the system",
    "asks the system for its times",
    "stops early by CPU time",
    "restarts by the time of day",
    "lists a folder",
    "reads an array from a file",
    "writes what it has found",
    "claims more after a while",
    "claims an impossible bound",
    "lets a thread tell it when to stop",
    "starts a process",
    "looks into its callers",
    "changes the class of the problem",
    "replaces the code of a function",
    "draws from Python's global generator",
    "asks a library for the time",
    "asks for the time in code made from a string",
    "reads where a link leads to",
)
"""Cheats that take seconds, or of which a sibling is in the short suite: with --long."""

CHEATS = (*CLOCK, *MEMORY, *SCORE, *COUNT, *STATE, *HARNESS, *BUDGET, *GENERATOR, *FILE, *OUTSIDE, *HIDDEN, *SUBTLE)
