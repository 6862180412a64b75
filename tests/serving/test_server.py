"""Connections that bring no request, or bring it slowly, keep nobody out."""

import socket
import time

from tests.serving.servers import served

GET = ("GET /x HTTP/1.1", "Host: localhost:PORT", "Connection: close")


def connect(send):
    return socket.create_connection(("127.0.0.1", send.port), timeout=10)


def seconds_until_closed(connection):
    """Return the seconds until the server ends a connection."""
    begin = time.monotonic()
    connection.settimeout(10)
    try:
        while connection.recv(4096):
            pass
    except ConnectionResetError:
        pass
    return time.monotonic() - begin


def test_more_idle_connections_than_there_may_be_keep_nobody_out():
    with served(connections=10) as send:
        idle = [connect(send) for _ in range(40)]
        for _ in range(3):
            assert send(*GET)[0] == 200
        assert seconds_until_closed(idle[0]) < 1  # the oldest had to go
        for connection in idle:
            connection.close()


def test_a_connection_without_a_request_is_closed():
    with served(idle=0.3) as send, connect(send) as connection:
        assert 0.2 < seconds_until_closed(connection) < 5
        assert send(*GET)[0] == 200


def test_bytes_that_are_no_whole_request_do_not_keep_a_connection_open():
    with served(idle=0.5) as send, connect(send) as connection:
        begin = time.monotonic()
        try:
            for byte in b"GET /x HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 60:
                connection.sendall(bytes([byte]))
                time.sleep(0.05)
        except OSError:  # it is closed
            pass
        assert 0.4 < time.monotonic() - begin < 2.5


def test_after_an_answer_the_next_request_is_waited_for_as_long_whatever_bytes_come():
    with served(idle=0.4) as send, connect(send) as connection:
        request = f"GET /x HTTP/1.1\r\nHost: localhost:{send.port}\r\n\r\n".encode()
        for _ in range(2):
            connection.sendall(request)
            received = b""
            while not received.endswith(b"}"):
                received += connection.recv(4096)
            assert received.startswith(b"HTTP/1.1 200")
            time.sleep(0.2)
        connection.sendall(b"GET")
        assert seconds_until_closed(connection) < 5


def test_requests_that_come_together_are_all_answered():
    with served(idle=0.4) as send, connect(send) as connection:
        request = f"GET /x HTTP/1.1\r\nHost: localhost:{send.port}\r\n\r\n".encode()
        connection.sendall(3 * request)
        received = b""
        while received.count(b"HTTP/1.1 200") < 3:
            received += connection.recv(4096)
        assert 0.2 < seconds_until_closed(connection) < 5


def test_a_refusal_ends_the_connection():
    with served(bearer="secret") as send, connect(send) as connection:
        connection.sendall(f"GET /x HTTP/1.1\r\nHost: localhost:{send.port}\r\n\r\n".encode())
        assert seconds_until_closed(connection) < 2
