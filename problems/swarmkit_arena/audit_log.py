"""What the code of a solver does beside computing, as Python's audit events tell it: files, network, processes.

A solver that is bent on it can deceive what runs in its own process. It gains nothing: score, count, budget and
generator are the referee's, in another process. What is noticed here gives the reason in words.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from swarmkit_arena.rules import Reason

Ownership = Callable[[str], bool]
"""Whether a file is part of the solver."""

EVENTS = {
    "open": ("file", "opens a file"),
    "os.listdir": ("file", "lists a folder"),
    "os.scandir": ("file", "lists a folder"),
    "os.mkdir": ("file", "makes a folder"),
    "os.remove": ("file", "removes a file"),
    "os.rename": ("file", "renames a file"),
    "os.link": ("file", "links a file"),
    "os.symlink": ("file", "links a file"),
    "os.truncate": ("file", "writes a file"),
    "sqlite3.connect": ("file", "opens a database"),
    "mmap.__new__": ("file", "maps memory that other processes can see"),
    "shutil.copyfile": ("file", "copies a file"),
    "socket.__new__": ("network", "opens a socket"),
    "socket.connect": ("network", "connects to an address"),
    "socket.getaddrinfo": ("network", "looks up an address"),
    "urllib.Request": ("network", "requests an address"),
    "subprocess.Popen": ("process", "starts a process"),
    "os.system": ("process", "starts a process"),
    "os.exec": ("process", "starts a process"),
    "os.posix_spawn": ("process", "starts a process"),
    "os.fork": ("process", "starts a process"),
    "os.forkpty": ("process", "starts a process"),
    "ctypes.dlopen": ("harness", "calls the system through ctypes"),
    "ctypes.dlsym": ("harness", "calls the system through ctypes"),
    "ctypes.string_at": ("harness", "reads memory through ctypes"),
    "os.putenv": ("state", "keeps something in the environment of the process"),
    "gc.get_objects": ("harness", "looks through the objects of the process"),
    "gc.get_referrers": ("harness", "looks through the objects of the process"),
    "sys._current_frames": ("harness", "looks into the frames of its callers"),
    "sys.addaudithook": ("harness", "adds an audit hook"),
    "sys.settrace": ("harness", "traces the harness"),
    "sys.setprofile": ("harness", "traces the harness"),
}
"""Audit events that computing does not need: the rule, and what the event is."""

DIRECT = {"sys._getframe": ("harness", "looks into the frames of its callers")}
"""Events that count only if the code of the solver itself raises them: libraries do, too."""

CARRIERS = (
    "<frozen importlib",
    "<frozen zipimport",
    "/importlib/",
    "/numba/",
    "/llvmlite/",
    "/linecache.py",
    "/tokenize.py",
    "/warnings.py",
    "/swarmkit/running/cpu_time.py",
)
"""Files whose code opens others for reasons of its own: imports, compiled code, warnings, the kit's CPU time."""

IMPORTING = ("_find_and_load", "_handle_fromlist", "_gcd_import", "import_module")
"""Functions of importlib that import; its others read files."""


class AuditLog:
    """What a solver was seen to do.

    Args:
        owned: whether a file is part of the solver.
        trusted: whether the solver is installed, and may open files and start processes.
    """

    def __init__(self, is_part: Ownership, trusted: bool) -> None:
        self._is_part, self._trusted = is_part, trusted
        self._entries: dict[tuple[str, str], None] = {}
        self._silent = False

    def watch(self) -> None:
        """Begin to listen; an audit hook cannot be removed."""
        sys.addaudithook(self._audit)

    def note(self, rule: str, words: str) -> None:
        """Add something that was seen, once."""
        self._entries.setdefault((rule, words))

    def take(self) -> list[Reason]:
        """Return what was seen since this was last asked for."""
        entries, self._entries = self._entries, {}
        return [Reason(rule=rule, words=words) for rule, words in entries]

    def place(self, frame: FrameType | None) -> str | None:
        """Return where in the solver's code a call comes from, None if a carrier comes first or it does not."""
        for caller in outwards(frame):
            name = file_of(caller)
            if self._is_part(name):
                return f"line {caller.f_lineno}"
            if _carries(name) and not self._reads_for_solver(caller):
                return None
        return None

    def _reads_for_solver(self, carrier: FrameType) -> bool:
        """Whether a carrier may have been called by the solver's own code to read a file, rather than to import."""
        caller = carrier.f_back
        if caller is None or not self._is_part(file_of(caller)):
            return caller is not None and _carries(file_of(caller))  # the outermost carrier decides
        name = carrier.f_code.co_filename
        importlib = "importlib" in name and carrier.f_code.co_name not in IMPORTING
        return importlib or name.endswith(("/linecache.py", "/tokenize.py"))

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._silent or (event not in EVENTS and event not in DIRECT):
            return
        self._silent = True  # what is done to judge an event raises events, too
        try:
            self._judge(event, arguments)
        finally:
            self._silent = False

    def _judge(self, event: str, arguments: tuple[Any, ...]) -> None:
        frame = sys._getframe(2)  # where the event was raised: past this method and `_audit`
        if event in DIRECT:
            rule, deed = DIRECT[event]
            if self._is_part(file_of(frame)):
                self.note(rule, f"It {deed} (line {frame.f_lineno}).")
        elif not self._trusted and (where := self.place(frame)):
            rule, deed = EVENTS[event]
            about = f": {str(arguments[0])[:80]}" if rule in ("file", "network", "process") and arguments else ""
            self.note(rule, f"It {deed}{about} ({where}).")


def file_of(frame: FrameType) -> str:
    """Return the file that the code of a frame is in; code made from a string is in that of its module."""
    name = frame.f_code.co_filename
    return str(frame.f_globals.get("__file__", name)) if name.startswith("<string") else name


def outwards(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield a frame and its callers."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def _carries(name: str) -> bool:
    """Whether a file of code is a carrier."""
    return any(carrier in name for carrier in CARRIERS)
