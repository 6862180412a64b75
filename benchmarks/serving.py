"""The server of senses under load, on this machine: requests a second, latencies, errors, memory over time.

    python benchmarks/serving.py --preset best --minutes 10 --connections 16

Starts `swarmkit wsd serve` on a free port and keeps a number of connections busy, each with one request after the
other: definitions of WordNet in random order, two to a text. Printed every minute and in the end: requests and words a
second, the median and the 99th percentile of the latency, errors (whatever is not 200), the server's share of a core
and its resident memory. Some answers are compared with those of `disambiguate`. Exit code 1 if there were errors, if
answers differ, or if the memory of the last third exceeds that of the second third by more than 5 %.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import numpy as np

from swarmkit_wsd import disambiguate, open_lexicon

SWARMKIT = str(Path(sys.executable).with_name("swarmkit"))
COMPARED = 50
SAMPLE = 5.0
"""Seconds between two samples of the memory."""


@dataclass
class Seen:
    """What the generator has seen."""

    latencies: list[float] = field(default_factory=list)
    words: int = 0
    errors: dict[str, int] = field(default_factory=dict)
    kept: list[tuple[str, object]] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)


def texts(count: int) -> list[str]:
    """Return texts of two definitions each."""
    lexicon = open_lexicon()
    drawn = np.random.default_rng(0).permutation(len(lexicon.synset_pos))
    definitions = [lexicon.definition(int(synset)).capitalize() for synset in drawn[: 2 * count]]
    return [f"{one}. {other}." for one, other in zip(definitions[::2], definitions[1::2], strict=True)]


async def connection(port: int, work: list[str], number: int, seen: Seen, until: float) -> None:
    """Send one request after the other on one connection until the time is over."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    at = number * 7919
    while time.monotonic() < until:
        text = work[at % len(work)]
        at += 1
        body = json.dumps({"text": text}).encode()
        head = f"POST /v1/senses HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        begun = time.monotonic()
        try:
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            status, answer = await response(reader)
        except (OSError, asyncio.IncompleteReadError, ValueError) as error:
            seen.errors[type(error).__name__] = seen.errors.get(type(error).__name__, 0) + 1
            writer.close()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            continue
        seen.latencies.append(time.monotonic() - begun)
        if status != 200:
            seen.errors[str(status)] = seen.errors.get(str(status), 0) + 1
            continue
        seen.words += answer.count(b'"word":')
        if len(seen.kept) < COMPARED:
            seen.kept.append((text, json.loads(answer)["senses"]))
    writer.close()


async def response(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Return the status and the body of a response."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = re.search(r"(?i)\r\ncontent-length: (\d+)", head)
    if length is None:
        raise ValueError("no content length")
    return int(head.split()[1]), await reader.readexactly(int(length[1]))


def resident(pid: int) -> float:
    """Return the resident memory of a process in megabytes."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else float("nan")


async def watch(pid: int, seen: Seen, until: float) -> None:
    """Sample the memory, and print a line every minute."""
    begun = time.monotonic()
    shown = 0
    while time.monotonic() < until:
        await asyncio.sleep(min(SAMPLE, max(0.0, until - time.monotonic())))
        passed = time.monotonic() - begun
        seen.memory.append((passed, resident(pid)))
        if passed >= 60 * (shown + 1):
            shown += 1
            print(f"{shown} min: {summary(seen, passed)}, {seen.memory[-1][1]:.0f} MB", flush=True)


def summary(seen: Seen, seconds: float) -> str:
    """Return the rates and latencies in words."""
    if not seen.latencies:
        return "no answer"
    p50, p99 = np.quantile(seen.latencies, [0.5, 0.99])
    rates = f"{len(seen.latencies) / seconds:.1f} requests/s, {seen.words / seconds:.0f} words/s"
    return f"{rates}, p50 {1000 * p50:.0f} ms, p99 {1000 * p99:.0f} ms, {sum(seen.errors.values())} errors"


async def load(port: int, pid: int, connections: int, seconds: float) -> Seen:
    """Keep connections busy for some time."""
    seen, until, work = Seen(), time.monotonic() + seconds, texts(20_000)
    busy = [connection(port, work, number, seen, until) for number in range(connections)]
    await asyncio.gather(watch(pid, seen, until), *busy)
    return seen


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def main() -> None:
    """Start the server, load it, print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="best")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--warm-up", type=float, default=1.0, help="minutes of load before anything is measured")
    given = parser.parse_args()
    command = [SWARMKIT, "wsd", "serve", "--port", "0", "--preset", given.preset]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        found = re.search(r":(\d+) ", server.stderr.readline())
        assert found is not None
        port = int(found[1])
        asyncio.run(load(port, server.pid, given.connections, 60 * given.warm_up))
        used = cpu_seconds(server.pid)
        begun = time.monotonic()
        seen = asyncio.run(load(port, server.pid, given.connections, 60 * given.minutes))
        seconds = time.monotonic() - begun
        used = cpu_seconds(server.pid) - used
        server.send_signal(signal.SIGTERM)
        ended = server.wait(60)
    print(f"preset {given.preset}, {given.connections} connections, {seconds:.0f} s: {summary(seen, seconds)}")
    print(f"{len(seen.latencies)} requests, {used / seconds:.0%} of a core, errors {seen.errors}, exit code {ended}")
    memory = [megabytes for _, megabytes in seen.memory]
    thirds = [median(part) for part in np.array_split(memory, 3)] if len(memory) >= 3 else [float("nan")] * 3
    print(f"memory, median of each third: {', '.join(f'{one:.0f}' for one in thirds)} MB; most {max(memory):.0f} MB")
    differ = sum(
        answer
        != [one.model_dump(mode="json", exclude={"alternatives"}) for one in disambiguate(text, preset=given.preset)]
        for text, answer in seen.kept
    )
    print(f"{differ} of {len(seen.kept)} answers differ from those of disambiguate")
    sys.exit(1 if seen.errors or differ or ended or thirds[2] > 1.05 * thirds[1] else 0)


if __name__ == "__main__":
    main()
