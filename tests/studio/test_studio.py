"""The studio's server: what it refuses, what it runs, and that nothing is left behind."""

import asyncio
import base64
import json
import re
import signal
import socket
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

import swarmkit
from swarmkit.contract.errors import UsageError
from swarmkit.serving import Guard, Rules
from swarmkit.studio.app import Studio, make_app
from swarmkit.studio.jobs import WAITING, Queue
from swarmkit.studio.requests import TEXT, limits, run_task
from swarmkit.studio.uploads import UploadStore, file_fields, safe_name
from tests.comparing import compared
from tests.conftest import ROOT
from tests.studio.studios import studio

OURS = "http://127.0.0.1:8765"
HEADERS = {"Origin": OURS}

ODD = '''
import os, time
import numpy as np
import swarmkit

class Endless(swarmkit.Solver):
    """A step that never ends."""
    def start(self, problem, rng): return {}
    def step(self, problem, state, rng):
        open("step", "w").close()
        time.sleep(600)

class Deadly(Endless):
    """A step that ends the process."""
    def step(self, problem, state, rng): os._exit(9)

class Chatty(Endless):
    """A step that prints, and raises."""
    def step(self, problem, state, rng):
        os.write(1, b"printed to the pipe")
        print("printed")
        raise ValueError("on purpose")

@swarmkit.hookimpl
def swarmkit_solvers(): return {"endless": Endless, "deadly": Deadly, "chatty": Chatty}
'''


@contextmanager
def opened_studio(folder, files=(), seconds=60.0):
    """Yield a client that is signed in."""
    uploads = UploadStore(folder)
    uploads.add_files(list(files))
    app = make_app(Studio(uploads, Queue(folder), seconds))
    guarded = Guard(app, Rules(port=8765, ticket="secret", api=("/api/", "/view/")))
    with TestClient(guarded, base_url=OURS, headers=HEADERS) as client:
        client.get("/?token=secret")
        yield client


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("studio")
    instance = folder / "named.txt"
    instance.write_text("They sat on the bank.")
    with opened_studio(folder, [instance]) as made:
        yield made


def events(client, job):
    """Return all events of a job."""
    lines = client.get(f"/api/jobs/{job}/events").text.splitlines()
    return [
        json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ") and line != "data: {}"
    ]


def until(condition, seconds=30.0):
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)
    return found


def state(client, job):
    return next(one["state"] for one in client.get("/api/jobs").json() if one["id"] == job)


def alive(pid):
    """Whether a process runs; one that has ended and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def workers_of(pid):
    """Return the processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_a_run_is_what_the_same_call_in_python_gives(client):
    asked = {"problem": "synthetic", "options": {"n": 30}, "solver": "ils", "budget": {"looks": 20_000}, "seed": 3}
    job = client.post("/api/jobs", json=asked).json()["id"]
    told = events(client, job)
    names = [next(iter(event)) for event in told]
    assert names[:3] == ["state", "state", "begin"]
    assert {"more", "end"} <= set(names)
    expected = swarmkit.solve(swarmkit.make_problem("synthetic", n=30), "ils", looks=20_000, seed=3)
    assert told[-1]["state"] == "done"
    assert told[-1]["result"]["score"] == pytest.approx(expected.score, rel=1e-9)
    [whole] = [event["end"] for event in told if "end" in event]
    assert whole["improvements"][-1]["solution"] == expected.solution
    assert swarmkit.Result.model_validate_json(client.get(f"/view/{job}/result").content).score == expected.score


def test_a_movie_of_a_run_is_served_in_a_sandbox(client):
    asked = {"problem": "synthetic", "options": {"n": 8}, "solver": "icm", "budget": {"looks": 1000}}
    job = client.post("/api/jobs", json=asked).json()["id"]
    events(client, job)
    answer = client.get(f"/view/{job}/movie")
    policy = answer.headers["content-security-policy"]
    assert answer.status_code == 200
    assert "sandbox allow-scripts;" in policy
    assert "allow-same-origin" not in policy
    assert "'unsafe" not in policy
    assert re.search(r"script-src 'sha256-[^']+'", policy)
    assert "attachment" in client.get(f"/view/{job}/movie?keep").headers["content-disposition"]
    assert client.get(f"/view/{job}/recording").content[:2] == b"PK"


