"""`swarmkit wsd serve`: the same senses as `disambiguate`, batches, limits, refusals in words, a clean end."""

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from swarmkit import make_settings
from swarmkit.serving import Guard, Rules
from swarmkit_wsd import disambiguate
from swarmkit_wsd.answers import Answers
from swarmkit_wsd.options import WsdOptions
from swarmkit_wsd_services.commands.serve import read_token
from swarmkit_wsd_services.server.answering import Answering
from swarmkit_wsd_services.server.app import RequestCounter, Service
from swarmkit_wsd_services.server.batching import LARGEST_BATCH, Batcher, QueueFull
from swarmkit_wsd_services.server.messages import Limits
from swarmkit_wsd_services.server.metrics import Metrics

pytestmark = pytest.mark.usefixtures("source")

TEXT = "They sat on the bank of the river. Zyxgrub left."
RIVER, MONEY = "bank%1:17:01::", "bank%1:14:00::"
PORT = 8500
OURS = f"http://127.0.0.1:{PORT}"


LIMITS = Limits()


def make_client(answering=None, limits=LIMITS, **rules):
    metrics = Metrics()
    answering = answering or Answering(make_settings(WsdOptions, {"preset": "fast"}, "wsd"))
    service = Service(answering, limits, metrics, rules.get("bearer") is not None)
    guard = Guard(service.app(), Rules(port=PORT, largest=limits.body, public=frozenset({"/healthz"}), **rules))
    return TestClient(RequestCounter(guard, metrics), base_url=OURS)


@pytest.fixture(scope="module")
def client(source):
    with make_client() as made:
        yield made


def ask(client, **fields):
    return client.post("/v1/senses", json=fields)


def plain(found):
    return [sense.model_dump(mode="json", exclude={"alternatives"}) for sense in found]


def test_senses_are_those_of_disambiguate(client):
    answer = ask(client, text=TEXT)
    assert answer.status_code == 200
    expected = plain(disambiguate(TEXT, preset="fast"))
    assert answer.json() == {"preset": "fast", "senses": expected, "unknown": ["Zyxgrub"]}
    words = ["The", "bank", "was", "steep"]
    given = {"pos": [None, "n", "v", "a"], "targets": [1, 3]}
    assert ask(client, tokens=words, **given).json()["senses"] == plain(disambiguate(words, preset="fast", **given))
    known = {"16": MONEY}
    assert ask(client, text=TEXT, known=known).json()["senses"] == plain(
        disambiguate(TEXT, preset="fast", known={16: MONEY})
    )
    more = Answers(0.3, 2)
    found = [sense.model_dump(mode="json") for sense in disambiguate(TEXT, preset="fast", answers=more)]
    assert ask(client, text=TEXT, alternatives=2, min_confidence=0.3).json()["senses"] == found
    assert ask(client, text="").json() == {"preset": "fast", "senses": [], "unknown": []}


def test_several_texts_of_a_request_are_answered_each_on_its_own(client):
    texts = [TEXT, "", "The bank lent money."]
    answer = ask(client, texts=texts, min_confidence=0.3)
    senses = [plain(disambiguate(text, preset="fast", answers=Answers(0.3))) for text in texts]
    unknown = [["Zyxgrub"], [], []]
    parts = [{"senses": one, "unknown": names} for one, names in zip(senses, unknown, strict=True)]
    assert answer.json() == {"preset": "fast", "texts": parts}
    description = client.get("/openapi.json").json()
    schema = {"$ref": "#/components/schemas/TextsResponse", "components": description["components"]}
    jsonschema.validate(answer.json(), schema)
    assert ask(client, texts=[]).json() == {"preset": "fast", "texts": []}
    assert ask(client, texts=["a " * 15_000, "b " * 15_000]).status_code == 413
    assert "known goes with one text" in ask(client, texts=["The bank."], known={"4": RIVER}).json()["error"]


def test_a_batch_has_the_answers_of_its_requests_alone():
    answering = Answering(make_settings(WsdOptions, {"preset": "best"}, "wsd"))
    with make_client(answering) as client, ThreadPoolExecutor(8) as threads:
        texts = [f"{TEXT} The year was {year}, and the bank closed." for year in range(12)]
        answers = list(threads.map(lambda text: ask(client, text=text).json()["senses"], texts))
        lines = client.get("/metrics").text
    assert answers == [plain(disambiguate(text, preset="best")) for text in texts]
    batches = float(re.search(r"^swarmkit_batch_requests_count (\S+)$", lines, re.M)[1])
    assert re.search(r"^swarmkit_batch_requests_sum 12.0$", lines, re.M)
    assert batches < 12


