"""The files that the studio may read: uploads, and those that its command line names. Requests know their numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from swarmkit.contract.errors import UsageError

UPLOAD_SIZE = 32 << 20
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
    """A file that requests may name by its number."""

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
class UploadStore:
    """All files of a studio, uploads and others."""

    folder: Path
    """Where uploads are kept: a folder that nothing else writes to."""
    entries: dict[str, Entry] = field(default_factory=dict)

    def add_files(self, paths: Sequence[Path]) -> None:
        """Add files of the command line; of two with one name, the name begins with the folder."""
        for path in paths:
            if not path.is_file():
                raise UsageError(f"{path}: no such file; expected a recording, a store, or a file that a problem reads")
        names = [path.name for path in paths]
        for path in dict.fromkeys(paths):
            twin = names.count(path.name) > 1
            self._add(path, f"{path.absolute().parent.name}/{path.name}" if twin else path.name, uploaded=False)

    def upload(self, name: str, content: bytes) -> Entry:
        """Write an upload to the folder, and return its entry; its name is only shown, its suffix says what it is."""
        if len(content) > UPLOAD_SIZE:
            raise UsageError(f"the file has {len(content):,} bytes; an upload has at most {UPLOAD_SIZE:,}")
        uploads = sum(entry.uploaded for entry in self.entries.values())
        if uploads >= UPLOADS:
            raise UsageError(f"there are {uploads} uploads already; name files on the command line instead")
        folder = self.folder / f"upload-{uploads}"  # of its own: two uploads may have the same name
        folder.mkdir(mode=0o700)
        path = folder / safe_name(name)
        path.write_bytes(content)
        return self._add(path, name[:200], uploaded=True)

    def find(self, number: Any) -> Entry:
        """Return the file of a number; whatever else a request has in its place is refused."""
        entry = self.entries.get(number) if isinstance(number, str) else None
        if entry is None:
            raise UsageError(NO_PATH)
        return entry

    def _add(self, path: Path, name: str, *, uploaded: bool) -> Entry:
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
    fields = {}
    for name, entry in schema.get("properties", {}).items():
        alone = any(option.get("format") in FORMATS for option in entry.get("anyOf", [entry]))
        if alone or _mentions_file(entry, schema.get("$defs", {})):
            fields[name] = alone
    return fields


def _mentions_file(entry: Any, definitions: Mapping[str, Any], depth: int = 8) -> bool:
    """Return whether a piece of a schema has the format of a file anywhere; definitions may refer to themselves."""
    if isinstance(entry, dict):
        if entry.get("format") in FORMATS:
            return True
        entry = [*entry.values(), definitions.get(str(entry.get("$ref", "")).rsplit("/", 1)[-1])]
    return depth > 0 and isinstance(entry, list) and any(_mentions_file(e, definitions, depth - 1) for e in entry)


def with_files(settings: Mapping[str, Any], schema: Mapping[str, Any], uploads: UploadStore) -> dict[str, Any]:
    """Return settings of a request with the files that it chose; a path in it is refused."""
    fields = file_fields(schema)
    resolved = dict(settings)
    for name, value in settings.items():
        if value is None or name not in fields:
            check_no_path(name, value)
        elif fields[name]:
            resolved[name] = str(uploads.find(value).path)
        else:
            raise UsageError(f"'{name}' holds names of files and cannot be set here; use the command line")
    return resolved


def check_no_path(name: str, value: Any) -> None:
    """Refuse a path where no file is expected: a setting may be handed on to something that opens files.

    Args:
        name: the setting; `text` is a text, whatever it looks like.
        value: its value; texts inside of lists and objects have no separator of folders at all.
    """
    if isinstance(value, str):
        leads_away = name != "text" and PATH.match(value.strip())
    else:
        leads_away = re.search(r"[/~\\]", " ".join(_texts(value)))
    if leads_away:
        raise UsageError(f"'{name}': {NO_PATH}")


def _texts(value: Any) -> list[str]:
    """Return the texts in nested plain data, the names in objects included."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return [value] if isinstance(value, str) else []
