"""Pairwise problems in the field's formats: what is read is what other programs mean by it."""

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest

import swarmkit
from swarmkit.testing import check_problem
from swarmkit_pairwise.problem import PROVED_OPTIMA
from tests.instances import best, files

WCSP = """example 3 3 5 100
2 3 2
2 0 1 0 2
0 1 7
1 2 100
2 2 0 1 1
1 0 4
1 1 2 1
0 5
1 2 250 0
0 3 0
"""
UAI = """MARKOV
3
2 2 3
3
1 0
2 0 1
2 2 1
2
 0.25 0.75
4
 1 2
 3 0
6
 1 2 3 4 5 6
"""


CFN = """{problem: {name: "example", mustbe: "<100.00"}
  variables: {"x": ["a", "b", "c"], y: 2}
  functions: { # comments go on to the end of the line
    "F_0_1": {"scope": ["x", "y"], "defaultcost": 0.00, "costs": ["a" 1 1.00, 1, 0, 2.00, b, 1, 3.25, 2 0 102 2 1 5]},
    {scope: ["x"], costs: [1.5, 0 2]},
    F: {"scope": [], "costs": [-1.50]}
  }
}
"""


def read(tmp_path, name, text, **options):
    (tmp_path / name).write_text(text)
    return swarmkit.make_problem("pairwise", file=str(tmp_path / name), **options)


def everything(problem):
    return np.array(list(itertools.product(*map(range, problem.sizes))))


def test_a_wcsp_has_the_costs_that_its_functions_add_up_to(tmp_path):
    problem = read(tmp_path, "a.wcsp", WCSP.replace("1 2 250 0\n", "1 2 2 0\n"))
    assert problem.sizes.tolist() == [2, 3, 2]
    for x in everything(problem):
        cost = 3 + {(0, 1): 7}.get((x[0], x[1]), 0) + (4 if (x[2], x[0]) == (1, 0) else 1) + 2
        cost += 5 if x[1] == 0 else 2
        found = problem.metrics(x)
        if (x[0], x[1]) == (1, 2):
            assert (found["violated"], found["cost"] > 20) == (1.0, True)
        else:
            assert found == {"cost": cost, "violated": 0.0}
            assert problem.score(x[None]) == cost


def test_forbidden_values_are_worse_than_anything_that_is_allowed(tmp_path):
    text = "hard 2 3 3 1000000\n3 3\n2 0 1 0 2\n0 0 900000\n1 1 1000000\n1 0 0 1\n2 1000000\n1 1 5 0\n"
    problem = read(tmp_path, "a.wcsp", text)
    X = everything(problem)
    violated = np.array([problem.count_violations(x) for x in X])
    assert violated.tolist() == [0, 0, 0, 0, 1, 0, 1, 1, 1]
    assert problem.score(X)[violated > 0].min() > problem.score(X)[violated == 0].max()


def test_a_markov_network_has_the_logarithm_of_the_product_as_its_score(tmp_path):
    problem = read(tmp_path, "a.uai", UAI)
    for x in everything(problem):
        product = [0.25, 0.75][x[0]] * [[1, 2], [3, 0]][x[0]][x[1]] * [[1, 2], [3, 4], [5, 6]][x[2]][x[1]]
        if product:
            assert problem.score(x[None])[0] == pytest.approx(math.log(product))
            assert problem.metrics(x) == {"log of the product": pytest.approx(math.log(product)), "zeros": 0.0}
        else:
            assert problem.score(x[None])[0] < math.log(0.25)  # the smallest product that is not 0
            assert problem.metrics(x)["zeros"] == 1.0
    assert swarmkit.solve(problem, "exhaustive").solution == [1, 0, 2]


def test_a_cost_function_network_has_the_costs_of_its_functions(tmp_path):
    problem = read(tmp_path, "a.cfn", CFN)
    table = [[0, 1], [2, 3.25], [math.inf, 5]]
    for x in everything(problem):
        cost = table[x[0]][x[1]] + [1.5, 0, 2][x[0]] - 1.5
        if cost < math.inf:
            assert problem.metrics(x) == {"cost": cost, "violated": 0.0}
        else:
            assert problem.metrics(x)["violated"] == 1.0
    assert problem.describe(np.array([1, 0])) == [{"variable": "x", "value": "b"}, {"variable": "y", "value": "0"}]


