"""The guard before local servers: what is let through, and what is refused with which sentence."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from swarmkit.contract.errors import UsageError
from swarmkit.serving import Guard, Rules, listen
from swarmkit.serving.guard import same
from tests.serving.servers import application, served

PORT = 8765
OURS = f"http://127.0.0.1:{PORT}"
SAME = {"Origin": OURS}


def client(address=OURS, **given):
    return TestClient(Guard(application(), Rules(port=PORT, **given)), base_url=address, follow_redirects=False)


def signed_in(**given):
    made = client(ticket="secret", **given)
    assert made.get("/?token=secret").status_code == 303
    return made


def refused(answer, status, words):
    """Assert that an answer is a refusal in words, as JSON."""
    assert (answer.status_code, list(answer.json())) == (status, ["error"])
    assert words in answer.json()["error"]


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765", "[::1]:8765", "told.example"])
def test_loopback_names_with_our_port_and_told_hosts_are_served(host):
    assert client(hosts=("told.example",)).get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8765",
        "127.0.0.1",
        "127.0.0.1:80",
        "localhost.evil.example:8765",
        "localhost.:8765",
        "",
        "127.0.0.1:8765@evil.example",
        "evil.example#127.0.0.1:8765",
        "0.0.0.0:8765",
        "[::1]",
        "2130706433:8765",
    ],
)
def test_a_foreign_host_is_refused(host):
    refused(client().get("/", headers={"Host": host}), 421, "is not served here; expected localhost:8765")


def test_a_told_host_with_a_port_is_served_with_that_port_alone():
    server = client(hosts=("told.example:443",))
    assert server.get("/", headers={"Host": "told.example:443"}).status_code == 200
    refused(server.get("/", headers={"Host": "told.example"}), 421, "is not served here")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:8766", "http://localhost:8765"])
def test_requests_of_foreign_pages_are_refused(origin):
    for method in ("GET", "POST"):
        answer = client().request(method, "/", headers={"Origin": origin}, json={} if method == "POST" else None)
        refused(answer, 403, "may not use this server")


def test_what_another_site_embeds_is_refused_and_a_link_that_is_followed_is_not():
    embedded = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    refused(client().get("/", headers=embedded), 403, "another site")
    framed = {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
    refused(client().get("/", headers=framed), 403, "another site")
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert client().get("/", headers=followed).status_code == 200
    refused(client().post("/", headers=followed, json={}), 403, "another site")


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"])
def test_other_methods_are_refused_and_nothing_is_said_about_sharing_with_other_origins(method):
    answer = client().request(method, "/", headers={"Access-Control-Request-Method": "POST"})
    refused(answer, 405, "is not served; expected GET or POST")
    assert answer.headers["allow"] == "GET, HEAD, POST"
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "",
        "application/jsonp",
        "text/plain; application/json",
        "application/json; charset=utf-16",
    ],
)
def test_a_post_that_a_form_could_send_is_refused(kind):
    answer = client().post("/", content=b"{}", headers={"Content-Type": kind} if kind else {})
    refused(answer, 415, "expected application/json")


def test_json_is_let_through_whole():
    for kind in ("application/json", "Application/JSON; charset=UTF-8"):
        answer = client().post("/a", content='{"x": "é"}'.encode(), headers={"Content-Type": kind})
        assert answer.json() == {"path": "/a", "body": '{"x": "é"}'}


def test_an_encoded_body_is_refused():
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    refused(client().post("/", content=b"x", headers=headers), 415, "expected plain JSON")


def test_a_large_body_is_refused_whatever_its_header_says():
    server, kind = client(largest=10), {"Content-Type": "application/json"}
    assert server.post("/", content=b"0123456789", headers=kind).status_code == 200
    refused(server.post("/", content=b"0123456789x", headers=kind), 413, "at most 10 bytes")
    refused(server.post("/", content=iter([b"01234", b"56789", b"x"]), headers=kind), 413, "at most 10 bytes")
    refused(
        server.post("/", content=b"{}", headers={**kind, "Content-Length": "-1"}), 400, "expected a number of bytes"
    )
    refused(server.post("/", content=b"{}", headers={**kind, "Content-Length": "9" * 400}), 413, "at most 10 bytes")


def test_a_ticket_is_exchanged_once_for_a_strict_cookie_and_leaves_the_address():
    server = client(ticket="secret")
    refused(server.get("/"), 401, "open the address that the command printed")
    refused(server.get("/?token=wrong"), 401, "wrong or was used before")
    answer = server.get("/?token=secret")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    name, *attributes = answer.headers["set-cookie"].split("; ")
    assert set(attributes) == {"Path=/", "HttpOnly", "SameSite=Strict"}
    assert name.startswith("swarmkit-8765=")
    assert "secret" not in name
    assert server.get("/").status_code == 200
    assert server.get("/?token=secret").headers["location"] == "/"  # once more in the same browser
    server.cookies.clear()
    refused(server.get("/?token=secret"), 401, "was used before")


def test_a_ticket_counts_on_the_front_page_alone():
    refused(client(ticket="secret").get("/other?token=secret"), 401, "not signed in")
    refused(client(ticket="secret").post("/?token=secret", json={}, headers=SAME), 401, "not signed in")


def test_a_link_with_a_ticket_on_another_page_leads_on_with_the_cookie():
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    answer = client(ticket="secret").get("/?token=secret", headers=followed)
    assert answer.status_code == 200
    assert 'content="0;url=/"' in answer.text
    assert "SameSite=Strict" in answer.headers["set-cookie"]


def test_with_a_cookie_a_post_says_where_it_comes_from():
    server = signed_in()
    refused(server.post("/", json={}), 403, "'Origin' is missing")
    assert server.post("/", json={}, headers=SAME).status_code == 200


def test_a_wrong_cookie_is_no_cookie():
    server = client(ticket="secret")
    server.cookies.set("swarmkit-8765", "guessed")
    refused(server.get("/"), 401, "not signed in")


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer wrong", "Basic secret", "secret", "Bearer sécret"])
def test_without_the_bearer_token_nothing_is_served(given):
    headers = {"Authorization": given.encode()} if given else {}
    answer = client(bearer="secret").get("/", headers=headers)
    refused(answer, 401, "Authorization: Bearer TOKEN")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_with_the_bearer_token_programs_are_served_without_an_origin():
    answer = client(bearer="secret").post("/", json={"a": 1}, headers={"Authorization": "Bearer secret"})
    assert json.loads(answer.json()["body"]) == {"a": 1}


def test_public_paths_need_no_token_but_a_host():
    server = client(bearer="secret", public=frozenset({"/health"}))
    assert server.get("/health").status_code == 200
    refused(server.get("/health/"), 401, "token")
    refused(server.get("/health", headers={"Host": "evil.example"}), 421, "not served here")


def test_every_answer_has_the_headers_that_protect_it():
    server = client(bearer="secret")
    for answer in (server.get("/"), server.get("/", headers={"Authorization": "Bearer secret"})):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["cache-control"] == "no-store"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]


def test_an_answer_may_bring_a_policy_of_its_own():
    async def framed(request):
        return JSONResponse({}, headers={"Content-Security-Policy": "sandbox"})

    guarded = Guard(Starlette(routes=[Route("/", framed)]), Rules(port=PORT))
    answer = TestClient(guarded, base_url=OURS).get("/")
    assert answer.headers.get_list("content-security-policy") == ["sandbox"]


def test_refusals_outside_the_programs_paths_are_plain_text():
    server = client(bearer="secret", api=("/api/",))
    assert server.get("/page").headers["content-type"] == "text/plain; charset=utf-8"
    refused(server.get("/api/x"), 401, "token")
    assert server.head("/page").content == b""


def test_a_websocket_is_refused():
    from starlette.websockets import WebSocketDisconnect

    with pytest.raises(WebSocketDisconnect), client().websocket_connect("/"):
        pass


TOKENS = st.binary(max_size=20) | st.sampled_from([b"localhost:8765", b"http://localhost:8765", b"application/json"])
NAMES = [b"host", b"origin", b"cookie", b"authorization", b"content-type", b"content-length", b"sec-fetch-site", b"x"]
ODD = st.lists(st.tuples(st.sampled_from(NAMES), TOKENS), max_size=8)


@given(headers=ODD, method=st.sampled_from(["GET", "POST", "HEAD", "PUT", ""]), query=st.binary(max_size=30))
def test_no_request_however_odd_gets_through_without_the_cookie(headers, method, query):
    sent, reached = [], []

    async def app(scope, receive, send):
        reached.append(scope)

    async def receive():
        return {"type": "http.request", "body": b"{}", "more_body": False}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": method, "path": "/", "query_string": b"token=" + query, "headers": headers}
    asyncio.run(Guard(app, Rules(port=PORT, ticket="the secret ticket", bearer=None))(scope, receive, send))
    assert not reached
    assert 400 <= sent[0]["status"] < 500
    assert method == "HEAD" or json.loads(sent[1]["body"])["error"]


def test_secrets_are_compared_whole():
    assert same("secret", "secret")
    assert not any(same(given, "secret") for given in ("", "s", "secre", "secretx", "sécret", "\ud800"))


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "example.org", ""])  # noqa: S104  (it is refused)
def test_a_server_listens_on_loopback_addresses_alone(host):
    with pytest.raises(UsageError, match=r"loopback|no address"):
        listen(host, 0)


def test_a_port_that_is_taken_is_named():
    with listen("127.0.0.1", 0) as taken, pytest.raises(UsageError, match=r"cannot listen.*choose another port"):
        listen("127.0.0.1", taken.getsockname()[1])


def test_odd_requests_on_a_real_socket_are_refused():
    with served(largest=10, patience=0.3) as send:
        assert send("GET /x HTTP/1.1", "Host: localhost:PORT", "Connection: close")[0] == 200
        assert send("GET / HTTP/1.1", "Host: evil.example", "Connection: close")[0] == 421
        assert send("GET / HTTP/1.0", "Connection: close")[0] == 421  # no host at all
        assert send("GET / HTTP/1.1", "Connection: close")[0] == 400
        assert send("GET / HTTP/1.1", "Host: localhost:PORT", "Host: evil.example", "Connection: close")[0] == 400
        assert send("GET http://localhost:PORT/ HTTP/1.1", "Host: evil.example", "Connection: close")[0] == 421
        posting = ("POST / HTTP/1.1", "Host: localhost:PORT", "Content-Type: application/json", "Connection: close")
        assert send(*posting, "Content-Length: 2", body=b"{}")[0] == 200
        status, said = send(*posting, "Content-Length: 9", body=b"{}")  # the rest never comes
        assert (status, "not complete after 0.3 seconds" in said) == (408, True)
        assert send(*posting, "Transfer-Encoding: chunked", body=b"c\r\n0123456789ab\r\n0\r\n\r\n")[0] == 413
