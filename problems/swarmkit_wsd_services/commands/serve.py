"""The command `swarmkit wsd serve`: senses over HTTP."""

from __future__ import annotations

import ipaddress
import os
import socket
from pathlib import Path
from typing import Annotated, Any

import typer

from swarmkit import MissingError, UsageError, install_hint, read_text
from swarmkit_wsd_services.commands.arguments import (
    Language,
    Model,
    Options,
    Preset,
    Wordnets,
    check_no_source,
    problem_options,
    warn,
)

TOKEN = "SWARMKIT_TOKEN"  # noqa: S105  (the name of a variable)
"""The environment variable that has the token if no file does."""

SHORTEST_TOKEN = 16
"""Characters of the shortest token."""

PORT = 8500


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; one that others reach needs a token.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 is any that is free.")] = PORT,
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", metavar="NAME", help="A name by which the server is reached.")
    ] = None,
    token_file: Annotated[
        Path | None, typer.Option(help=f"A file with the token that requests carry; otherwise ${TOKEN}.")
    ] = None,
    preset: Preset = None,
    model: Model = None,
    options: Options = None,
    language: Language = None,
    wordnets: Wordnets = None,
    max_characters: Annotated[int, typer.Option(min=1, max=1_000_000, help="Of the longest text.")] = 20_000,
    max_tokens: Annotated[int, typer.Option(min=1, max=200_000, help="Words of the longest text or list.")] = 4_000,
    timeout: Annotated[float, typer.Option(min=0.1, max=3600, help="Seconds until an answer, or a refusal.")] = 30.0,
    queue: Annotated[int, typer.Option(min=1, max=100_000, help="Requests that may wait.")] = 256,
) -> None:
    """Answer requests for senses over HTTP: POST /v1/senses, GET /healthz, /metrics and /openapi.json.

    Only programs on this machine reach it, unless --host says otherwise; then every request needs the token. The
    preset is fixed when the server starts. Texts are not logged. Ctrl-C or SIGTERM ends it: requests that have
    arrived are still answered.

    Example: swarmkit wsd serve --port 8500
    """
    from swarmkit import make_settings
    from swarmkit_wsd.options import WsdOptions
    from swarmkit_wsd_services.server.answering import PROBE, Answering, place_of
    from swarmkit_wsd_services.server.messages import Limits

    try:
        from swarmkit.serving import Bounds, Guard, Rules, listen, run
        from swarmkit_wsd_services.server.app import RequestCounter, Service
        from swarmkit_wsd_services.server.metrics import Metrics
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("prometheus_client", "starlette", "uvicorn"):
            raise
        raise MissingError(f"'swarmkit wsd serve' needs {error.name}: {install_hint('serve')}") from None
    settings = make_settings(WsdOptions, problem_options(options, preset, model, language, wordnets), "wsd")
    check_no_source(settings, "'wsd serve' takes its texts from requests")
    token = read_token(token_file)
    # Whoever can reach the port can use the machine's time, so a token is compulsory.
    public = not _is_loopback(host)
    if public and token is None:
        raise UsageError(
            f"--host {host} can be reached by other machines: expected a token, by --token-file FILE or ${TOKEN}"
        )
    limits = Limits(max_characters, max_tokens, timeout, queue)
    connection = listen(host, port, public=public)
    bound = connection.getsockname()[1]
    # The port is taken before the model is loaded: a second server on it fails at once.
    with connection:
        answering = Answering(settings)
        for answer in answering([PROBE, PROBE]):  # data and kernels are loaded before anybody is served
            if isinstance(answer, UsageError):
                raise answer
            if isinstance(answer, Exception):
                raise UsageError(f"the options fail on a short text: {place_of(answer)}")
        metrics = Metrics()
        rules = Rules(
            port=bound,
            hosts=(*_names(host), *(allow_host or ())),
            bearer=token,
            largest=limits.body,
            patience=limits.seconds,
            public=frozenset({"/healthz"}),
        )
        app: Any = RequestCounter(Guard(Service(answering, limits, metrics, token is not None).app(), rules), metrics)
        address = f"http://{f'[{host}]' if ':' in host else host}:{bound}"
        run(
            app,
            connection,
            ready=lambda: warn(f"serving senses by preset {settings.preset} on {address} (Ctrl-C ends it)"),
            extra="serve",
            bounds=Bounds(grace=int(limits.seconds) + 1, connections=limits.waiting + 1000),
        )
    warn("the server has ended")


def read_token(file: Path | None) -> str | None:
    """Return the token of a file, or of the environment; None if there is none.

    Raises:
        UsageError: it is too short, or has characters that a header cannot have.
    """
    text = read_text(file, "a file with a token") if file is not None else os.environ.get(TOKEN)
    if text is None:
        return None
    token = text.strip()
    where = str(file) if file is not None else f"${TOKEN}"
    # A short token can be guessed by trying.
    if len(token) < SHORTEST_TOKEN:
        raise UsageError(
            f"{where}: a token of {len(token)} characters; expected at least {SHORTEST_TOKEN}, for instance from "
            "python -c 'import secrets; print(secrets.token_urlsafe())'"
        )
    if not token.isascii() or not token.isprintable() or " " in token:
        raise UsageError(f"{where}: the token has spaces or characters that are not ASCII; expected letters and digits")
    return token


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        raise UsageError(
            f"--host {host} is no address; expected localhost, 127.0.0.1, or an address of this machine"
        ) from None


def _names(host: str) -> tuple[str, ...]:
    """Return the hosts besides the loopback names that requests may name: the address, or the machine's name."""
    address = host.strip("[]")
    if host == "localhost" or ipaddress.ip_address(address).is_loopback:
        return ()
    # 0.0.0.0 is no address that a request names.
    if ipaddress.ip_address(address).is_unspecified:
        return (socket.gethostname(),)
    return (f"[{address}]" if ":" in address else address,)