WRONG = {
    "no JSON": (b"{nonsense", 400, "not valid JSON"),
    "nothing": (b"", 400, "not valid JSON"),
    "NaN": (b'{"text": "a", "min_confidence": NaN}', 400, "a finite one is expected"),
    "infinite": (b'{"text": "a", "min_confidence": 1e999}', 400, "a finite one is expected"),
    "deep": (b'{"text": ' + b"[" * 50_000 + b"]" * 50_000 + b"}", 400, "nested"),
    "not UTF-8": (b'{"text": "\xff"}', 400, "not UTF-8"),
    "UTF-16": ('{"text": "a"}'.encode("utf-16"), 400, "not UTF-8"),
    "half a character": (b'{"text": "\\ud800"}', 400, "surrogates"),
    "a list": (b"[]", 422, "valid dictionary or instance"),
    "a number": (b"3", 422, "valid dictionary or instance"),
    "no text": (b"{}", 422, "expected either text, texts or tokens"),
    "text and tokens": (b'{"text": "a", "tokens": ["a"]}', 422, "expected either text, texts or tokens"),
    "text as a number": (b'{"text": 3}', 422, "text: input should be a valid string"),
    "text as null": (b'{"text": null}', 422, "expected either text, texts or tokens"),
    "tokens as text": (b'{"tokens": "a"}', 422, "tokens: input should be a valid list"),
    "a token that is none": (b'{"tokens": ["a", 1]}', 422, "tokens.1: input should be a valid string"),
    "no tokens": (b'{"tokens": []}', 200, ""),
    "too few pos": (b'{"tokens": ["a"], "pos": []}', 422, "pos has 0 values for 1 words"),
    "targets with a text": (b'{"text": "a", "targets": [0]}', 422, "go with tokens"),
    "a target outside": (b'{"tokens": ["a"], "targets": [5]}', 422, "5"),
    "a target below 0": (b'{"tokens": ["a"], "targets": [-1]}', 422, "targets.0"),
    "a true target": (b'{"tokens": ["a"], "targets": [true]}', 422, "targets.0"),
    "an unknown field": (b'{"text": "a", "txet": 1}', 422, "txet: extra inputs are not permitted"),
    "an expert": (b'{"text": "a", "experts": ["touch x"]}', 422, "experts: extra inputs are not permitted"),
    "a preset": (b'{"text": "a", "preset": "best"}', 422, "preset: extra inputs are not permitted"),
    "a known sense of another word": (b'{"text": "The bank.", "known": {"4": "x%1:00:00::"}}', 422, "expected one of"),
    "a known place without a word": (b'{"text": "The bank.", "known": {"5": "x%1:00:00::"}}', 422, "no word begins"),
    "a known place that is none": (b'{"text": "The bank.", "known": {"a": "x%1:00:00::"}}', 422, "whole number"),
    "known as a list": (b'{"text": "a", "known": ["b"]}', 422, "known: input should be a valid dictionary"),
    "too long": (json.dumps({"text": "a" * 20_001}).encode(), 413, "20,001 characters; at most 20,000"),
    "too many words": (json.dumps({"text": "a " * 5_000}).encode(), 413, "5,000 words; at most 4,000"),
    "too many tokens": (json.dumps({"tokens": ["a"] * 4_001}).encode(), 413, "4,001 words"),
    "too many known": (
        json.dumps({"text": "a", "known": {str(at): "a" for at in range(4_001)}}).encode(),
        413,
        "4,001",
    ),
    "a huge body": (b'{"text": "' + b"a" * 600_000 + b'"}', 413, "the body is too large"),
    "a huge number": (b'{"text": "a", "alternatives": 1' + b"0" * 400 + b"}", 400, "digits"),
    "too many alternatives": (b'{"text": "a", "alternatives": 101}', 422, "alternatives"),
}