def test_the_page_names_no_inline_script_and_loads_from_here_alone(client):
    answer = client.get("/")
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert not re.search(r"<script(?! src=\"/static/)|<style| on\w+=|https?:", answer.text)
    for name in re.findall(r'(?:src|href)="(/static/[^"]+)"', answer.text):
        assert client.get(name).status_code == 200


def test_without_the_cookie_nothing_is_answered(client):
    stranger = TestClient(client.app, base_url=OURS, headers=HEADERS)
    for path in ("/", "/api/catalogue", "/static/studio.js", "/view/file-1/opened", "/api/jobs/job-1/events"):
        assert stranger.get(path).status_code == 401
    assert stranger.post("/api/jobs", json={"problem": "synthetic"}).status_code == 401
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 421
    assert client.post("/api/jobs", json={}, headers={"Origin": "http://evil.example"}).status_code == 403


@pytest.mark.parametrize(
    "given", ["/etc/hostname", "../named.txt", "named.txt", "file-9", "", 1, {"path": "/"}, ["file-1"]]
)
def test_a_path_in_a_request_is_refused(client, given):
    for problem in ("tsp", "wsd"):
        answer = client.post("/api/jobs", json={"problem": problem, "options": {"file": given}})
        assert (answer.status_code, "a request names no path" in answer.json()["error"]) == (422, True)


HIDDEN = [
    {"measure": "lin", "measure_params": {"ic": "/etc/hostname"}},
    {"measure": "weighted-mean", "measure_params": {"params": {"lin": {"ic": "../x.dat"}}}},
    {"measure_params": {"a/b": 1}},
    {"measure": "~/x"},
    {"text_id": "file:///etc/hostname"},
    {"language": "C:\\x"},
]


@pytest.mark.parametrize("options", HIDDEN, ids=range(len(HIDDEN)))
def test_a_path_in_a_setting_that_is_no_file_is_refused_too(client, options):
    answer = client.post("/api/jobs", json={"problem": "wsd", "options": options})
    assert (answer.status_code, "a request names no path" in answer.json()["error"]) == (422, True)


@pytest.mark.usefixtures("source")
def test_a_name_without_a_folder_leads_to_no_file(client):
    assert (Path.cwd() / "README.md").is_file()
    options = {"preset": "paper", "measure": "lin", "measure_params": {"ic": "README.md"}}
    job = client.post("/api/jobs", json={"problem": "wsd", "options": options}).json()["id"]
    last = events(client, job)[-1]
    assert (last["state"], "no information content file named 'README.md'" in last["error"]) == ("failed", True)


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/..%2fapp.py", "/static/%2fetc%2fhostname", "/static/app.py"]
)
def test_only_the_files_of_the_page_are_served(client, path):
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("number", ["..", "%2e%2e%2fx", "file-99", "job-99"])
def test_what_is_not_there_is_refused_in_words(client, number):
    for path in (f"/view/{number}/opened", f"/view/{number}/movie", f"/api/jobs/{number}/events"):
        answer = client.get(path)
        assert answer.status_code in (404, 422)
        assert answer.json()["error"]


WRONG = [
    ([], "no JSON object"),
    ({}, "'problem' is needed"),
    ({"problem": "nothing"}, "no problem named 'nothing'"),
    ({"problem": "synthetic", "solver": "gredy"}, "Did you mean 'greedy'?"),
    ({"problem": "synthetic", "options": {"n": "many"}}, "problem 'synthetic': n:"),
    ({"problem": "synthetic", "options": {"x": 1}}, "no setting named 'x'"),
    ({"problem": "synthetic", "options": [1]}, "options is no JSON object"),
    ({"problem": "synthetic", "seed": -1}, "the seed is no whole number"),
    ({"problem": "synthetic", "seed": True}, "the seed is no whole number"),
    ({"problem": "synthetic", "budget": {"seconds": 61}}, "at most 60 seconds"),
    ({"problem": "synthetic", "budget": {"looks": 0}}, "greater than 0"),
    ({"problem": "synthetic", "plugin": "x.py"}, "'plugin' is not part of a run"),
]


