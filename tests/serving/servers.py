"""An application that answers with what it was sent, behind the guard, on a real socket."""

import socket
import threading
import time
from contextlib import contextmanager

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from swarmkit.serving import Guard, Rules, listen
from swarmkit.serving.server import bounded_protocol


async def echo(request):
    body = await request.body()
    return JSONResponse({"path": request.url.path, "body": body.decode()})


def application():
    return Starlette(routes=[Route("/{rest:path}", echo, methods=["GET", "POST", "PUT", "OPTIONS"])])


@contextmanager
def served(connections=100, idle=5.0, **given):
    """Serve the application by uvicorn; yield a function that sends bytes and returns the status and the body."""
    import uvicorn

    opened = listen("127.0.0.1", 0)
    port = opened.getsockname()[1]
    guarded = Guard(application(), Rules(port=port, **given))
    protocol = bounded_protocol(connections, idle)
    server = uvicorn.Server(
        uvicorn.Config(guarded, log_config=None, ws="none", http=protocol, limit_concurrency=connections)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]})
    thread.start()

    def send(*lines, body=b""):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            text = "\r\n".join(lines).replace("PORT", str(port)) + "\r\n\r\n"
            connection.sendall(text.encode("latin-1") + body)
            connection.settimeout(10)
            received = b""
            while b"\r\n\r\n" not in received or b'"' not in received.partition(b"\r\n\r\n")[2]:
                more = connection.recv(4096)
                if not more:
                    break
                received += more
        head, _, rest = received.partition(b"\r\n\r\n")
        return int(head.split()[1]), rest.decode("latin-1")

    try:
        while not server.started:
            time.sleep(0.01)
        send.port = port
        yield send
    finally:
        server.should_exit = True
        thread.join(10)