def test_what_must_be_more_is_maximised(tmp_path):
    text = """{problem: {name: most, mustbe: >-5.0} variables: {v1: [a b] v2: [c d]}
    functions: {c0: {scope: [] costs: [-6.0]} c1: {scope: [v1] costs: [1.0 0.5]} {scope: [v2] costs: [1.0 0.5]}
    c12: {scope: [v1 v2] costs: [-1.0 0.5 -2.0 5.5]}}"""
    result = swarmkit.solve(read(tmp_path, "a.cfn", text), "exhaustive")
    assert result.metrics == {"value": 0.5, "violated": 0.0}
    assert [row["value"] for row in result.answer] == ["b", "d"]


@pytest.mark.parametrize("seed", range(3))
def test_what_toulbar2_writes_is_read_as_toulbar2_means_it(tmp_path, seed):
    import pytoulbar2

    rng = np.random.default_rng(seed)
    network = pytoulbar2.CFN(1000.0, resolution=2)
    sizes = [3, 2, 4]
    for name, size in zip("abc", sizes, strict=True):
        network.AddVariable(name, [f"{name}{value}" for value in range(size)])
    for scope in (["a"], ["a", "b"], ["c", "b"], ["a", "c"]):
        count = math.prod(sizes["abc".index(name)] for name in scope)
        network.AddFunction(
            scope, rng.choice([0.0, 1.25, 3.5, 7.75, 1000.0], count, p=[0.3, 0.2, 0.2, 0.2, 0.1]).tolist()
        )
    problems = []
    for name in ("a.cfn", "a.wcsp"):
        network.Dump(str(tmp_path / name))
        problems.append(swarmkit.make_problem("pairwise", file=str(tmp_path / name)))
    best = network.Solve()[1]
    found = [swarmkit.solve(problem, "exhaustive") for problem in problems]
    assert [result.metrics["violated"] for result in found] == [0.0, 0.0]
    assert found[0].metrics["cost"] == pytest.approx(best)
    assert found[1].metrics["cost"] == pytest.approx(100 * best)  # a WCSP has whole numbers


COO = "# vartype=SPIN\n0 0 1.5\n0 7 -2\n7 7 0.5\n7 0 1\n3 3 0\n"
QUBO = "c a comment\np qubo 0 8 2 1\n0 0 1.5\n7 7 0.5\n0 7 -1\n"


def test_coordinates_are_an_energy_of_spins_or_bits(tmp_path):
    spins = read(tmp_path, "a.coo", COO)
    assert [row["variable"] for row in spins.describe(np.zeros(3, int))] == ["0", "3", "7"]
    for x in everything(spins):
        a, _, b = 2 * x - 1
        assert spins.metrics(x) == {"energy": 1.5 * a - a * b + 0.5 * b}
    bits = read(tmp_path, "a.qubo", QUBO)
    for x in everything(bits):
        assert bits.metrics(x) == {"energy": 1.5 * x[0] - x[0] * x[1] + 0.5 * x[1]}
    assert read(tmp_path, "b.coo", "0 1 1\n", vartype="SPIN").network.kind == "Ising model"
    assert read(tmp_path, "b.coo", "0 1 1\n").network.kind == "QUBO"
    with pytest.raises(swarmkit.UsageError, match="its header says vartype=SPIN, vartype=BINARY was given"):
        read(tmp_path, "a.coo", COO, vartype="BINARY")


ISING = SimpleNamespace(
    linear={"a": 1.0, ("b", 1): -0.5}, quadratic={("a", ("b", 1)): 2.0}, offset=0.25, vartype="SPIN"
)


def test_models_in_memory_are_problems_and_keep_the_names_of_their_variables():
    from swarmkit_pairwise import from_dimod

    problem = from_dimod(ISING)
    for x in everything(problem):
        a, b = 2 * x - 1
        assert problem.metrics(x) == {"energy": 0.25 + a - 0.5 * b + 2 * a * b}
    result = swarmkit.solve(problem, "exhaustive")
    assert result.answer == [{"variable": "a", "value": "-1"}, {"variable": "('b', 1)", "value": "+1"}]
    with pytest.raises(swarmkit.UsageError, match="from_dimod was given a dict; expected a binary quadratic model"):
        from_dimod({})


