"""Result files, experiments and options from elsewhere: refused in a sentence, whatever they nest, count or spell."""

import json

import pytest

import swarmkit
from swarmkit import UsageError
from swarmkit.comparison.experiment import read_experiment
from swarmkit.comparison.labels import distinct_labels
from swarmkit.contract.bounded_json import parse_json
from swarmkit.contract.result import read_results

DEEP = "[" * 5000 + "]" * 5000
SOUND = swarmkit.solve("synthetic", "random", looks=500).model_dump(mode="json")


@pytest.mark.parametrize(
    "text", [DEEP, "[" * 150 + "]" * 150, "9" * 301, "NaN", "[1e999]", '"\\ud800"', '{"\\udfff": 1}']
)
def test_json_out_of_bounds_is_refused(text):
    with pytest.raises(ValueError, match=r".+"):
        parse_json(text)


def test_json_within_bounds_is_what_json_says():
    for value in ({"a": [1, 2.5, None, True, "é"]}, 10**299, [[]] * 3):
        assert parse_json(json.dumps(value)) == value


CHANGES = {
    "nothing": "",
    "a number": "3",
    "a list": "[]",
    "nested": DEEP,
    "not UTF-8": b"\xff{}",
    "runs that are none": {"runs": []},
    "runs that are numbers": {"runs": [3]},
    "a negative seed": SOUND | {"seed": -1},
    "looks of 200 bits": SOUND | {"looks": 2**200},
    "negative looks": SOUND | {"looks": -1},
    "an infinite score in words": SOUND | {"score": "1e999"},
    "seconds that are no number": SOUND | {"seconds": "nan"},
    "a trace with a short column": SOUND | {"trace": SOUND["trace"] | {"looks": []}},
    "a trace that goes back": SOUND | {"trace": {**SOUND["trace"], **{k: [5, 1] for k in SOUND["trace"]}}},
    "nested options": SOUND | {"options": {"n": [[[[]]]] * 3}},
    "huge options": SOUND | {"options": {"n": 10**290}},
    "half a character": SOUND | {"problem": "\ud800"},
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_result_from_elsewhere_is_refused_in_a_sentence(cli, tmp_path, what):
    content = CHANGES[what] if isinstance(CHANGES[what], str | bytes) else json.dumps(CHANGES[what])
    (tmp_path / "x.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    said = cli("replay", "x.json")
    assert (said.code, said.err.count("\n")) == (2, 1), said.err


def test_a_sound_result_is_still_read(tmp_path):
    (tmp_path / "x.json").write_text(json.dumps(SOUND))
    assert read_results(tmp_path / "x.json")[0].model_dump(mode="json") == SOUND


WHOLE = "problems = ['synthetic']\nsolvers = ['random']\n"
EXPERIMENTS = {
    "nested": f"problems = {DEEP}",
    "nested tables": WHOLE + "[problems" + ".a" * 5000 + "]",
    "a name with many dots": "a." * 100_000 + "a = 1",
    "a quoted name with many dots": '"a".' * 100_000 + "a = 1",
    "a number of 400 digits": WHOLE + f"seed = {'9' * 400}",
    "a number of 5,000 digits": WHOLE + f"seed = {'9' * 5000}",
    "no number": WHOLE + "budget.seconds = nan",
    "no number as an option": "problems = [{name = 'tsp', options = {n = inf}}]\nsolvers = ['random']",
    "a date": "problems = [{name = 'tsp', options = {n = 2020-01-01}}]\nsolvers = ['random']",
    "too many runs": WHOLE + "runs = 1000000000000",
    "too many combinations": "problems = [{name = 'synthetic', sweep = {"
    + ", ".join(f"{name} = {list(range(1, 99))}" for name in ("n", "polysemy", "window", "seed"))
    + "}}]\nsolvers = ['random']",
    "a null byte": WHOLE + "\0",
    "not UTF-8": WHOLE.encode() + b"\xff",
}


@pytest.mark.parametrize("what", EXPERIMENTS)
def test_an_experiment_from_elsewhere_is_refused_in_a_sentence(tmp_path, what):
    text = EXPERIMENTS[what]
    (tmp_path / "x.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UsageError, match=r"x\.toml") as refused:
        read_experiment(tmp_path / "x.toml")
    assert len(str(refused.value)) < 1000


def test_names_with_some_dots_and_texts_with_many_are_read(tmp_path):
    text = "...".join(["one, two"] * 100)
    (tmp_path / "x.toml").write_text(
        f"problems = ['synthetic']\nsolvers = [{{name = 'random', label = '{text}'}}]\nbudget.looks = 9"
    )
    assert read_experiment(tmp_path / "x.toml").budget.looks == 9


def test_many_labels_are_made_in_time():
    entries = [("sa", {"cooling": i / 1000, "hot": 1}) for i in range(3000)]
    assert len(set(distinct_labels(entries))) == 3000


OPTIONS = [DEEP, "[NaN]", "9" * 30, "9" * 400, "9" * 5000, "-" + "9" * 30, "1e999", "nan", '{"a": 1}', "\udcff", "½"]


@pytest.mark.parametrize("value", OPTIONS, ids=range(len(OPTIONS)))
@pytest.mark.parametrize(
    "option", ["-P n={}", "-P seed={}", "-A draws={}", "--looks {}", "--iterations {}", "--evaluations {}"]
)
def test_an_option_out_of_bounds_is_refused_in_a_sentence(cli, option, value):
    flag, given = option.format(value).split(" ", 1)
    said = cli("solve", "-p", "synthetic", "-a", "random", "--seconds", "0.1", flag, given)
    assert said.code == 2, said.err
    assert "internal error" not in said.err
    assert len(said.err) < 12_000


def test_a_number_that_python_cannot_write_is_refused_in_a_sentence():
    for number in (2**63, -(2**64), 10**5000):
        with pytest.raises(UsageError, match="n: "):
            swarmkit.make_problem("synthetic", n=number)