@pytest.mark.parametrize(("body", "status", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_request_is_refused_with_a_sentence(client, body, status, said):
    answer = client.post("/v1/senses", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == status, answer.text
    assert status == 200 or list(answer.json()) == ["error"]
    assert said in answer.text
    assert len(answer.text) < 2_000


SCALARS = st.none() | st.booleans() | st.integers(-3, 10**6) | st.floats() | st.text(max_size=30)
FIELDS = st.sampled_from(["text", "tokens", "pos", "targets", "known", "alternatives", "min_confidence", "x"])
VALUES = st.recursive(SCALARS, lambda one: st.lists(one, max_size=3) | st.dictionaries(st.text(max_size=3), one))


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.dictionaries(FIELDS, VALUES, max_size=4) | VALUES)
def test_no_request_is_an_internal_error(client, fields):
    answer = client.post("/v1/senses", content=json.dumps(fields), headers={"Content-Type": "application/json"})
    assert answer.status_code in (200, 400, 413, 422), answer.text
    assert answer.status_code == 200 or answer.json()["error"]


def test_wrong_paths_methods_types_and_hosts_are_refused_with_a_sentence(client):
    for answer, status, said in [
        (client.get("/nothing"), 404, "nothing is served at /nothing; there are /v1/senses"),
        (client.get("/v1/senses"), 405, "GET is not served at /v1/senses; expected POST"),
        (client.post("/healthz", json={}), 405, "expected GET"),
        (client.put("/v1/senses", json={}), 405, "PUT is not served"),
        (client.options("/v1/senses"), 405, "OPTIONS is not served"),
        (client.post("/v1/senses", data={"text": "a"}), 415, "expected application/json"),
        (client.post("/v1/senses", content=b"{}"), 415, "expected application/json"),
        (client.post("/v1/senses", json={"text": "a"}, headers={"Host": "evil.example"}), 421, "is not served here"),
        (client.post("/v1/senses", json={"text": "a"}, headers={"Origin": "http://evil.example"}), 403, "may not use"),
    ]:
        assert (answer.status_code, list(answer.json())) == (status, ["error"])
        assert said in answer.json()["error"]


def test_a_token_is_needed_everywhere_but_for_the_health():
    with make_client(bearer="a-long-secret-token") as client:
        assert client.get("/healthz").json()["status"] == "ok"
        assert ask(client, text="A river.").status_code == 401
        assert client.get("/metrics").status_code == 401
        client.headers["Authorization"] = "Bearer a-long-secret-token"
        assert ask(client, text="A river.").json()["senses"][0]["word"] == "river"
        described = client.get("/openapi.json").json()
        assert described["security"] == [{"token": []}]
        assert described["paths"]["/healthz"]["get"]["security"] == []


def test_answers_are_as_the_description_says(client):
    document = client.get("/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    assert sorted(document["paths"]) == ["/healthz", "/metrics", "/openapi.json", "/v1/senses"]

    def check(answer, path, method):
        response = document["paths"][path][method]["responses"][str(answer.status_code)]
        schema = response["content"]["application/json"]["schema"] | {"components": document["components"]}
        jsonschema.validate(answer.json(), schema)

    check(client.get("/healthz"), "/healthz", "get")
    for fields in ({"text": TEXT}, {"text": TEXT, "alternatives": 3}, {"tokens": ["bank"]}, {"text": 3}, {"x": 1}):
        check(ask(client, **fields), "/v1/senses", "post")
    request = document["components"]["schemas"]["SensesRequest"] | {"components": document["components"]}
    jsonschema.validate({"tokens": ["bank"], "targets": [0], "pos": [None], "known": {"0": RIVER}}, request)
    for wrong in ({"text": 3}, {"tokens": "a"}, {"txet": "a"}, {"text": "a", "min_confidence": 2}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, request)


def test_metrics_count_requests_words_batches_and_times_and_no_text(client):
    before = numbers(client)
    ask(client, text="The secret zebra sat by the river.")
    ask(client, text=3)
    client.get("/secret-zebra")
    text = client.get("/metrics")
    assert text.headers["content-type"].startswith("text/plain; version=0.0.4")
    after = numbers(client)

    def grown(name):
        return after[name] - before.get(name, 0)

    assert grown('swarmkit_requests_total{path="/v1/senses",status="200"}') == 1
    assert grown('swarmkit_requests_total{path="/v1/senses",status="422"}') == 1
    assert grown('swarmkit_requests_total{path="other",status="404"}') == 1
    assert grown("swarmkit_words_total") == 4
    assert grown("swarmkit_batch_requests_count") == 1
    assert grown("swarmkit_request_seconds_count") == 2
    assert grown('swarmkit_request_seconds_bucket{le="+Inf"}') == 2
    assert after["swarmkit_errors_total"] == 0
    assert "zebra" not in text.text


def numbers(client):
    """The metrics by name, each line being of the format that Prometheus reads."""
    found = {}
    for line in client.get("/metrics").text.splitlines():
        if line.startswith("#"):
            assert re.fullmatch(r"# (HELP|TYPE) [a-z_]+ \S.*", line)
        else:
            name, value = re.fullmatch(r'([a-z_]+(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})?) (\S+)', line).groups()
            found[name] = float(value)
    return found


class Slow(Answering):
    """Answers when it is allowed to."""

    def __init__(self):
        super().__init__(make_settings(WsdOptions, {"preset": "fast"}, "wsd"))
        self.begun, self.go_on = threading.Event(), threading.Event()

    def __call__(self, requests):
        self.begun.set()
        assert self.go_on.wait(20)
        return super().__call__(requests)


def test_a_full_queue_and_a_late_answer_are_refused_and_may_be_asked_again():
    slow = Slow()
    with make_client(slow, Limits(seconds=1.0, waiting=2)) as client, ThreadPoolExecutor(5) as threads:
        first = threads.submit(ask, client, text="A river.")
        assert slow.begun.wait(20)
        others = [threads.submit(ask, client, text="A river.") for _ in range(4)]
        answers = [one.result() for one in (first, *others)]
        slow.go_on.set()
        said = sorted(answer.json()["error"] for answer in answers)
        assert [answer.status_code for answer in answers] == [503] * 5
        assert {answer.headers["retry-after"] for answer in answers} == {"1"}
        assert (
            said
            == ["no answer within 1 seconds; ask again later, or for less"] * 3
            + ["too many requests wait; ask again later"] * 2
        )
        until = time.monotonic() + 20
        while (again := ask(client, text="A river.")).status_code == 503 and time.monotonic() < until:
            time.sleep(0.05)
        assert again.status_code == 200


def test_an_error_of_ours_says_where_and_repeats_no_text(capfd):
    class Broken(Answering):
        def _senses(self, request):
            raise ValueError(f"a secret: {request.text}")

    with make_client(Broken(make_settings(WsdOptions, {"preset": "fast"}, "wsd"))) as client:
        answer = ask(client, text="zebra")
    assert (answer.status_code, list(answer.json())) == (500, ["error"])
    said = capfd.readouterr()
    assert "ValueError at" in said.err
    assert "zebra" not in answer.text + said.err + said.out


def test_a_batcher_takes_what_waits_and_skips_what_nobody_waits_for():
    batches = []

    async def play():
        entered, gate = asyncio.Event(), threading.Event()
        loop = asyncio.get_running_loop()

        def work(requests):
            batches.append(list(requests))
            loop.call_soon_threadsafe(entered.set)
            gate.wait(20)
            return [-request for request in requests]

        batcher = Batcher(work, LARGEST_BATCH + 2, lambda size: None)
        running = asyncio.create_task(batcher.run())
        first = asyncio.create_task(batcher.ask(0, 1))
        await entered.wait()
        tasks = [asyncio.create_task(batcher.ask(number, 1)) for number in range(1, LARGEST_BATCH + 3)]
        await asyncio.sleep(0)
        assert batcher.waiting == LARGEST_BATCH + 2
        with pytest.raises(QueueFull):
            await batcher.ask(99, 1)
        tasks[0].cancel()
        gate.set()
        found = await asyncio.gather(first, *tasks[1:])
        running.cancel()
        batcher.close()
        return found

    assert asyncio.run(play()) == [-number for number in (0, *range(2, LARGEST_BATCH + 3))]
    assert [len(batch) for batch in batches] == [1, LARGEST_BATCH - 1, 2]


def test_an_error_of_the_work_reaches_those_who_wait_and_the_next_are_answered():
    async def play():
        batcher = Batcher(lambda requests: [1 // request for request in requests], 4, lambda size: None)
        running = asyncio.create_task(batcher.run())
        with pytest.raises(ZeroDivisionError):
            await batcher.ask(0, 1)
        assert await batcher.ask(1, 1) == 1
        running.cancel()
        batcher.close()

    asyncio.run(play())


# The command


@pytest.fixture
def served(command):
    """Start the real server on a free port; give the process and the port."""

    def start(*arguments, **more):
        process = command("wsd", "serve", "--port", "0", "--preset", "fast", *arguments, **more)
        line = process.stderr.readline()
        return process, int(re.search(r"http://127\.0\.0\.1:(\d+) ", line)[1])

    return start


def post(port, body, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", "/v1/senses", body, {"Content-Type": "application/json", **headers})
    answer = connection.getresponse()
    found = answer.status, json.loads(answer.read())
    connection.close()
    return found


def test_a_terminated_server_answers_what_has_arrived_and_logs_no_text(served):
    process, port = served(env=os.environ | {"SWARMKIT_TOKEN": "a-token-of-the-environment"})
    secret = {"Authorization": "Bearer a-token-of-the-environment"}
    assert post(port, b"{}")[0] == 401
    text = json.dumps({"text": "The zebra sat on the bank of the river. " * 60})
    status, _ = post(port, iter([b"a" * 70_000] * 8), **secret)  # chunked, without a length
    assert status == 413
    with ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(post, port, text, **secret) for _ in range(4)]
        time.sleep(0.15)  # they have arrived, and are not answered yet
        process.send_signal(signal.SIGTERM)
        answers = [one.result() for one in asked]
    assert [status for status, _ in answers] == [200] * 4
    assert len(answers[0][1]["senses"]) == 240
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0
    assert (out, err) == ("", "swarmkit: the server has ended\n")
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), 1)


def test_1500_idle_connections_without_a_token_lock_nobody_out(served):
    _, port = served(env=os.environ | {"SWARMKIT_TOKEN": "a-token-of-the-environment"})
    idle = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(1500)]
    begin = time.monotonic()
    secret = {"Authorization": "Bearer a-token-of-the-environment"}
    assert post(port, b'{"text": "A river."}', **secret)[0] == 200
    assert time.monotonic() - begin < 5
    for connection in idle:
        assert connection.recv(1) == b""  # the server has closed it
        connection.close()


def test_ctrl_c_ends_the_server(served):
    process, port = served()
    assert post(port, b'{"text": "A river."}')[0] == 200
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--host", "0.0.0.0"], "can be reached by other machines: expected a token, by --token-file"),  # noqa: S104  (it is refused)
        (["--host", "::"], "can be reached by other machines: expected a token"),
        (["--host", "my-machine"], "is no address"),
        (["--token-file", "short"], "a token of 5 characters; expected at least 16"),
        (["--token-file", "odd"], "not ASCII"),
        (["--token-file", "missing"], "missing"),
        (["-P", "text=a"], "'wsd serve' takes its texts from requests"),
        (["--preset", "bst"], "preset"),
        (["--port", "70000"], "--port"),
    ],
)
def test_wrong_options_are_refused_before_anything_is_loaded(cli, tmp_path, monkeypatch, arguments, said):
    monkeypatch.delenv("SWARMKIT_TOKEN", raising=False)
    (tmp_path / "short").write_text("short\n")
    (tmp_path / "odd").write_text("a long töken with spaces")
    answer = cli("wsd", "serve", *arguments)
    assert answer.code == 2
    assert said in " ".join(answer.err.split())


def test_a_port_that_is_taken_is_refused(cli):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        answer = cli("wsd", "serve", "--port", str(taken.getsockname()[1]))
    assert answer.code == 2
    assert "choose another port" in answer.err


def test_a_token_is_read_from_a_file_or_from_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("SWARMKIT_TOKEN", "from-the-environment")
    (tmp_path / "token").write_text("from-a-file-of-ours\n")
    assert read_token(tmp_path / "token") == "from-a-file-of-ours"
    assert read_token(None) == "from-the-environment"
    monkeypatch.delenv("SWARMKIT_TOKEN")
    assert read_token(None) is None


@pytest.mark.parametrize("package", ["prometheus_client", "starlette", "uvicorn"])
def test_without_its_extra_the_server_says_how_to_get_it(cli, monkeypatch, package):
    for name in [name for name in sys.modules if name.startswith((package, "swarmkit_wsd_services.server."))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    answer = cli("wsd", "serve", "--preset", "fast", "--port", "0")
    assert answer.code == 3
    assert f"needs {package}" in answer.err
    assert "pip install" in answer.err