def test_what_dimod_writes_is_read_as_dimod_means_it(tmp_path):
    import json

    import dimod
    from dimod.serialization import coo

    from swarmkit_pairwise import from_dimod

    for seed, vartype in enumerate(["SPIN", "BINARY"]):
        bqm = dimod.generators.gnm_random_bqm(5, 7, vartype, random_state=seed)
        bqm.offset = 0.0
        (tmp_path / "a.json").write_text(json.dumps(bqm.to_serializable()))
        read_back = [from_dimod(bqm), swarmkit.make_problem("pairwise", file=str(tmp_path / "a.json"))]
        (tmp_path / "a.coo").write_text(coo.dumps(bqm, vartype_header=True))
        read_back.append(swarmkit.make_problem("pairwise", file=str(tmp_path / "a.coo")))
        X = everything(read_back[0])
        values = 2 * X - 1 if vartype == "SPIN" else X
        for problem in read_back:
            np.testing.assert_allclose([problem.metrics(x)["energy"] for x in X], bqm.energies(values), atol=1e-5)


JSON = """{"type": "BinaryQuadraticModel", "version": {"bqm_schema": "3.0.0"}, "use_bytes": false, "num_variables": 2,
"variable_labels": ["a", 7], "variable_type": "BINARY", "offset": 0.5, "info": {}, "linear_biases": [1.0, -1.5],
"quadratic_biases": [2.0], "quadratic_head": [0], "quadratic_tail": [1]}"""


def test_dimods_json_is_read(tmp_path):
    problem = read(tmp_path, "a.json", JSON)
    for x in everything(problem):
        assert problem.metrics(x) == {"energy": 0.5 + x[0] - 1.5 * x[1] + 2 * x[0] * x[1]}