@pytest.mark.parametrize(("given", "words"), WRONG, ids=[words for _, words in WRONG])
def test_what_cannot_be_run_is_refused_at_once(client, given, words):
    answer = client.post("/api/jobs", json=given)
    assert answer.status_code == 422
    assert words in answer.json()["error"]


def test_a_text_is_checked_before_it_waits(client):
    for given, words in [
        ({"annotator": "wsd", "text": " "}, "there is no text"),
        ({"annotator": "wsd", "text": "x" * 20_001}, "at most 20,000"),
        ({"annotator": "none", "text": "x"}, "no annotator named"),
        ({"annotator": "wsd", "text": "x", "file": "/etc/hostname"}, "nothing else"),
    ]:
        answer = client.post("/api/texts", json=given)
        assert (answer.status_code, words in answer.json()["error"]) == (422, True), answer.text


def test_a_named_file_can_be_chosen_and_its_path_is_not_told(client):
    [file] = [one for one in client.get("/api/files").json() if not one["uploaded"]]
    assert (file["name"], file["kind"]) == ("named.txt", "other")
    assert set(file) == {"id", "name", "kind", "uploaded", "size"}
    assert client.get(f"/view/{file['id']}/opened").status_code == 422


def upload(client, name, content):
    return client.post("/api/files", json={"name": name, "content": base64.b64encode(content).decode()})


def test_an_uploaded_instance_is_solved(client):
    text = "4\n0 1 2 9\n1 0 1 2\n2 1 0 1\n9 2 1 0\n"
    qap = f"4\n\n{text[2:]}\n{text[2:]}"
    file = upload(client, "../../odd name.dat", qap.encode()).json()
    assert (file["name"], file["kind"]) == ("../../odd name.dat", "other")
    asked = {"problem": "qap", "options": {"file": file["id"]}, "budget": {"looks": 2000}}
    last = events(client, client.post("/api/jobs", json=asked).json()["id"])[-1]
    assert last["state"] == "done", last


def test_uploads_are_opened_and_damaged_ones_refused_without_their_path(client, tmp_path):
    recorder = swarmkit.Recorder(tmp_path / "run.rec")
    swarmkit.solve(swarmkit.make_problem("synthetic", n=6), "icm", looks=500, observers=[recorder])
    recording = (tmp_path / "run.rec").read_bytes()
    good = upload(client, "run.rec", recording).json()
    assert (good["kind"], client.get(f"/view/{good['id']}/opened").status_code) == ("recording", 200)
    bad = upload(client, "<b>run.rec", recording[:200]).json()
    answer = client.get(f"/view/{bad['id']}/opened")
    assert answer.status_code == 422
    assert "<b>run.rec" in answer.json()["error"]
    assert "upload-" not in answer.json()["error"]


def test_a_store_becomes_a_report_in_a_sandbox(client, tmp_path):
    from swarmkit.comparison.store import Store

    with Store(tmp_path / "runs.db") as store:
        for record in compared():
            store.add(record)
    file = upload(client, "runs.db", (tmp_path / "runs.db").read_bytes()).json()
    answer = client.get(f"/view/{file['id']}/opened")
    assert (file["kind"], answer.status_code) == ("store", 200), answer.text[:300]
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "viterbi" in answer.text


@pytest.mark.parametrize("given", [{}, {"name": "x"}, {"name": "x", "content": "%%%"}, {"name": 1, "content": ""}])
def test_an_upload_that_is_none_is_refused(client, given):
    assert client.post("/api/files", json=given).status_code == 422


