"""The peers' own environment: made once, pinned, and apart from ours."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

PINS = Path(__file__).parent.parent / "peers-requirements.txt"


def default_folder(pins: Path = PINS) -> Path:
    """Return a folder in the user's cache; other pins get another one."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    python = ".".join(map(str, sys.version_info[:2]))
    return cache / "swarmkit" / f"peers-{python}-{hashlib.sha256(pins.read_bytes()).hexdigest()[:8]}"


def prepare(folder: Path, pins: Path = PINS) -> dict[str, str]:
    """Make the environment if it is not there; give what could not be installed, by the requirement, and why."""
    said = folder / "installed.json"
    told: dict[str, str] = json.loads(said.read_text()) if said.exists() else {}
    wanted = [line for line in pins.read_text().splitlines() if line and not line.startswith("#")]
    if not python_of(folder).exists():
        print(f"making the peers' environment in {folder}", file=sys.stderr)
        try:
            venv.create(folder, with_pip=True)
        except (OSError, subprocess.CalledProcessError) as error:
            return dict.fromkeys(wanted, f"no environment can be made in {folder} ({error})")
    for pin in wanted:
        if told.get(pin) != "":
            told[pin] = install(folder, pin, pins)  # one by one: a peer that cannot be had takes no other with it
            said.write_text(json.dumps(told, indent=1))
    return {pin: why for pin, why in told.items() if why and pin in wanted}


def install(folder: Path, pin: str, pins: Path = PINS) -> str:
    """Install one peer; give the last line of pip's complaint, or nothing."""
    pip = [str(python_of(folder)), "-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", str(pins), pin]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    return (done.stderr.strip().splitlines() or ["pip failed without a word"])[-1]


def python_of(folder: Path) -> Path:
    """Return the environment's Python."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
"""The environment variables that keep libraries to one thread."""


def run_peer(command: list[str], seconds: float) -> dict[str, Any]:
    """Return the run that a peer's process prints as the last line, in JSON; or why there is none, as `error`.

    Args:
        command: the command of the process.
        seconds: the CPU seconds that it was told; it is ended when it takes far longer.
    """
    limit = 60 + 20 * seconds
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=os.environ | ONE_THREAD, timeout=limit
        )
    except subprocess.TimeoutExpired:
        return {"error": "not done in time"}
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["failed"])[-1]}
    return dict(json.loads(done.stdout.splitlines()[-1]))