WRONG = {
    "empty": ("a.wcsp", "", "line 1: the file ends before the name"),
    "no size": ("a.wcsp", "x y\n", "line 1: 'y' is not a number"),
    "no domain": ("a.wcsp", "x 2 2 0 9\n2 0\n", "line 2: the domain of variable 1 is empty"),
    "large domain": ("a.wcsp", "x 2 2 0 9\n2 3\n", "line 2: 3 as the size of a domain; expected a whole number"),
    "ternary": ("a.wcsp", "x 3 2 1 9\n2 2 2\n3 0 1 2 0 0\n", "line 3: function 0 has the arity 3; expected 0, 1 or 2"),
    "unknown variable": ("a.wcsp", "x 1 2 1 9\n2\n1 1 0 0\n", "line 3: 1 as a variable of function 0"),
    "one variable twice": ("a.wcsp", "x 2 2 1 9\n2 2\n2 1 1 0 0\n", "line 3: function 0 has variable 1 twice"),
    "rule": ("a.wcsp", "x 2 2 1 9\n2 2\n2 0 1 -1 >= 0 0\n", "line 3: function 0 is given by a rule"),
    "unknown value": ("a.wcsp", "x 1 2 1 9\n2\n1 0 0 2\n0 1\n2 1\n", "line 5: the tuple 2; expected at most 1"),
    "missing tuples": ("a.wcsp", "x 1 2 1 9\n2\n1 0 0 9\n0 1\n", "line 4: the file ends after 2 numbers"),
    "missing functions": ("a.wcsp", "x 1 2 2 9\n2\n1 0 0 0\n", "line 3: the file ends after 0 numbers of the arity"),
    "claims": ("a.wcsp", "x 2 1000000 1 9\n1000000 1000000\n2 0 1 0 0\n", "line 3: function 0 needs more than"),
    "no network": ("a.uai", "x\n", "line 1: 'x'; expected a UAI file"),
    "ternary factor": ("a.uai", "MARKOV 3 2 2 2 1\n3 0 1 2\n", "line 2: factor 0 has the arity 3"),
    "short table": ("a.uai", "MARKOV\n1\n2\n1\n1 0\n3\n1 2 3", "line 6: 3 entries of factor 0; expected 2"),
    "negative entry": ("a.uai", "MARKOV\n1\n2\n1\n1 0\n2\n1\n-1\n", "line 8: -1; expected no negative number"),
    "no section": ("a.cfn", "{x: {}}", "line 1: the section 'x'; expected 'problem'"),
    "no bound": ("a.cfn", "{problem: {mustbe: 5}", "line 1: 'mustbe': '5'; expected 'name', or 'mustbe: <bound'"),
    "no variables": ("a.cfn", "{problem:{} variables:{} functions:{}}", "no variable; expected at least one"),
    "open quote": ("a.cfn", '{problem: {}\nvariables: {"a: 2}}', "line 2: a quotation mark without a second one"),
    "same value twice": ("a.cfn", "{problem:{} variables:{x: [a a]}}", "variable 'x'; expected each variable once"),
    "three variables": (
        "a.cfn",
        "{problem: {}\nvariables: {a: 2 b: 2 c: 2}\nfunctions: {f: {scope: [a b c] defaultcost: 0 costs: []}}}",
        "line 3: function 'f' has 3 variables; expected at most 2",
    ),
    "global": (
        "a.cfn",
        CFN.replace("costs: [1.5", "type: clique costs: [1.5"),
        "line 5: function 1 is given by a rule",
    ),
    "unknown scope": ("a.cfn", CFN.replace('["x"], costs', '["z"], costs'), "line 5: 'z' in the scope of function 1"),
    "few costs": ("a.cfn", CFN.replace("0 2]", "0]"), "line 5: function 1 has 2 costs; expected 3"),
    "odd value": ("a.cfn", CFN.replace('["a" 1 1.00', '["z" 1 1.00'), "line 4: 'z' in a tuple of function 'F_0_1'"),
    "odd cost": ("a.cfn", CFN.replace("-1.50", "nan"), "line 6: 'nan' as a cost of function 'F'"),
    "missing end": ("a.cfn", CFN[: CFN.index("costs")], "line 4: "),
    "short line": ("a.coo", "0 0 1\n0 1\n", "line 2: '0 1'; expected lines 'i j bias'"),
    "no variable": ("a.coo", "0 0 1\n0 1.5 1\n", "line 2: variables 0 and 1.5; expected whole numbers from 0"),
    "no bias": ("a.coo", "# vartype=SPIN\n", "line 1: the file ends without a bias"),
    "odd vartype": ("a.coo", "# vartype=INTEGER\n0 0 1\n", "line 1: 'INTEGER' as vartype"),
    "no json": ("a.json", '{\n"type"', "line 2: not JSON"),
    "other json": ("a.json", "[]", "this is not a BinaryQuadraticModel"),
    "odd head": ("a.json", JSON.replace("[0]", "[1]"), "does not name two different variables"),
    "words": ("a.json", JSON.replace("[2.0]", '["x"]'), "'quadratic_biases' is not a list of numbers"),
    "other suffix": ("a.txt", "", "its suffix is none of .uai"),
}


@pytest.mark.parametrize(("name", "text", "said"), WRONG.values(), ids=WRONG)
def test_a_malformed_file_is_refused_with_its_line(tmp_path, name, text, said):
    with pytest.raises(swarmkit.UsageError) as refused:
        read(tmp_path, name, text)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("name", "text"), [("a.wcsp", WCSP), ("a.uai", UAI), ("a.cfn", CFN), ("a.coo", COO), ("a.json", JSON)]
)
def test_problems_of_every_format_keep_the_contract(tmp_path, name, text):
    check_problem(read(tmp_path, name, text), examples=3)


@pytest.mark.parametrize("file", files(["ring.wcsp"], "wcsp", ["CELAR6-SUB0.wcsp"]), ids=lambda file: file.stem)
def test_the_optimum_is_reached(file):
    known = best(file.name) if file.name == "ring.wcsp" else PROVED_OPTIMA[file.stem, 16]
    problem = swarmkit.make_problem("pairwise", file=str(file), optimum=known)
    result = swarmkit.solve(problem, "annealing", looks=50_000_000, target=known)
    assert (result.metrics["cost"], result.cost) == (known, known)
