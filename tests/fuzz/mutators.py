"""Mutations of sound inputs: bytes, texts, JSON trees, archives of arrays, databases, options."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from swarmkit.files.archive import digest_of

TOKENS = (
    *(
        "-1",
        "0",
        "1e999",
        "-1e999",
        "nan",
        "inf",
        "1e308",
        "9" * 30,
        "9" * 400,
        "9" * 5000,
        "1e-320",
        "0x10",
        "½",
        "\u0661",
    ),
    *("", " ", "\0", "\ud7ff", "\ufeff", "'", '"', "\\", "[" * 2000, "{" * 200, "a." * 300 + "a = 1", "\n", "\r", "\t"),
    *("true", "null", "None", "2020-01-01", "12:00", "<", "&x;", "]]>", "--", "#", "=", "x" * 3000, "é" * 300),
)
"""Pieces of text that parsers stumble over."""

VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2**31, 2**63, 2**64, 2**200, 10**310, -(2**70), 0.5, 1e308, float("nan"), float("inf")),
    *("", "x", "a0", "a99", "../x", "x" * 5000, "\ud800", "1", [], [[]], [1, "a", None], {}, {"$array": "a0"}),
    *(
        {"$array": 3},
        {"$array": "nowhere"},
        {"$scalar": "a0"},
        {"$tuple": 3},
        {"$tuple": []},
        {"$dataclass": "os.system"},
    ),
    *({"$dataclass": "os.system", "fields": {}}, {"$other": 1}, {"x": {"y": [{}]}}, list(range(200)), [0.5] * 7),
)
"""Values that a JSON tree does not expect."""

SHAPES = ((10**18,), (2**40, 2**40), (-1,), (0,), (1,), (3, 3), (0, 10**18), (1,) * 40, (7_000_000,))
TYPES = (
    "<f8",
    "<i8",
    "|u1",
    "<U9999999",
    "|O",
    "|V0",
    "<U0",
    ">i4",
    "<c16",
    "<M8[s]",
    "|b1",
    "(9,)<f8",
    "[('a', '<i4')]",
)


def mutate_bytes(data: bytes, random: Random) -> bytes:
    """Return data with a few bytes changed, cut out, repeated or inserted."""
    out = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 5, 20))):
        at = random.randrange(len(out) + 1)
        match random.randrange(6):
            case 0 if at < len(out):
                out[at] = random.randrange(256)
            case 1:
                del out[at:]
            case 2:
                del out[at : at + random.choice((1, 4, 100))]
            case 3:
                out[at:at] = random.randbytes(random.choice((1, 4, 50)))
            case 4:
                out[at:at] = out[at : at + random.choice((1, 10, 500))]
            case 5 if at < len(out):
                out[at] ^= 1 << random.randrange(8)
    return bytes(out)


def mutate_text(data: bytes, random: Random) -> bytes:
    """Return a text with words, numbers or lines replaced, removed, repeated or exchanged."""
    if random.random() < 0.25:
        return mutate_bytes(data, random)
    pieces = re.findall(r"\w+|\s+|[^\w\s]", data.decode("utf-8", "replace"))
    for _ in range(random.choice((1, 1, 2, 4))):
        at = random.randrange(len(pieces) + 1)
        match random.randrange(5):
            case 0:
                pieces[at : at + 1] = [random.choice(TOKENS)]
            case 1:
                pieces.insert(at, random.choice(TOKENS))
            case 2:
                del pieces[at : at + random.choice((1, 5, 50))]
            case 3:
                pieces[at:at] = pieces[at : at + random.choice((1, 20, 200))]
            case 4 if pieces:
                other = random.randrange(len(pieces))
                pieces[at : at + 1], pieces[other : other + 1] = pieces[other : other + 1], pieces[at : at + 1]
    return "".join(pieces).encode("utf-8", "surrogatepass")


def mutate_tree(tree: Any, random: Random) -> Any:
    """Return plain data with one part replaced, removed or added."""
    tree = json.loads(json.dumps(tree))
    places: list[tuple[Any, Any]] = []
    todo = [tree]
    while todo:
        here = todo.pop()
        for key in here if isinstance(here, dict) else range(len(here)):
            places.append((here, key))
            if isinstance(here[key], dict | list):
                todo.append(here[key])
    if not places or random.random() < 0.02:
        return random.choice(VALUES)
    at, key = random.choice(places)
    match random.randrange(6):
        case 0:
            del at[key]
        case 1 if isinstance(at, dict):
            at[random.choice(("x", "$array", "seed", "runs", ""))] = random.choice(VALUES)
        case 2:
            at[key] = deep = []
            for _ in range(random.choice((50, 150, 400))):
                deep.append([])
                deep = deep[0]
        case 3 if isinstance(at[key], int | float):
            at[key] = random.choice((-at[key], at[key] + 1, at[key] * 10**20, str(at[key]), [at[key]]))
        case _:
            at[key] = random.choice(VALUES)
    return tree


def mutate_json(data: bytes, random: Random) -> bytes:
    """Return a JSON text with its tree or its characters mutated."""
    if random.random() < 0.3:
        return mutate_text(data, random)
    tree = mutate_tree(json.loads(data), random)
    if random.random() < 0.2:
        tree = mutate_tree(tree, random) if isinstance(tree, dict | list) else tree
    return json.dumps(tree).encode()


def mutate_archive(data: bytes, random: Random) -> bytes:
    """Return a checkpoint with its JSON, its arrays, their headers or the archive mutated; checksums are right."""
    kind = random.randrange(10)
    if kind == 0:
        return mutate_bytes(data, random)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = random.choice(sorted(members))
    if kind in (1, 2, 3, 4):
        text = np.load(io.BytesIO(members["json.npy"])).tobytes()
        members["json.npy"] = _npy(np.frombuffer(mutate_json(text, random), np.uint8))
        _sign(members)
    elif kind == 5:
        members[name] = _claim(members[name], random)
    elif kind in (6, 7):
        members[name] = _npy(mutate_array(np.load(io.BytesIO(members[name])), random))
    elif kind == 8:
        content = members.pop(name)
        if random.random() < 0.5:
            members[random.choice(("../a0.npy", "a0", "b.npy", "a999.npy", "json.npy"))] = content
    return data[: len(data) // 2] if not members else _zipped(members, random, strange=kind == 9)


def _sign(members: dict[str, bytes]) -> None:
    """Give an archive the digest of its content."""
    arrays = {name.removesuffix(".npy"): np.load(io.BytesIO(content)) for name, content in members.items()}
    arrays.pop("digest")
    members["digest.npy"] = _npy(digest_of(arrays))


def _zipped(members: dict[str, bytes], random: Random, strange: bool) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED if strange else zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        if strange:
            archive.writestr("a77.npy", _npy(np.zeros(random.choice((10, 10**6)), np.uint8)))
    return random.choice((buffer.getvalue(), members.get("json.npy", b""))) if strange else buffer.getvalue()


def _npy(array: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


def _claim(member: bytes, random: Random) -> bytes:
    """Return an array file whose header claims another shape or type."""
    try:
        array = np.load(io.BytesIO(member))
    except ValueError:
        return member
    kind = random.choice((repr(array.dtype.str), *(t if t[0] == "[" else repr(t) for t in TYPES)))
    shape = random.choice((array.shape, *SHAPES))
    header = f"{{'descr': {kind}, 'fortran_order': {random.choice((True, False))}, 'shape': {shape}, }}"
    header = random.choice((header, header, header.replace("shape", "shap"), "(" * 3000, "{}", "__import__('os')"))
    padded = header.encode().ljust(118 if len(header) < 118 else len(header) + 1) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded + array.tobytes()


def mutate_array(array: Any, random: Random) -> Any:
    """Return an array with other values, another shape or another type."""
    array = array.copy()
    match random.randrange(6):
        case 0 if array.size and array.dtype.kind in "iuf":
            array.flat[random.randrange(array.size)] = random.choice((0, 1, 100))
        case 1 if array.dtype.kind in "if" and array.size:
            array.flat[random.randrange(array.size)] = -1
        case 2:
            array = array.ravel()[: random.randrange(array.size + 1)]
        case 3:
            array = np.concatenate([array.ravel(), array.ravel()])
        case 4:
            with np.errstate(invalid="ignore"):
                array = array.astype(random.choice((np.float32, np.int8, np.uint64, np.float64, np.bool_, "U5")))
        case _:
            array = np.array([random.choice(VALUES[:8])], dtype=object)
    return array


def mutate_model(data: bytes, random: Random) -> bytes:
    """Return a file of tensors with its header, the length of it, or its tensors mutated."""
    length = int.from_bytes(data[:8], "little")
    header, tensors = data[8 : 8 + length], data[8 + length :]
    match random.randrange(5):
        case 0:
            return mutate_bytes(data[: 8 + length], random) + tensors
        case 1:
            return data[: random.randrange(len(data))]
        case 2:
            at = random.randrange(len(tensors))
            tensors = tensors[:at] + random.randbytes(64) + tensors[at + 64 :]
        case 3:  # the facts, which are JSON in JSON
            tree = json.loads(header)
            facts = mutate_tree(json.loads(tree["__metadata__"]["facts"]), random)
            tree["__metadata__"]["facts"] = json.dumps(facts)
            header = json.dumps(tree).encode()
        case 4:
            header = mutate_json(header, random)
    return len(header).to_bytes(8, "little") + header + tensors


def mutate_store(data: bytes, random: Random, folder: Path) -> bytes:
    """Return a store with its values, its schema or its pages mutated."""
    if random.random() < 0.25:
        return mutate_bytes(data, random)
    path = folder / "mutated.db"
    path.write_bytes(data)
    connection = sqlite3.connect(path, isolation_level=None)
    with contextlib.suppress(sqlite3.Error):
        _change_database(connection, random)
    connection.close()
    content = path.read_bytes()
    for left in folder.glob("mutated.db*"):
        left.unlink()
    return content


def _change_schema(connection: sqlite3.Connection, random: Random) -> None:
    """Change an entry of the schema, whatever SQLite thinks of it."""
    connection.execute("PRAGMA writable_schema = ON")
    entry = random.choice(connection.execute("SELECT rowid, sql FROM sqlite_master").fetchall())
    column = random.choice(("type", "name", "tbl_name", "rootpage", "sql", "sql", "sql"))
    new: Any = random.choice((None, b"\xff\x00", 0, 2, 9999, -1, "", "view", "index", "CREATE TABLE x (y)", "x" * 3000))
    if column == "sql" and entry[1] and random.random() < 0.8:
        new = mutate_text(entry[1].encode(), random).decode("utf-8", "replace")
    connection.execute(f"UPDATE sqlite_master SET {column} = ? WHERE rowid = ?", (new, entry[0]))  # noqa: S608  (our names)


def _change_database(connection: sqlite3.Connection, random: Random) -> None:
    connection.execute("PRAGMA journal_mode = DELETE")
    table = random.choice(("runs", "runs", "runs", "experiments", "bounds"))
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    column = random.choice(columns)
    rows = connection.execute(f"SELECT rowid, {column} FROM {table}").fetchall()  # noqa: S608  (names of ours)
    changes: list[Callable[[], Any]] = [
        lambda: connection.execute(f"PRAGMA user_version = {random.choice((-1, 0, 1, 3, 99))}"),
        lambda: connection.execute(f"PRAGMA application_id = {random.choice((0, 5, -1))}"),
        lambda: connection.execute(f"DROP TABLE {table}"),
        lambda: connection.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO other"),
        lambda: connection.execute("CREATE VIEW v AS SELECT 1"),
        lambda: connection.executescript(
            "DROP TABLE bounds; CREATE VIEW bounds AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) "
            "SELECT n AS problem, n AS fingerprint, n AS bound FROM c"
        ),
        lambda: connection.execute(f"DELETE FROM {table}"),  # noqa: S608  (names of our own tables)
        lambda: _change_schema(connection, random),
        lambda: _change_schema(connection, random),
    ]
    if not rows or random.random() < 0.15:
        random.choice(changes)()
        return
    row, old = random.choice(rows)
    new: Any = random.choice((b"\xff\x00", 7, 1e300, "", "x", "[" * 5000, "{}", "[]", "null", "9" * 3000, b"", -1))
    if isinstance(old, str) and old[:1] in ("{", "[") and random.random() < 0.85:
        new = mutate_json(old.encode(), random).decode("utf-8", "replace")
    connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (new, row))  # noqa: S608  (names of our own tables)