def test_json_that_is_none_is_refused(client):
    for body in (b"{", b"[" * 5000, b"NaN", b"\xff"):
        answer = client.post("/api/jobs", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 422
        assert "JSON" in answer.json()["error"]


LONG = {"problem": "synthetic", "options": {"n": 200}, "solver": "annealing", "budget": {"seconds": 60}}


def test_a_run_stops_when_it_is_told_to_and_what_waits_never_begins(client):
    first = client.post("/api/jobs", json=LONG).json()["id"]
    until(lambda: state(client, first) == "running")
    others = [client.post("/api/jobs", json=LONG).json()["id"] for _ in range(WAITING)]
    refused = client.post("/api/jobs", json=LONG)
    assert (refused.status_code, "wait already" in refused.json()["error"]) == (422, True)
    for job in others:
        client.post(f"/api/jobs/{job}/stop", json={})
    assert all(state(client, job) == "stopped" for job in others)
    begun = time.monotonic()
    client.post(f"/api/jobs/{first}/stop", json={})
    last = events(client, first)[-1]
    assert time.monotonic() - begun < 30  # of 60 seconds
    assert (last["state"], last["result"]["stopped"]) == ("stopped", "stopped by the viewer")


def test_settings_that_hold_a_file_are_marked(client):
    schema = client.get("/api/schema/problem/tsp").json()["schema"]
    assert {name for name, entry in schema["properties"].items() if entry.get("x-file")} == {"file", "tour"}


@pytest.mark.long
def test_every_problem_and_solver_has_a_form(client):
    found = client.get("/api/catalogue").json()
    assert found["default"] == "auto"
    for kind in ("problem", "solver"):
        for one in found[f"{kind}s"]:
            schema = client.get(f"/api/schema/{kind}/{one['name']}").json()["schema"]
            for name, entry in schema.get("properties", {}).items():
                assert entry.get("description"), f"{one['name']}: {name}"
                assert "default" in entry or name in schema["required"]


def test_fields_with_several_files_cannot_be_set():
    schema = {"properties": {"many": {"type": "array", "items": {"type": "string", "format": "path"}}, "n": {}}}
    assert file_fields(schema) == {"many": False}


def test_limits_always_have_seconds():
    assert limits({}, 5.0) == {"seconds": 5.0}
    assert limits({"seconds": 2, "target": 1.5}, 5.0) == {"seconds": 2.0, "target": 1.5}


def test_two_named_files_of_one_name_are_told_apart(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.tsp").write_text("x")
    uploads = UploadStore(tmp_path)
    uploads.add_files([tmp_path / "a/x.tsp", tmp_path / "b/x.tsp"])
    assert [entry.name for entry in uploads.entries.values()] == ["a/x.tsp", "b/x.tsp"]
    with pytest.raises(UsageError, match="no such file"):
        uploads.add_files([tmp_path / "c.tsp"])


def test_names_of_uploads_cannot_leave_their_folder(tmp_path):
    uploads = UploadStore(tmp_path)
    for name in ("/etc/x", "..", "a/../../b", "..\\..\\c", "\0", "x" * 500, "é😀"):
        path = uploads.upload(name, b"").path
        assert path.parent.parent == tmp_path
        assert safe_name(name) not in ("", ".", "..")


def test_a_request_reaches_files_by_their_numbers_alone(tmp_path):
    (tmp_path / "x.tsp").write_text("x")
    uploads = UploadStore(tmp_path)
    uploads.add_files([tmp_path / "x.tsp"])
    task = run_task({"problem": "tsp", "options": {"file": "file-1"}}, uploads, 10)
    assert task["options"] == {"file": str(tmp_path / "x.tsp")}
    with pytest.raises(UsageError, match="no path"):
        run_task({"problem": "tsp", "options": {"file": str(tmp_path / "x.tsp")}}, uploads, 10)


def small_task(solver):
    given = {"problem": "synthetic", "options": {"n": 5}, "params": {}, "budget": {"looks": 100}, "seed": 0}
    return {**given, "solver": solver}


def test_runs_that_come_or_are_stopped_while_the_process_starts_are_not_forgotten(tmp_path):
    async def scenario():
        queue = Queue(tmp_path)
        queue.start()
        try:
            await asyncio.sleep(0.001)  # the process is being started
            jobs = [await queue.add("", small_task("icm"), 60) for _ in range(2)]
            await queue.stop(jobs[0])
            return [[json.loads(event) async for event in job.follow() if event][-1]["state"] for job in jobs]
        finally:
            await queue.close()

    assert asyncio.run(asyncio.wait_for(scenario(), 60)) == ["stopped", "done"]


def test_a_run_that_hangs_or_dies_takes_its_process_with_it_and_no_other_run(tmp_path, monkeypatch):
    monkeypatch.setattr("swarmkit.studio.jobs.GRACE", 0.2)
    plugin = tmp_path / "odd.py"
    plugin.write_text(ODD)

    async def scenario():
        queue = Queue(tmp_path, [str(plugin)])
        queue.start()
        try:
            hanging = await queue.add("", small_task("endless"), 60)
            while not (tmp_path / "empty" / "step").exists():  # before its first step, a run can be stopped
                await asyncio.sleep(0.01)
            await queue.stop(hanging)
            jobs = [hanging] + [await queue.add("", small_task(name), 60) for name in ("deadly", "chatty", "icm")]
            return [[json.loads(event) async for event in job.follow() if event][-1] for job in jobs]
        finally:
            await queue.close()

    hung, died, raised, fine = asyncio.run(scenario())
    assert (hung["state"], "its process was ended" in hung["error"]) == ("stopped", True)
    assert (died["state"], "exit code 9" in died["error"]) == ("failed", True)
    assert (raised["state"], "on purpose" in raised["error"]) == ("failed", True)
    assert fine["state"] == "done"


ENDS = [
    pytest.param(signal.SIGINT, id="ctrl-c"),
    pytest.param(signal.SIGTERM, id="term", marks=pytest.mark.long),
    pytest.param(signal.SIGKILL, id="kill", marks=pytest.mark.long),
]


@pytest.mark.parametrize("how", ENDS)
def test_no_process_is_left_when_the_studio_ends(how):
    import httpx2

    with studio() as (process, address):
        base = address.partition("/?")[0]
        with httpx2.Client(base_url=base, headers={"Origin": base}, timeout=30) as web:
            assert web.get(address).status_code == 303
            job = web.post("/api/jobs", json=LONG).json()["id"]
            until(lambda: state(web, job) == "running")
            with web.stream("GET", f"/api/jobs/{job}/events") as watched:
                for line in watched.iter_lines():
                    if '"more"' in line:
                        break
                workers = workers_of(process.pid)
                assert workers
                process.send_signal(how)
                code = process.wait(30)
    until(lambda: not any(alive(worker) for worker in workers), 30)
    assert code == (-9 if how == signal.SIGKILL else 0)


def test_the_command_names_what_is_wrong(cli, tmp_path):
    said = cli("studio", "--no-browser", "nothing.rec")
    assert (said.code, "nothing.rec: no such file" in said.err) == (2, True)
    assert "Example:" in cli("studio", "--help").out


def test_a_request_in_utf_16_is_refused(client):
    for body in ('{"problem": "synthetic"}'.encode("utf-16"), '{"problem": "synthetic"}'.encode("utf-16-le")):
        answer = client.post("/api/jobs", content=body, headers={**HEADERS, "Content-Type": "application/json"})
        assert (answer.status_code, "is no JSON" in answer.json()["error"]) == (422, True)


def test_idle_connections_lock_nobody_out():
    with studio() as (_, address):
        place = urlsplit(address)
        idle = [socket.create_connection((place.hostname, place.port), timeout=20) for _ in range(110)]
        with pytest.raises(urllib.error.HTTPError) as refusal:  # answered at once
            urllib.request.urlopen(f"http://{place.netloc}/", timeout=2)
        refusal.value.close()
        assert refusal.value.code == 401
        for connection in idle:
            assert connection.recv(1) == b""  # the server has closed it
            connection.close()


def test_the_ticket_is_on_no_command_line(tmp_path):
    browser, arguments = tmp_path / "browser", tmp_path / "arguments"
    browser.write_text(f'#!/bin/sh\necho "$@" > {arguments}.part; mv {arguments}.part {arguments}\n')
    browser.chmod(0o700)
    with studio(browser=browser) as (process, address):
        url = until(lambda: arguments.exists() and arguments.read_text().strip())
        ticket = address.partition("token=")[2]
        assert ticket not in url + Path(f"/proc/{process.pid}/cmdline").read_text()
        page = Path(urlsplit(url).path)
        assert page.parent.stat().st_mode & 0o077 == 0  # nobody else may look into the folder
        assert f"0;url={address}" in page.read_text()


def test_the_longest_text_of_the_studio_is_that_of_its_page_and_of_the_server_of_senses():
    from swarmkit_wsd_services.server.messages import Limits

    page = (ROOT / "swarmkit" / "studio" / "text.js").read_text()
    assert f"const LONGEST = {TEXT};" in page
    assert Limits().characters == TEXT
