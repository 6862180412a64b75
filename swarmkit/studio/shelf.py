"""The files that the studio may read: those named on its command line, and uploads. Requests know their numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from swarmkit.contract.errors import UsageError

UPLOAD = 32 << 20
"""Bytes of the largest upload."""

UPLOADS = 40
"""The most uploads."""

FORMATS = ("path", "file-path", "directory-path")
"""The formats by which a JSON schema says that a text is the name of a file."""

NO_PATH = (
    "a request names no path: choose a file that was uploaded, or that the command line names "
    "('swarmkit studio FILE...')"
)
"""Why a path is refused."""

PATH = re.compile(r"[/~\\]|\.{1,2}[/\\]|[A-Za-z]:[/\\]|file:", re.IGNORECASE)
"""How a path begins that leads anywhere; a name without a folder leads to nothing: runs are made in an empty one."""

Kind = Literal["recording", "store", "csv", "other"]


@dataclass(frozen=True)
class Entry:
    """A file on the shelf."""

    id: str
    name: str
    path: Path
    kind: Kind
    uploaded: bool

    def document(self) -> dict[str, Any]:
        """Return what the page knows of the file: never its path."""
        size = self.path.stat().st_size if self.path.is_file() else 0
        return {"id": self.id, "name": self.name, "kind": self.kind, "uploaded": self.uploaded, "size": size}


@dataclass
class Shelf:
    """All files of a studio."""

    folder: Path
    """Where uploads are kept: a folder that nothing else writes to."""
    entries: dict[str, Entry] = field(default_factory=dict)

    def add_named(self, paths: Sequence[Path]) -> None:
        """Put files of the command line on the shelf; two of one name are told apart by their folder."""
        for path in paths:
            if not path.is_file():
                raise UsageError(f"{path}: no such file; expected a recording, a store, or a file that a problem reads")
        names = [path.name for path in paths]
        for path in dict.fromkeys(paths):
            twin = names.count(path.name) > 1
            self._put(path, f"{path.absolute().parent.name}/{path.name}" if twin else path.name, uploaded=False)

    def upload(self, name: str, content: bytes) -> Entry:
        """Keep an upload, and return its entry; its name is only shown, and its suffix tells what it is."""
        if len(content) > UPLOAD:
            raise UsageError(f"the file has {len(content):,} bytes; an upload has at most {UPLOAD:,}")
        uploads = sum(entry.uploaded for entry in self.entries.values())
        if uploads >= UPLOADS:
            raise UsageError(f"there are {uploads} uploads already; name files on the command line instead")
        place = self.folder / f"upload-{uploads}"
        place.mkdir(mode=0o700)
        path = place / safe_name(name)
        path.write_bytes(content)
        return self._put(path, name[:200], uploaded=True)

    def find(self, given: Any) -> Entry:
        """Return the file of a number; whatever else a request has in its place is refused."""
        entry = self.entries.get(given) if isinstance(given, str) else None
        if entry is None:
            raise UsageError(NO_PATH)
        return entry

    def _put(self, path: Path, name: str, *, uploaded: bool) -> Entry:
        entry = Entry(f"file-{len(self.entries) + 1}", name, path.absolute(), kind_of(path), uploaded)
        self.entries[entry.id] = entry
        return entry


def kind_of(path: Path) -> Kind:
    """Return what a file is by its first bytes, or by its name."""
    with path.open("rb") as opened:
        head = opened.read(16)
    if head.startswith(b"SQLite format 3\x00"):
        return "store"
    if head.startswith(b"PK\x03\x04") and path.suffix.lower() in (".rec", ".npz"):
        return "recording"
    return "csv" if path.suffix.lower() == ".csv" else "other"


def safe_name(name: str) -> str:
    """Return a name for a file of ours that has the ending of another, which may be anything.

    >>> safe_name("berlin52.tsp.gz"), safe_name("../../.ssh/id"), safe_name("a b<c>.rec"), safe_name("")
    ('berlin52.tsp.gz', 'id', 'a_b_c_.rec', 'upload')
    """
    last = re.split(r"[/\\]", name)[-1]
    return re.sub(r"[^A-Za-z0-9._-]", "_", last).strip(".")[-80:] or "upload"


def file_fields(schema: Mapping[str, Any]) -> dict[str, bool]:
    """Return the fields of a settings schema that hold names of files: whether each is one file, and no more.

    >>> file_fields({"properties": {"a": {"anyOf": [{"type": "string", "format": "path"}, {"type": "null"}]}}})
    {'a': True}
    """
    found = {}
    for name, entry in schema.get("properties", {}).items():
        options = entry.get("anyOf", [entry])
        if any(option.get("format") in FORMATS for option in options):
            found[name] = True
        elif _mentions_file(entry, schema.get("$defs", {})):
            found[name] = False
    return found


def _mentions_file(entry: Any, definitions: Mapping[str, Any], depth: int = 8) -> bool:
    if depth and isinstance(entry, dict):
        target = definitions.get(str(entry.get("$ref", "")).rsplit("/", 1)[-1])
        inside = [*entry.values(), *([target] if target else [])]
        return entry.get("format") in FORMATS or any(_mentions_file(one, definitions, depth - 1) for one in inside)
    return isinstance(entry, list) and any(_mentions_file(one, definitions, depth - 1) for one in entry)


def with_files(given: Mapping[str, Any], schema: Mapping[str, Any], shelf: Shelf) -> dict[str, Any]:
    """Return settings of a request with the files that it chose; a path in it is refused."""
    fields = file_fields(schema)
    made = {}
    for name, value in given.items():
        if name in fields and value is not None:
            if not fields[name]:
                raise UsageError(f"'{name}' holds names of files and cannot be set here; use the command line")
            made[name] = str(shelf.find(value).path)
        else:
            check_no_path(name, value)
            made[name] = value
    return made


def check_no_path(name: str, value: Any) -> None:
    """Refuse a path where no file is expected: a setting may be handed on to something that opens files.

    Args:
        name: the setting; `text` is a text, whatever it looks like.
        value: its value; texts inside of lists and objects have no separator of folders at all.
    """
    if isinstance(value, str) and name != "text" and PATH.match(value.strip()):
        raise UsageError(f"'{name}': {NO_PATH}")
    inside = [value] if isinstance(value, dict | list) else []
    while inside:
        one = inside.pop()
        if isinstance(one, dict):
            inside += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            inside += one
        elif isinstance(one, str) and re.search(r"[/~\\]", one):
            raise UsageError(f"'{name}': {NO_PATH}")
